// Kernels on boxes: rows at a distance that they know or are told. Each touches exactly what its declaration in src/kernels.rs says.

// One block per row: the sum of a bag of rows of a table, 64 wide, into columns of a matrix whose rows are `pitch` apart.
extern "C" __global__ void bag(const float *table, const unsigned *index, float *out, unsigned rows, unsigned n, unsigned per,
                               unsigned pitch) {
    unsigned row = blockIdx.x, column = threadIdx.x;
    if (row >= n || column >= 64) return;
    float sum = 0.0f;
    for (unsigned k = 0; k < per; ++k) {
        unsigned at = index[row * per + k];
        if (at < rows) sum += table[at * 64 + column];
    }
    out[row * pitch + column] = sum;
}

// c += a * b on tiles of one matrix each, `b` wide and high.
extern "C" __global__ void tile_product(const float *a, const float *b, float *c, unsigned size, unsigned pitch) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size * size) return;
    unsigned row = i / size, column = i % size;
    float sum = c[row * pitch + column];
    for (unsigned k = 0; k < size; ++k) sum += a[row * pitch + k] * b[k * pitch + column];
    c[row * pitch + column] = sum;
}

// x += by on a box of three dimensions.
extern "C" __global__ void add_to_box(int *x, int by, unsigned d, unsigned h, unsigned w, unsigned slice, unsigned pitch) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= d * h * w) return;
    x[i / (h * w) * slice + i / w % h * pitch + i % w] += by;
}

// The sum of each row of a matrix in one piece.
extern "C" __global__ void row_sums(const float *x, float *sums, unsigned h, unsigned w) {
    unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= h) return;
    float sum = 0.0f;
    for (unsigned column = 0; column < w; ++column) sum += x[row * w + column];
    sums[row] = sum;
}
