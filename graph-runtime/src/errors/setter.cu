// The kernel of the page about the function that sets conditions: its handle is declared with half of its bytes.
extern "C" __device__ void cudaGraphSetConditional(unsigned handle, unsigned value);

// One block; n is at most its size.
extern "C" __global__ void halve(float *x, float bound, cudaGraphConditionalHandle again, unsigned n) {
    unsigned i = threadIdx.x;
    float halved = i < n ? 0.5f * x[i] : 0.0f;
    if (i < n) x[i] = halved;
    if (i == 0) cudaGraphSetConditional(again, halved > bound);
}
