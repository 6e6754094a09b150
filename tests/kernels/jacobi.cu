// The kernels of the README.

// One sweep of Jacobi's method on a line with zero borders.
extern "C" __global__ void sweep(const float *b, const float *x, float *next, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float left = i > 0 ? x[i - 1] : 0.0f, right = i + 1 < n ? x[i + 1] : 0.0f;
    next[i] = (b[i] + left + right) / 2.0f;
}

// How many elements differ by more than the tolerance.
extern "C" __global__ void count_moved(const float *x, const float *next, unsigned *moved, float tolerance, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && fabsf(x[i] - next[i]) > tolerance) atomicAdd(moved, 1);
}
