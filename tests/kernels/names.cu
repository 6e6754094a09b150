// Kernels with odd names and parameters of every type, for tests/cases.

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void scalars(double *out, bool a, unsigned char b, signed char c, unsigned short d, short e, unsigned f, int g,
                                   unsigned long long h, long long i, size_t j, float k, double l) {
    double values[12] = {(double)a, (double)b, (double)c, (double)d, (double)e, (double)f,
                         (double)g, (double)h, (double)i, (double)j, (double)k, l};
    for (int at = 0; at < 12; at++) out[at] = values[at];
}

extern "C" __global__ void count(unsigned *x, unsigned n) {
    unsigned i = INDEX;
    if (i < n) x[i] += 1;
}

extern "C" __global__ void count_1(unsigned *x, unsigned n) {
    unsigned i = INDEX;
    if (i < n) x[i] += 100;
}

extern "C" __global__ void increment(unsigned *x, unsigned n) {
    unsigned i = INDEX;
    if (i < n) x[i] += 10;
}

extern "C" __global__ void move(unsigned *x, unsigned n) {
    unsigned i = INDEX;
    if (i < n) x[i] *= 2;
}

extern "C" __global__ void nothing(unsigned n) {}
