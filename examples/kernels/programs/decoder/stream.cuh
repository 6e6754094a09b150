// The stream of activations between kernels: vectors of `D` elements that add up to it, and its layer normalisation.
#pragma once
#include "arithmetic.cuh"
#include "cluster.cuh"
#include "sizes.cuh"

// What layer normalisation makes of a vector: `x * scale + shift`, before its own gain and bias.
struct Norm {
    float scale, shift;

    // From the mean, and the mean of the squares of the distances from it.
    __device__ Norm(float mean, float variance) : scale(rsqrtf(variance + 1e-5f)), shift(-mean * scale) {}

    // Eight elements from `at` on.
    __device__ void apply(const float* x, const __half* gain, const __half* bias, int at, float (&y)[8]) const {
        float g[8], b[8];
        widen(*reinterpret_cast<const uint4*>(gain + at), g);
        widen(*reinterpret_cast<const uint4*>(bias + at), b);
        float4 low = *reinterpret_cast<const float4*>(x + at), high = *reinterpret_cast<const float4*>(x + at + 4);
        float wide[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
        for (int i = 0; i < 8; i++) y[i] = fmaf(fmaf(wide[i], scale, shift), g[i], b[i]);
    }
};

// The stream, in each block of a cluster: every block adds up a slice of it for all.
template <int D, int PARTS>
struct Stream {
    static constexpr int SLICE = D / CLUSTER;
    alignas(16) float parts[PARTS][SLICE];
    alignas(16) float x[D];
    alignas(16) float2 spread[CLUSTER];  // of each slice: its mean, and the squares of the distances from it
    Arrival arrival;

    __device__ void begin() {
        arrival.begin();
        arrival.expect(sizeof(x) + sizeof(spread));
    }

    __device__ void gather(const float* from, unsigned rank) {
        constexpr int QUADS = SLICE / 4;
        for (int i = threadIdx.x; i < PARTS * QUADS; i += THREADS) {
            int part = i / QUADS, at = i % QUADS * 4;
            *reinterpret_cast<float4*>(&parts[part][at]) = *reinterpret_cast<const float4*>(from + part * D + rank * SLICE + at);
        }
        __syncthreads();
        if (threadIdx.x / 32 < CLUSTER) add_up(rank, threadIdx.x / 32);
        arrival.wait(0);
    }

    // This block's slice for another one, by a warp.
    __device__ void add_up(unsigned rank, int block) {
        int lane = threadIdx.x % 32;
        bool some = lane * 4 < SLICE;
        float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (some) {
#pragma unroll
            for (int part = 0; part < PARTS; part++) {
                float4 v = *reinterpret_cast<const float4*>(&parts[part][lane * 4]);
                sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
            }
            send(&x[rank * SLICE + lane * 4], block, arrival, sum);
        }
        float2 found = spread_of(sum, some);
        if (lane == 0) send(&spread[rank].x, block, arrival, found);
    }

    // At the beginning of a pass: a word at its place. Every block has all of it.
    __device__ void embed(const __half* wte, const __half* wpe, unsigned word, unsigned at) {
        int slice = threadIdx.x / 32, first = slice * SLICE + threadIdx.x % 32 * 4;
        if (slice < CLUSTER) {
            float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            bool some = threadIdx.x % 32 * 4 < SLICE;
            if (some) {
                sum = four_halves(wpe + (size_t)at * D + first);
                float4 v = four_halves(wte + (size_t)word * D + first);
                sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
                *reinterpret_cast<float4*>(&x[first]) = sum;
            }
            float2 found = spread_of(sum, some);
            if (threadIdx.x % 32 == 0) spread[slice] = found;
        }
        __syncthreads();
    }

    // The mean of a slice, of which each thread of a warp has four elements or none, and the squares of the distances from it.
    __device__ static float2 spread_of(float4 v, bool some) {
        float mean = sum_over<32>(v.x + v.y + v.z + v.w) / SLICE;
        float4 d = make_float4(v.x - mean, v.y - mean, v.z - mean, v.w - mean);
        return make_float2(mean, sum_over<32>(some ? d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w : 0.0f));
    }

    __device__ Norm norm() const {
        float mean = 0.0f, squares = 0.0f;
        for (int block = 0; block < CLUSTER; block++) mean += spread[block].x / CLUSTER;
        for (int block = 0; block < CLUSTER; block++) {
            float away = spread[block].x - mean;
            squares += fmaf(away * away, (float)SLICE, spread[block].y);
        }
        return Norm(mean, squares / D);
    }
};

// The product of some rows and a normalised vector. Each warp multiplies its elements of all rows, and leaves what they add.
template <int D, int ROWS>
struct Product {
    static constexpr int WINDOWS = D / 64;                          // of 64 elements: eight for each thread of a group
    static constexpr int SUMS = WINDOWS < WARPS ? WINDOWS : WARPS;
    static constexpr int OWN = (ROWS + 3) / 4;                      // rows of a group of eight threads
    float sums[SUMS][ROWS];

    __device__ void add(const __half (&rows)[ROWS][D], const float* x, Norm norm, const __half* gain, const __half* bias) {
        int warp = threadIdx.x / 32, group = threadIdx.x % 32 / 8, part = threadIdx.x % 8;
        float found[OWN] = {};
        for (int window = warp; window < WINDOWS; window += WARPS) {
            int at = window * 64 + part * 8;
            float y[8];
            norm.apply(x, gain, bias, at, y);
#pragma unroll
            for (int i = 0; i < OWN; i++) {
                int row = i * 4 + group;
                if (row < ROWS) found[i] = dot(*reinterpret_cast<const uint4*>(&rows[row][at]), y, found[i]);
            }
        }
#pragma unroll
        for (int i = 0; i < OWN; i++) {
            float sum = sum_over<8>(found[i]);
            if (part == 0 && warp < SUMS && i * 4 + group < ROWS) sums[warp][i * 4 + group] = sum;
        }
        __syncthreads();
    }

    __device__ float of(int row) const {
        float sum = 0.0f;
#pragma unroll
        for (int i = 0; i < SUMS; i++) sum += sums[i][row];
        return sum;
    }
};
