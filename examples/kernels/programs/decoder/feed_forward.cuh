// The wide layer of a transformer.
#pragma once
#include "stream.cuh"

// A block's shared memory, and its share of the wide layer: some rows up, and the same rows back.
template <int D, int PARTS>
struct FeedForward {
    static constexpr int SLICE = D / CLUSTER;
    static constexpr int HIDDEN = 4 * D / (CLUSTER * CLUSTERS);  // rows of a block
    __half up[HIDDEN][D];
    __half down[HIDDEN][D];
    alignas(16) __half gain[D];
    alignas(16) __half bias[D];
    Stream<D, PARTS> stream;
    Product<D, HIDDEN> product;
    float hidden[HIDDEN];
    alignas(16) float sums[CLUSTER][SLICE];
    Arrival fetch, summing;

    __device__ void begin() {
        stream.begin();
        summing.begin();
        summing.expect(sizeof(sums));
        fetch.begin();
        fetch.expect(sizeof(up) + sizeof(down) + sizeof(gain) + sizeof(bias));
    }

    __device__ void fetch_weights(const __half* up_, const __half* down_, const __half* gain_, const __half* bias_) {
        size_t first = (size_t)blockIdx.x * HIDDEN * D;
        fetch.copy(gain, gain_, sizeof(gain));
        fetch.copy(bias, bias_, sizeof(bias));
        fetch.copy(up, up_ + first, sizeof(up));
        fetch.copy(down, down_ + first, sizeof(down));
    }

    // Up: a row by each thread, as far as there are rows.
    __device__ void widen_stream(float bias_of_row) {
        product.add(up, stream.x, stream.norm(), gain, bias);
        if (threadIdx.x < HIDDEN) hidden[threadIdx.x] = gelu(product.of(threadIdx.x) + bias_of_row);
        __syncthreads();
    }

    // Back, for the block whose slice it is: eight elements by four threads of a warp, a quarter of the rows each.
    __device__ void narrow(unsigned rank) {
        int turn = threadIdx.x % 32 / 8;
        for (int eight = threadIdx.x / 32 * 8 + threadIdx.x % 8; eight < D / 8; eight += WARPS * 8) {
            float sum[8] = {}, wide[8];
#pragma unroll
            for (int row = turn; row < (HIDDEN + 3) / 4 * 4; row += 4) {
                if (row < HIDDEN) {
                    widen(*reinterpret_cast<const uint4*>(&down[row][eight * 8]), wide);
                    for (int k = 0; k < 8; k++) sum[k] = fmaf(wide[k], hidden[row], sum[k]);
                }
            }
            for (int k = 0; k < 8; k++) sum[k] += __shfl_xor_sync(~0u, sum[k], 8);
            for (int k = 0; k < 8; k++) sum[k] += __shfl_xor_sync(~0u, sum[k], 16);
            float* to = &sums[rank][eight * 8 % SLICE];
            if (turn == 0) send(to, eight * 8 / SLICE, summing, make_float4(sum[0], sum[1], sum[2], sum[3]));
            if (turn == 1) send(to + 4, eight * 8 / SLICE, summing, make_float4(sum[4], sum[5], sum[6], sum[7]));
        }
    }

    // An element by each thread.
    __device__ void leave(float* to, float added, unsigned cluster, unsigned rank) {
        summing.wait(0);
        if (threadIdx.x >= SLICE) return;
        int element = rank * SLICE + threadIdx.x;
        float sum = cluster == 0 ? stream.x[element] + added : 0.0f;
        for (int block = 0; block < CLUSTER; block++) sum += sums[block][threadIdx.x];
        to[cluster * D + element] = sum;
    }
};

// Layer normalisation, the wide layer with GELU, and back: each cluster has a sixteenth of the wide layer and leaves what that adds to the
// stream; the first one adds the stream itself and the bias. `down` has a row for each input.
template <int D, int PARTS>
__global__ __launch_bounds__(THREADS, 2) void feed_forward(const __half* up, const __half* up_bias, const __half* down, const __half* down_bias,
                                                           const __half* gain, const __half* bias, const float* parts, float* sums) {
    extern __shared__ __align__(128) unsigned char shared[];
    using Block = FeedForward<D, PARTS>;
    static_assert(sizeof(Block) <= feed_forward_bytes(D));
    Block& s = *reinterpret_cast<Block*>(shared);
    unsigned rank = rank_in_cluster(), cluster = blockIdx.x / CLUSTER;
    if (threadIdx.x == 0) {
        s.begin();
        s.fetch_weights(up, down, gain, bias);
    }
    __syncthreads();
    float bias_of_row = 0.0f, added = 0.0f;
    if (threadIdx.x < Block::HIDDEN) bias_of_row = one_half(up_bias + blockIdx.x * Block::HIDDEN + threadIdx.x);
    if (threadIdx.x < Block::SLICE && cluster == 0) added = one_half(down_bias + rank * Block::SLICE + threadIdx.x);
    meet_cluster();
    wait_for_the_kernels_before();
    let_the_next_kernel_begin();

    s.stream.gather(parts, rank);
    s.fetch.wait(0);
    s.widen_stream(bias_of_row);
    s.narrow(rank);
    s.leave(sums, added, cluster, rank);
}
