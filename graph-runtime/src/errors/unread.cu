// The kernel of the page about signatures that cannot be read: a macro with arguments stands for its parameters.
#define ARGUMENTS(T) T *x, unsigned n

extern "C" __global__ void halve(ARGUMENTS(float)) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 0.5f;
}

// The same, written out.
extern "C" __global__ void halve_plainly(float *x, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 0.5f;
}
