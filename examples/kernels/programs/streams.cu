// The kernels of programs that have none of their own: what one writes to launch them in a stream.
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void axpy(const double* x, double* y, double a, unsigned n) {
    unsigned i = INDEX;
    if (i < n) y[i] += a * x[i];
}

extern "C" __global__ void count_down(unsigned char* d) { *d -= 1; }

extern "C" __global__ void heat(const double* u, double* v, double c, unsigned n) {
    unsigned j = INDEX + 1, i = blockIdx.y + 1;
    if (j + 1 >= n) return;
    const double* at = u + (size_t)i * n + j;
    v[(size_t)i * n + j] = *at + c * (at[-(long long)n] + at[n] + at[-1] + at[1] - 4.0 * *at);
}

// Conjugate gradient.
extern "C" __global__ void start(const double* b, double* x, double* r, double* p, unsigned n) {
    unsigned i = INDEX;
    if (i < n) x[i] = 0.0, r[i] = b[i], p[i] = b[i];
}

extern "C" __global__ void spmv(const double* value, const unsigned* column, const unsigned* row, const double* p, double* q, unsigned n) {
    unsigned i = INDEX;
    if (i >= n) return;
    double sum = 0.0;
    for (unsigned k = row[i]; k < row[i + 1]; k++) sum += value[k] * p[column[k]];
    q[i] = sum;
}

// In blocks of 256 threads; the sum is zero before.
extern "C" __global__ void dot(const double* a, const double* b, double* sum, unsigned n) {
    __shared__ double warp[8];
    double part = 0.0;
    for (unsigned i = INDEX; i < n; i += gridDim.x * blockDim.x) part += a[i] * b[i];
    for (int step = 16; step > 0; step /= 2) part += __shfl_down_sync(~0u, part, step);
    if (threadIdx.x % 32 == 0) warp[threadIdx.x / 32] = part;
    __syncthreads();
    if (threadIdx.x < 32) {
        part = threadIdx.x < 8 ? warp[threadIdx.x] : 0.0;
        for (int step = 4; step > 0; step /= 2) part += __shfl_down_sync(~0u, part, step);
        if (threadIdx.x == 0) atomicAdd(sum, part);
    }
}

extern "C" __global__ void correct(const double* rr, const double* pq, const double* p, const double* q, double* x, double* r, unsigned n) {
    unsigned i = INDEX;
    if (i < n) x[i] += *rr / *pq * p[i], r[i] -= *rr / *pq * q[i];
}

extern "C" __global__ void turn(const double* now, const double* rr, const double* r, double* p, unsigned n) {
    unsigned i = INDEX;
    if (i < n) p[i] = r[i] + *now / *rr * p[i];
}

// Images: the bits of an f16.
extern "C" __global__ void normalise(const float* small, const float* brightness, unsigned short* ready, unsigned n) {
    unsigned i = INDEX;
    if (i >= n) return;
    float value = (fminf(small[i] * *brightness, 255.0f) / 255.0f - 0.45f) / 0.22f;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(ready[i]) : "f"(value));
}

// A graph network with 16 numbers for each node.
extern "C" __global__ void gather(const unsigned* row, const unsigned* column, const float* h, float* z, unsigned n) {
    unsigned at = INDEX;
    if (at >= n) return;
    float sum = 0.0f;
    for (unsigned k = row[at / 16]; k < row[at / 16 + 1]; k++) sum += h[column[k] * 16 + at % 16];
    z[at] = sum;
}

extern "C" __global__ void multiply(const float* z, const float* w, float* h, unsigned n) {
    unsigned at = INDEX;
    if (at >= n) return;
    float sum = 0.0f;
    for (unsigned k = 0; k < 16; k++) sum += z[at / 16 * 16 + k] * w[k * 16 + at % 16];
    h[at] = fmaxf(sum, 0.0f);
}

// A network of two layers: y = relu(x w1) w2.
extern "C" __global__ void layer(const float* x, const float* w, float* y, unsigned n, unsigned inputs, unsigned outputs, unsigned relu) {
    unsigned at = INDEX;
    if (at >= n * outputs) return;
    float sum = 0.0f;
    for (unsigned k = 0; k < inputs; k++) sum += x[at / outputs * inputs + k] * w[k * outputs + at % outputs];
    y[at] = relu ? fmaxf(sum, 0.0f) : sum;
}

// A mixture of experts: which of a row's numbers is the largest, and a layer for the rows that have this expert.
extern "C" __global__ void largest(const float* x, unsigned* top, unsigned n, unsigned width) {
    unsigned i = INDEX;
    if (i >= n) return;
    unsigned best = 0;
    for (unsigned e = 1; e < width; e++) if (x[i * width + e] > x[i * width + best]) best = e;
    top[i] = best;
}

extern "C" __global__ void rows_of(const float* x, const float* w, float* y, unsigned n, unsigned inputs, unsigned outputs, unsigned relu, const unsigned* top, unsigned expert) {
    unsigned at = INDEX;
    if (at >= n * outputs || top[at / outputs] != expert) return;
    float sum = 0.0f;
    for (unsigned k = 0; k < inputs; k++) sum += x[at / outputs * inputs + k] * w[k * outputs + at % outputs];
    y[at] = relu ? fmaxf(sum, 0.0f) : sum;
}

// Speculative decoding: the likeliest word after each of n, and what of the guesses is right.
extern "C" __global__ void step(const float* rows, const unsigned* word, const unsigned* place, unsigned* next, unsigned n, unsigned words) {
    unsigned i = INDEX;
    if (i >= n) return;
    const float* row = rows + (5 * word[i] + place[i]) % words * words;
    unsigned best = 0;
    for (unsigned w = 1; w < words; w++) if (row[w] > row[best]) best = w;
    next[i] = best;
}

extern "C" __global__ void begin(const unsigned* text, const unsigned* position, unsigned* guess, unsigned* place, unsigned n, unsigned length, unsigned drafted) {
    unsigned s = INDEX;
    if (s >= n) return;
    guess[s] = text[s * length + position[s]];
    for (unsigned k = 0; k <= drafted; k++) place[k * n + s] = position[s] + k;
}

// `live` is zero before.
extern "C" __global__ void accept(const unsigned* guess, const unsigned* right, unsigned* text, unsigned* position, unsigned* live, unsigned n, unsigned length, unsigned drafted) {
    unsigned s = INDEX;
    if (s >= n) return;
    unsigned at = position[s];
    for (unsigned k = 0; k <= drafted && at + 1 < length; k++) {
        text[s * length + ++at] = right[k * n + s];
        if (k < drafted && guess[(k + 1) * n + s] != right[k * n + s]) break;
    }
    position[s] = at;
    if (at + 1 < length) atomicAdd(live, 1);
}

// A recommender: 27 vectors of 64 numbers for each sample; the bits of an f16 in tables and layers.
__device__ float number(unsigned short bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}

extern "C" __global__ void bag(const unsigned short* rows, const unsigned* index, const unsigned* offset, float* vectors, unsigned t, unsigned n) {
    unsigned at = INDEX, i = at / 64, j = at % 64;
    if (i >= n) return;
    float sum = 0.0f;
    for (unsigned k = offset[i]; k < offset[i + 1]; k++) sum += number(rows[index[k] * 64 + j]);
    vectors[(i * 27 + t) * 64 + j] = sum;
}

extern "C" __global__ void bottom(const unsigned short* dense, const unsigned short* w, const unsigned short* b, float* vectors, unsigned n) {
    unsigned at = INDEX, i = at / 64, j = at % 64;
    if (i >= n) return;
    float sum = number(b[j]);
    for (unsigned k = 0; k < 13; k++) sum += number(dense[i * 13 + k]) * number(w[k * 64 + j]);
    vectors[(i * 27 + 26) * 64 + j] = fmaxf(sum, 0.0f);
}

extern "C" __global__ void interact(const float* vectors, float* z, unsigned n) {
    unsigned at = INDEX, i = at / 351;
    if (i >= n) return;
    unsigned a = 0, b = at % 351 + 1;
    while (b > 26) a += 1, b = b - 26 + a;
    float sum = 0.0f;
    for (unsigned j = 0; j < 64; j++) sum += vectors[(i * 27 + a) * 64 + j] * vectors[(i * 27 + b) * 64 + j];
    z[at] = sum;
}

extern "C" __global__ void click(const float* vectors, const float* z, const unsigned short* top, float* clicks, unsigned n) {
    unsigned i = INDEX;
    if (i >= n) return;
    float sum = 0.0f;
    for (unsigned pair = 0; pair < 351; pair++) sum += z[i * 351 + pair] * number(top[pair]);
    for (unsigned j = 0; j < 64; j++) sum += vectors[(i * 27 + 26) * 64 + j] * number(top[351 + j]);
    clicks[i] = 1.0f / (1.0f + expf(-0.1f * sum));
}
