// r = b - A x, where A has 2 on its diagonal and -1 beside it.
extern "C" __global__ void residual(const float* b, const float* x, float* r, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float left = i == 0 ? 0.0f : x[i - 1];
    float right = i + 1 == n ? 0.0f : x[i + 1];
    r[i] = b[i] - (2.0f * x[i] - left - right);
}

// The sum of the squares, by one block of 256 threads.
extern "C" __global__ void squares(const float* r, float* sum, unsigned n) {
    __shared__ float part[256];
    float own = 0.0f;
    for (unsigned i = threadIdx.x; i < n; i += 256) own += r[i] * r[i];
    part[threadIdx.x] = own;
    for (unsigned step = 128; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    }
    if (threadIdx.x == 0) *sum = part[0];
}

// x += r / 3: a step of damped Jacobi.
extern "C" __global__ void correct(const float* r, float* x, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += r[i] / 3.0f;
}
