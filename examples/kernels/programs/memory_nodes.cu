extern "C" __global__ void square(const float* x, float* squared, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) squared[i] = x[i] * x[i];
}

extern "C" __global__ void negate(const float* x, float* negated, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) negated[i] = -x[i];
}
