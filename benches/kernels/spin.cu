// Kernels that wait for a given number of clock cycles and then make a number of those that they are given: three times their own, and one,
// and each that they read. Whoever runs too early makes another number.

__device__ void wait(unsigned cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {}
}

__device__ void make(unsigned *own, unsigned read, unsigned cycles) {
    wait(cycles);
    *own = 3 * *own + 1 + read;
}

extern "C" __global__ void spin0(unsigned *own, unsigned cycles) { make(own, 0, cycles); }
extern "C" __global__ void spin1(const unsigned *a, unsigned *own, unsigned cycles) { make(own, *a, cycles); }
extern "C" __global__ void spin2(const unsigned *a, const unsigned *b, unsigned *own, unsigned cycles) { make(own, *a + *b, cycles); }
extern "C" __global__ void spin3(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *own, unsigned cycles) {
    make(own, *a + *b + *c, cycles);
}
extern "C" __global__ void spin4(const unsigned *a, const unsigned *b, const unsigned *c, const unsigned *d, unsigned *own,
                                 unsigned cycles) {
    make(own, *a + *b + *c + *d, cycles);
}

// Adds one and what it reads, whoever adds too.
extern "C" __global__ void join(const unsigned *before, unsigned *own, unsigned cycles) {
    wait(cycles);
    atomicAdd(own, *before + 1);
}
