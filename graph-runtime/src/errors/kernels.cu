// The kernels of the pages' examples.

extern "C" __global__ void scale(float *x, float by, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= by;
}

extern "C" __global__ void add(const float *a, const float *b, float *sum, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

extern "C" __global__ void scale_rows(float *x, float by, unsigned h, unsigned w, unsigned p) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < h * w) x[i / w * p + i % w] *= by;
}
