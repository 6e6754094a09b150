// Sums in double precision: one partial sum for each block, then one block for all of them.
__device__ double of_block(double sum) {
    __shared__ double warp[THREADS / 32];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x % 32 == 0) warp[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = threadIdx.x < THREADS / 32 ? warp[threadIdx.x] : 0.0;
    if (threadIdx.x < 32)
        for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    return sum;
}

extern "C" __global__ void reduce(const float* x, double* part, unsigned n, unsigned blocks) {
    double sum = 0.0;
    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += blocks * THREADS) sum += x[i];
    sum = of_block(sum);
    if (threadIdx.x == 0) part[blockIdx.x] = sum;
}

extern "C" __global__ void reduce_final(const double* part, double* sum, unsigned blocks) {
    double all = 0.0;
    for (unsigned i = threadIdx.x; i < blocks; i += THREADS) all += part[i];
    all = of_block(all);
    if (threadIdx.x == 0) *sum = all;
}
