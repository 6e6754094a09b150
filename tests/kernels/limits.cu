// Kernels with limits and structs of their own, for what declarations and launches are compared with.

constexpr unsigned WARP = 32;
typedef unsigned int count_t;

struct Rect {
    unsigned x, y, width, height;
};

// Blocks of up to 128 threads.
extern "C" __global__ void __launch_bounds__(WARP * 4) narrow(float *x, count_t n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2.0f;
}

// The elements of a rectangle, doubled.
extern "C" __global__ void inside(float *x, Rect part, unsigned pitch) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= part.width * part.height) return;
    x[(part.y + i / part.width) * pitch + part.x + i % part.width] *= 2.0f;
}

// Shared memory that no kernel gets unless its launch asks for it.
extern "C" __global__ void wide(float *x, unsigned n) {
    __shared__ float tile[WARP * 4][WARP * 4];
    if (threadIdx.x < n) x[threadIdx.x] = tile[threadIdx.x][0];
}

// Shared memory of its own, and what the launch asks for.
extern "C" __global__ void tiles(float *x, unsigned n) {
    __shared__ float tile[WARP * WARP * 4];
    extern __shared__ float rest[];
    rest[threadIdx.x] = 1.0f;
    tile[threadIdx.x] = rest[threadIdx.x];
    if (threadIdx.x < n) x[threadIdx.x] += tile[threadIdx.x];
}
