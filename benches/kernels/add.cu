// The smallest kernel that leaves a trace: one block, a thread for each element.
extern "C" __global__ void add(float *y, float a, unsigned n) {
    if (threadIdx.x < n) y[threadIdx.x] += a;
}
