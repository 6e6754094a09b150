// The function that sets conditions, declared with half a handle.
extern "C" __device__ void cudaGraphSetConditional(unsigned handle, unsigned value);

extern "C" __global__ void step(unsigned *x, cudaGraphConditionalHandle again) {
    *x -= 1;
    cudaGraphSetConditional(again, *x != 0);
}
