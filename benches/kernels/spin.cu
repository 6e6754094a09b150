// Kernels that do nothing for a given number of clock cycles, each with the accesses that make a graph's edges.

__device__ void wait(unsigned cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {}
}

extern "C" __global__ void spin0(unsigned *, unsigned cycles) { wait(cycles); }
extern "C" __global__ void spin1(const unsigned *, unsigned *, unsigned cycles) { wait(cycles); }
extern "C" __global__ void spin2(const unsigned *, const unsigned *, unsigned *, unsigned cycles) { wait(cycles); }
extern "C" __global__ void spin3(const unsigned *, const unsigned *, const unsigned *, unsigned *, unsigned cycles) { wait(cycles); }
extern "C" __global__ void spin4(const unsigned *, const unsigned *, const unsigned *, const unsigned *, unsigned *, unsigned cycles) {
    wait(cycles);
}
extern "C" __global__ void join(const unsigned *, unsigned *, unsigned cycles) { wait(cycles); }
