// The attention part of a transformer layer: a cluster for each head.
#pragma once
#include "attention.cuh"
#include "stream.cuh"

// A block's shared memory, and its share of the head: an eighth of query, key and value, of the positions, and of the projection.
template <int D, int PARTS>
struct Attend {
    static constexpr int EACH = HEAD / CLUSTER, SLICE = D / CLUSTER;
    __half rows[3 * EACH][D];
    __half out[SLICE][HEAD];
    alignas(16) __half gain[D];
    alignas(16) __half bias[D];
    alignas(16) __half added[SLICE];
    Stream<D, PARTS> stream;
    Product<D, 3 * EACH> product;
    alignas(16) float fresh[3][HEAD];  // query, key and value of this position
    Mixed warps[WARPS], blocks[CLUSTER];
    alignas(16) float mixed[HEAD];
    Arrival fetch, freshness, mixture;

    __device__ void begin() {
        stream.begin();
        freshness.begin();
        freshness.expect(sizeof(fresh));
        mixture.begin();
        mixture.expect(CLUSTER * (HEAD + 2) * sizeof(float));
        fetch.begin();
        fetch.expect(sizeof(rows) + sizeof(out) + sizeof(gain) + sizeof(bias) + sizeof(added));
    }

    // By one warp.
    __device__ void fetch_weights(const __half* qkv, const __half* out_, const __half* out_bias, const __half* gain_, const __half* bias_, unsigned head,
                                  unsigned rank) {
        int lane = threadIdx.x % 32;
        if (lane < 3) fetch.copy(rows[lane * EACH], qkv + (size_t)(lane * D + head * HEAD + rank * EACH) * D, EACH * D * sizeof(__half));
        if (lane == 3) fetch.copy(gain, gain_, sizeof(gain));
        if (lane == 4) fetch.copy(bias, bias_, sizeof(bias));
        if (lane == 5) fetch.copy(added, out_bias + rank * SLICE, sizeof(added));
        for (int row = lane; row < SLICE; row += 32) fetch.copy(out[row], out_ + (size_t)(rank * SLICE + row) * D + head * HEAD, sizeof(out[row]));
    }

    // An element of query, key or value for one block by each thread; a key and a value as they are kept, in half precision.
    __device__ void project(float bias_of_row, __half* keys, __half* values, unsigned rank) {
        product.add(rows, stream.x, stream.norm(), gain, bias);
        int row = threadIdx.x % (3 * EACH), to = threadIdx.x / (3 * EACH), which = row / EACH, element = rank * EACH + row % EACH;
        if (to >= CLUSTER) return;
        float found = product.of(row) + bias_of_row;
        __half kept = __float2half(found);
        send(&fresh[which][element], to, freshness, which > 0 ? __half2float(kept) : found);
        if (which > 0 && to == 0) (which == 1 ? keys : values)[element] = kept;
    }

    // This position's own key and value, by the first group.
    __device__ void look_at_own(const float (&query)[8], Seen& seen) const {
        int group = threadIdx.x / 8, part = threadIdx.x % 8;
        float score = 0.0f, wide[8];
        for (int i = 0; i < 8; i++) {
            score = fmaf(query[i], fresh[1][part * 8 + i], score);
            wide[i] = fresh[2][part * 8 + i];
        }
        score = sum_over<8>(score);
        seen.add(group == 0 ? score : NOTHING, group == 0 ? 1.0f : 0.0f, wide);
    }

    // What the groups of this block have seen, for all blocks.
    __device__ void share(Seen& seen, unsigned rank, unsigned at) {
        int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        seen.join(8);
        seen.join(16);
        if (lane < 8) {
            for (int i = 0; i < 8; i++) warps[warp].mixed[lane * 8 + i] = seen.mixed[i];
            if (lane == 0) warps[warp].highest = seen.highest, warps[warp].total = seen.total;
        }
        __syncthreads();
        constexpr int QUADS = HEAD / 4;
        if (threadIdx.x < CLUSTER * QUADS) {  // four elements for one block
            int to = threadIdx.x / QUADS, first = threadIdx.x % QUADS * 4;
            float highest, total;
            float4 four = mix(warps, seeing_warps(rank, at), first, highest, total);
            send(&blocks[rank].mixed[first], to, mixture, four);
            if (first == 0) send(&blocks[rank].highest, to, mixture, make_float2(highest, total));
        }
    }

    // What all blocks have seen.
    __device__ void join() {
        mixture.wait(0);
        if (threadIdx.x < HEAD / 4) {
            float highest, total;
            float4 four = mix(blocks, CLUSTER, threadIdx.x * 4, highest, total);
            float each = 1.0f / total;
            *reinterpret_cast<float4*>(&mixed[threadIdx.x * 4]) = make_float4(four.x * each, four.y * each, four.z * each, four.w * each);
        }
        __syncthreads();
    }

    // The projection: a row by each group.
    __device__ void leave(float* sums, unsigned head, unsigned rank) const {
        int group = threadIdx.x / 8, part = threadIdx.x % 8;
        float x[8];
        for (int i = 0; i < 8; i++) x[i] = mixed[part * 8 + i];
        for (int row = group; row < (SLICE + 3) / 4 * 4; row += GROUPS) {
            float sum = sum_over<8>(row < SLICE ? dot(*reinterpret_cast<const uint4*>(&out[row][part * 8]), x, 0.0f) : 0.0f);
            if (part == 0 && row < SLICE) {
                int element = rank * SLICE + row;
                if (head == 0) sum += stream.x[element] + __half2float(added[row]);
                sums[head * D + element] = sum;
            }
        }
    }
};

// Layer normalisation, query, key and value, attention, and the projection. Each head leaves what it adds to the stream; the first one adds
// the stream itself and the bias.
template <int D, int PARTS>
__global__ __launch_bounds__(THREADS, 2) void attend(const __half* qkv, const __half* qkv_bias, const __half* out, const __half* out_bias, const __half* gain,
                                                     const __half* bias, const float* parts, __half* keys, __half* values, const unsigned* position,
                                                     float* sums, unsigned length) {
    extern __shared__ __align__(128) unsigned char shared[];
    using Block = Attend<D, PARTS>;
    static_assert(sizeof(Block) <= attend_bytes(D));
    static_assert(3 * Block::EACH * CLUSTER <= THREADS);
    Block& s = *reinterpret_cast<Block*>(shared);
    int warp = threadIdx.x / 32, part = threadIdx.x % 8;
    unsigned rank = rank_in_cluster(), head = blockIdx.x / CLUSTER;
    if (threadIdx.x == 0) s.begin();
    __syncthreads();
    if (warp == 0) s.fetch_weights(qkv, out, out_bias, gain, bias, head, rank);
    unsigned at = min(*(const volatile unsigned*)position, length - 1), first = first_position(rank, threadIdx.x / 8);
    keys += (size_t)head * length * HEAD, values += (size_t)head * length * HEAD;
    Past past = {keys + part * 8, values + part * 8};
    uint4 key = make_uint4(0, 0, 0, 0), value = key;
    if (first < at) past.read(first, key, value);
    int row = threadIdx.x % (3 * Block::EACH);
    float bias_of_row = one_half(qkv_bias + row / Block::EACH * D + head * HEAD + rank * Block::EACH + row % Block::EACH);
    meet_cluster();
    wait_for_the_kernels_before();

    s.stream.gather(parts, rank);
    let_the_next_kernel_begin();
    s.fetch.wait(0);
    s.project(bias_of_row, keys + (size_t)at * HEAD, values + (size_t)at * HEAD, rank);
    s.freshness.wait(0);
    float query[8];
    for (int i = 0; i < 8; i++) query[i] = s.fresh[0][part * 8 + i] * 0.125f;
    Seen seen;
    look_back(past, key, value, query, rank, at, seen);
    if (rank == 0 && warp == 0) s.look_at_own(query, seen);
    s.share(seen, rank, at);
    s.join();
    s.leave(sums, head, rank);
}
