// The attention part of a transformer layer: a cluster for each head.
#pragma once
#include "attention.cuh"
#include "choice.cuh"
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

    // The barriers, and the weights on their way.
    __device__ void begin(const __half* qkv, const __half* out_, const __half* out_bias, const __half* gain_, const __half* bias_, unsigned head,
                          unsigned rank) {
        if (threadIdx.x == 0) {
            stream.begin();
            freshness.begin();
            freshness.expect(sizeof(fresh));
            mixture.begin();
            mixture.expect(CLUSTER * (HEAD + 2) * sizeof(float));
            fetch.begin();
            fetch.expect(sizeof(rows) + sizeof(gain) + sizeof(bias) + sizeof(added));
        }
        __syncthreads();
        if (threadIdx.x < 32) fetch_weights(qkv, out_bias, gain_, bias_, head, rank);
        constexpr int PIECES = HEAD / 8;
        for (int i = threadIdx.x; i < SLICE * PIECES; i += THREADS) {
            int row = i / PIECES, at = i % PIECES * 8;
            copy_sixteen(&out[row][at], out_ + (size_t)(rank * SLICE + row) * D + head * HEAD + at);
        }
    }

    // By one warp.
    __device__ void fetch_weights(const __half* qkv, const __half* out_bias, const __half* gain_, const __half* bias_, unsigned head, unsigned rank) {
        int lane = threadIdx.x % 32;
        if (lane < 3) fetch.copy(rows[lane * EACH], qkv + (size_t)(lane * D + head * HEAD + rank * EACH) * D, EACH * D * sizeof(__half));
        if (lane == 3) fetch.copy(gain, gain_, sizeof(gain));
        if (lane == 4) fetch.copy(bias, bias_, sizeof(bias));
        if (lane == 5) fetch.copy(added, out_bias + rank * SLICE, sizeof(added));
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

    // Eight elements of this position's key or value, which half precision holds.
    __device__ uint4 kept(int which) const {
        const float* v = &fresh[which][threadIdx.x % 8 * 8];
        return make_uint4(narrow(v[0], v[1]), narrow(v[2], v[3]), narrow(v[4], v[5]), narrow(v[6], v[7]));
    }

    // What the groups of this block have seen, for all blocks.
    __device__ void share(Seen& seen, unsigned rank) {
        int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        seen.join();
        if (lane < 8) {
            for (int i = 0; i < 8; i++) warps[warp].mixed[lane * 8 + i] = seen.mixed[i];
            if (lane == 0) warps[warp].highest = seen.highest, warps[warp].total = seen.total;
        }
        __syncthreads();
        constexpr int QUADS = HEAD / 4;
        if (threadIdx.x < CLUSTER * QUADS) {  // four elements for one block
            int to = threadIdx.x / QUADS, first = threadIdx.x % QUADS * 4;
            float highest, total;
            float4 four = mix(warps, first, highest, total);
            send(&blocks[rank].mixed[first], to, mixture, four);
            if (first == 0) send(&blocks[rank].highest, to, mixture, make_float2(highest, total));
        }
    }

    // What all blocks have seen.
    __device__ void join() {
        mixture.wait(0);
        if (threadIdx.x < HEAD / 4) {
            float highest, total;
            float4 four = mix(blocks, threadIdx.x * 4, highest, total);
            float each = 1.0f / total;
            *reinterpret_cast<float4*>(&mixed[threadIdx.x * 4]) = make_float4(four.x * each, four.y * each, four.z * each, four.w * each);
        }
        wait_for_own_copies();
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

    // What the stream comes to: query, key and value, attention, and the projection.
    __device__ void pass(Past past, uint4 key, uint4 value, float bias_of_row, unsigned at, float* sums, unsigned head, unsigned rank) {
        int part = threadIdx.x % 8;
        fetch.wait(0);
        project(bias_of_row, past.keys + (size_t)at * HEAD, past.values + (size_t)at * HEAD, rank);
        freshness.wait(0);
        float query[8];
        for (int i = 0; i < 8; i++) query[i] = fresh[0][part * 8 + i] * 0.125f;
        uint4 own[2] = {kept(1), kept(2)};
        Seen seen;
        look_back(past, key, value, own, query, rank, at, seen);
        share(seen, rank);
        join();
        leave(sums, head, rank);
    }
};

// Which element of query, key and value of all heads a thread's row of a block is.
static __device__ unsigned row_of_all(unsigned d, unsigned head, unsigned rank) {
    constexpr unsigned EACH = HEAD / CLUSTER;
    unsigned row = threadIdx.x % (3 * EACH);
    return row / EACH * d + head * HEAD + rank * EACH + row % EACH;
}

// Layer normalisation, query, key and value, attention, and the projection. Each head leaves what it adds to the stream; the first one adds
// the stream itself and the bias.
template <int D, int PARTS>
__global__ __launch_bounds__(THREADS, 2) void attend(const __half* qkv, const __half* qkv_bias, const __half* out, const __half* out_bias, const __half* gain,
                                                     const __half* bias, const float* parts, __half* keys, __half* values, const unsigned* position,
                                                     float* sums, unsigned length) {
    extern __shared__ __align__(128) unsigned char shared[];
    using Block = Attend<D, PARTS>;
    static_assert(sizeof(Block) <= attend_bytes(D));
    Block& s = *reinterpret_cast<Block*>(shared);
    unsigned rank = rank_in_cluster(), head = blockIdx.x / CLUSTER;
    s.begin(qkv, out, out_bias, gain, bias, head, rank);
    unsigned at = min(*(const volatile unsigned*)position, length - 1), first = first_position(rank, threadIdx.x / 8);
    Past past(keys, values, head, length);
    uint4 key = make_uint4(0, 0, 0, 0), value = key;
    if (first < at) past.read(first, key, value);
    float bias_of_row = one_half(qkv_bias + row_of_all(D, head, rank));
    meet_cluster();
    wait_for_the_kernels_before();
    let_the_next_kernel_begin();

    s.stream.gather(parts, rank);
    s.pass(past, key, value, bias_of_row, at, sums, head, rank);
}

// The same at the beginning of a pass, where the stream is that of a word: what the pass before has found, or the prompt has. It is kept.
template <int D>
__global__ __launch_bounds__(THREADS, 2) void attend_word(const __half* qkv, const __half* qkv_bias, const __half* out, const __half* out_bias,
                                                          const __half* gain, const __half* bias, const __half* wte, const __half* wpe, const float* bests,
                                                          const unsigned* best_words, unsigned* tokens, unsigned* token, __half* keys, __half* values,
                                                          const unsigned* position, float* sums, unsigned prompt, unsigned eos, unsigned blocks,
                                                          unsigned words, unsigned length) {
    extern __shared__ __align__(128) unsigned char shared[];
    using Block = Attend<D, 1>;
    static_assert(sizeof(Block) <= attend_bytes(D));
    Block& s = *reinterpret_cast<Block*>(shared);
    unsigned rank = rank_in_cluster(), head = blockIdx.x / CLUSTER, first = first_position(rank, threadIdx.x / 8);
    s.begin(qkv, out, out_bias, gain, bias, head, rank);
    Past past(keys, values, head, length);
    uint4 key = make_uint4(0, 0, 0, 0), value = key;
    if (first < length) past.read(first, key, value);  // how many there are is not known yet
    float bias_of_row = one_half(qkv_bias + row_of_all(D, head, rank));
    meet_cluster();
    wait_for_the_kernels_before();

    Choice choice(bests, best_words, blocks, tokens, *position, prompt, eos, length);
    s.stream.embed(wte, wpe, min(choice.word, words - 1), choice.at);
    let_the_next_kernel_begin();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        choice.keep(tokens);
        *token = choice.word;
    }
    s.pass(past, key, value, bias_of_row, choice.at, sums, head, rank);
}
