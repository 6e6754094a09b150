// A kernel that decides whether its loop goes on. The driver binds the function when it loads the module.
extern "C" __device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value);

// One block. Halves x; goes on while its first element is larger than bound.
extern "C" __global__ void halve(float *x, unsigned *passes, float bound, cudaGraphConditionalHandle again, unsigned n) {
    unsigned i = threadIdx.x;
    float halved = i < n ? 0.5f * x[i] : 0.0f;
    if (i < n) x[i] = halved;
    if (i == 0) {
        ++*passes;
        cudaGraphSetConditional(again, halved > bound);
    }
}
