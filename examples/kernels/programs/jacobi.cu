// One row of `A x = b` for each warp; `moved` gathers the sum of |next - x|.
extern "C" __global__ void sweep(const float* a, const double* b, const double* x, double* next, double* moved, unsigned n) {
    unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n) return;
    double sum = 0.0;
    for (unsigned j = lane; j < n; j += 32)
        if (j != row) sum += a[row * (size_t)n + j] * x[j];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0) {
        next[row] = (b[row] - sum) / a[row * (size_t)n + row];
        atomicAdd(moved, fabs(next[row] - x[row]));
    }
}

// The sum of |x - 1|.
extern "C" __global__ void distance_from_one(const double* x, double* sum, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, fabs(x[i] - 1.0));
}
