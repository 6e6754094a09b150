// Kernels that are still running when the host goes on: each spins for `cycles` clock cycles before it works. Nothing that a test
// asserts depends on how long that takes.

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

__device__ void spin(unsigned long long cycles) {
    unsigned long long start = clock64();
    while ((unsigned long long)clock64() - start < cycles) {}
}

extern "C" __global__ void add(unsigned *x, unsigned by, unsigned long long cycles, unsigned n) {
    spin(cycles);
    unsigned i = INDEX;
    if (i < n) x[i] += by;
}

extern "C" __global__ void times(unsigned *x, unsigned by, unsigned long long cycles, unsigned n) {
    spin(cycles);
    unsigned i = INDEX;
    if (i < n) x[i] *= by;
}

extern "C" __global__ void shift(const unsigned *from, unsigned *to, unsigned by, unsigned long long cycles, unsigned n) {
    spin(cycles);
    unsigned i = INDEX;
    if (i < n) to[i] = from[i] + by;
}
