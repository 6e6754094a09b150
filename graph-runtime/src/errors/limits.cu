// The kernels of the pages about limits.

// Blocks of up to 256 threads.
extern "C" __global__ void __launch_bounds__(256) scale(float *x, float by, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= by;
}

// Reverses 16384 elements, by way of shared memory of its own.
extern "C" __global__ void reverse(float *x) {
    __shared__ float copy[16384];
    for (unsigned i = threadIdx.x; i < 16384; i += blockDim.x) copy[i] = x[i];
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 16384; i += blockDim.x) x[i] = copy[16383 - i];
}

// The same, with shared memory that the launch asks for.
extern "C" __global__ void reverse_in_dynamic(float *x) {
    extern __shared__ float copy[];
    for (unsigned i = threadIdx.x; i < 16384; i += blockDim.x) copy[i] = x[i];
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 16384; i += blockDim.x) x[i] = copy[16383 - i];
}

// Sums tiles of 4096 elements in shared memory of its own, and keeps the sums in what the launch asks for.
extern "C" __global__ void tiles(float *x) {
    __shared__ float tile[4096];
    extern __shared__ float sums[];
    for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) tile[i] = x[i];
    __syncthreads();
    float sum = 0.0f;
    for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) sum += tile[i];
    sums[threadIdx.x] = sum;
    x[threadIdx.x] = sums[threadIdx.x];
}
