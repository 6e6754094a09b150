// Kernels that may begin before those that they wait for are over.
__device__ void wait_for_the_kernels_before() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// x = 2 x + 1
extern "C" __global__ void step(unsigned *x, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    wait_for_the_kernels_before();
    if (i < n) x[i] = 2 * x[i] + 1;
}

// x = by x. The factor is fetched before the kernels in front are over.
extern "C" __global__ void scale(unsigned *x, const unsigned *by, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, factor = *(const volatile unsigned *)by;
    wait_for_the_kernels_before();
    if (i < n) x[i] *= factor;
}

// Each block writes how many blocks its cluster has.
extern "C" __global__ void cluster_sizes(unsigned *sizes) {
    unsigned blocks = 1;
#if __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks));
#endif
    if (threadIdx.x == 0) sizes[blockIdx.x] = blocks;
}
