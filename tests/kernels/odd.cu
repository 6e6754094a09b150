// Kernels for the tests of errors: their declarations are wrong, or their limits are tight.

// The scan for names does not look at directives: only the compiled module tells that there is no such kernel.
#ifdef NEVER_DEFINED
extern "C" __global__ void absent(unsigned *x, unsigned n) { x[0] = n; }
#endif

// Declared with an `n` of 8 bytes. Which of two types a name stands for only the compiled module tells.
#ifdef WIDE
typedef unsigned long long count_t;
#else
typedef unsigned count_t;
#endif
extern "C" __global__ void narrow(unsigned *x, count_t n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}

extern "C" __global__ void __launch_bounds__(64) bounded(unsigned *x, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}

// Touches the null page.
extern "C" __global__ void stray(unsigned *x, unsigned n) {
    unsigned long long address = 16 + 4ull * n;
    *reinterpret_cast<volatile unsigned *>(address) = x[0];
}

// Two numbers, 4 bytes apart wherever they lie.
struct Pair {
    unsigned a, b;
};
extern "C" __global__ void paired(unsigned *x, unsigned n, Pair pair) {
    if (n > 0) x[0] = pair.a + pair.b;
}
