// A kernel without `extern "C"`, for the case that declares it.

__global__ void twice(float *x, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2.0f;
}
