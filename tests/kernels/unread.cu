// Kernels whose parameters only a compiler can read, each for another reason.
#define IN(T) const T *__restrict__
#define SIZE unsigned n

extern "C" __global__ void by_macro(float *y, IN(float) x, SIZE) {
    if (threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x];
}

extern "C" __global__ void by_branch(float *x,
#ifdef WIDE
                                     unsigned long long n
#else
                                     unsigned n
#endif
) {
    if (threadIdx.x < n) x[threadIdx.x] += 1.0f;
}

extern "C" __global__ void plain(float *x, SIZE) {
    if (threadIdx.x < n) x[threadIdx.x] += 1.0f;
}
