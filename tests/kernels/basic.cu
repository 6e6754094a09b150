// Small kernels for the tests. Each touches exactly what its declaration in src/kernels.rs says.

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void add_constant(float *x, float by, unsigned n) {
    unsigned i = INDEX;
    if (i < n) x[i] += by;
}

extern "C" __global__ void times_constant(float *x, float by, unsigned n) {
    unsigned i = INDEX;
    if (i < n) x[i] *= by;
}

extern "C" __global__ void copy_scaled(const float *from, float *to, float by, unsigned n) {
    unsigned i = INDEX;
    if (i < n) to[i] = from[i] * by;
}

extern "C" __global__ void sum_of_two(const float *a, const float *b, float *c, unsigned n) {
    unsigned i = INDEX;
    if (i < n) c[i] = a[i] + b[i];
}

extern "C" __global__ void count_equal(const unsigned *x, unsigned value, unsigned *count, unsigned n) {
    unsigned i = INDEX;
    if (i < n && x[i] == value) atomicAdd(count, 1u);
}

extern "C" __global__ void increment(unsigned *x, unsigned n) {
    unsigned i = INDEX;
    if (i < n) x[i] += 1;
}

extern "C" __global__ void index_2d(unsigned *x, unsigned w, unsigned h) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < w && j < h) x[j * w + i] = 1000 * j + i;
}

extern "C" __global__ void index_3d(unsigned *x, unsigned a, unsigned b, unsigned c) {
    unsigned i = INDEX, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i < a && j < b && k < c) x[(k * b + j) * a + i] = 10000 * k + 100 * j + i;
}

// Reverses blocks of 64 through dynamic shared memory.
extern "C" __global__ void reverse_block(unsigned *x, unsigned n) {
    extern __shared__ unsigned tile[];
    unsigned i = INDEX;
    if (i < n) tile[threadIdx.x] = x[i];
    __syncthreads();
    if (i < n) x[i] = tile[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void write_values(float *f, double *d, unsigned *u, unsigned long long *w, float vf, double vd,
                                        unsigned vu, unsigned long long vw) {
    f[0] = vf;
    d[0] = vd;
    u[0] = vu;
    w[0] = vw;
}

// One sweep of Jacobi's method on a line: interior points take the mean of their neighbours plus half of b.
extern "C" __global__ void sweep(const double *b, const double *x, double *next, unsigned n) {
    unsigned i = INDEX;
    if (i >= n) return;
    double left = i > 0 ? x[i - 1] : 0.0, right = i + 1 < n ? x[i + 1] : 0.0;
    next[i] = 0.5 * (b[i] + left + right);
}

// The largest difference, as the bits of a non-negative double, which order as the numbers do.
extern "C" __global__ void distance(const double *x, const double *y, unsigned long long *error, unsigned n) {
    unsigned i = INDEX;
    if (i < n) atomicMax(error, (unsigned long long)__double_as_longlong(fabs(x[i] - y[i])));
}
