// Kernels of loops that do little: what a pass costs, not what it does. All are launched with a thread for each element.

// The driver binds it when it loads the module.
extern "C" __device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value);

extern "C" __global__ void step(float *y, unsigned n) {
    if (threadIdx.x < n) y[threadIdx.x] += 1.0f;
}

// The last kernel of a pass, where it also decides whether there is another one.
extern "C" __global__ void step_and_decide(float *y, float end, cudaGraphConditionalHandle again, unsigned n) {
    if (threadIdx.x >= n) return;
    float next = y[threadIdx.x] + 1.0f;
    y[threadIdx.x] = next;
    if (threadIdx.x == 0) cudaGraphSetConditional(again, next < end);
}
