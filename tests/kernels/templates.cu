// A template, kernels of C++, and macros from outside.
#include <tiles.cuh>

template <typename T, int N>
__global__ void axpy(T *y, const T *x, T a, unsigned n) {
    unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * N;
    for (unsigned i = first; i < first + N && i < n; ++i) y[i] += a * x[i];
}

struct Pair {
    float first, second;
};

namespace pairs {
template <typename P>
__global__ void turn(P *x, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = P{x[i].second, x[i].first};
}

__global__ void twice(Pair *x, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = Pair{FACTOR * x[i].first, FACTOR * x[i].second};
}
}  // namespace pairs

// One value for each block: the sum of its tiles of x.
__global__ void tile_sums(const float *x, double *sums, unsigned n, unsigned blocks) {
    __shared__ double part[TILE];
    double sum = 0.0;
    for (unsigned i = blockIdx.x * TILE + threadIdx.x; i < n; i += blocks * TILE) sum += x[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half = TILE / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

// Four elements at a time.
__global__ void scale_quads(float *x, float by, unsigned n) {
    unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i >= n) return;
    float4 four = *reinterpret_cast<float4 *>(x + i);
    *reinterpret_cast<float4 *>(x + i) = float4{four.x * by, four.y * by, four.z * by, four.w * by};
}
