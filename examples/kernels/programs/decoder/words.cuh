// From the stream to logits and tokens, and back.
#pragma once
#include "choice.cuh"
#include "stream.cuh"

constexpr int ROWS = 2;    // rows that a warp multiplies at once
constexpr int STAGES = 3;  // how often it has fetched so many ahead

// The best of a block, of which each thread of a warp has that of the warp.
static __device__ void leave_best(float best, unsigned word, float* bests, unsigned* best_words) {
    __shared__ float of_warps[WARPS];
    __shared__ unsigned words_of_warps[WARPS];
    int warp = threadIdx.x / 32;
    of_warps[warp] = best, words_of_warps[warp] = word;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int i = 1; i < WARPS; i++) take_better(best, word, of_warps[i], words_of_warps[i]);
    bests[blockIdx.x] = best, best_words[blockIdx.x] = word;
}

// How often the 32 threads of a warp, eight elements each, go over a vector, and which element a thread's eight begin at.
template <int D>
constexpr int TURNS = (D + 255) / 256;

static __device__ int first_of(int turn) {
    return turn * 256 + threadIdx.x % 32 * 8;
}

// A block's shared memory: for each warp a ring of rows that are on their way.
template <int D, int PARTS>
struct Unembed {
    __half rows[WARPS][STAGES][ROWS][D];
    alignas(16) __half gain[D];
    alignas(16) __half bias[D];
    alignas(16) float x[D];
    Arrival norm, stages[WARPS][STAGES];

    __device__ void begin(const __half* gain_, const __half* bias_) {
        int warp = threadIdx.x / 32;
        if (threadIdx.x % 32 == 0)
            for (int stage = 0; stage < STAGES; stage++) stages[warp][stage].begin();
        if (threadIdx.x != 0) return;
        norm.begin();
        norm.expect(sizeof(gain) + sizeof(bias));
        norm.copy(gain, gain_, sizeof(gain));
        norm.copy(bias, bias_, sizeof(bias));
    }

    // The rows from `row` on, by the first thread of a warp.
    __device__ void fetch(const __half* wte, unsigned row, unsigned words, int stage) {
        int warp = threadIdx.x / 32;
        if (threadIdx.x % 32 != 0 || row >= words) return;
        unsigned bytes = min(ROWS, words - row) * D * sizeof(__half);
        stages[warp][stage].expect(bytes);
        stages[warp][stage].copy(rows[warp][stage], wte + (size_t)row * D, bytes);
    }

    // The normalised stream: all of it in each block, and in each warp the elements of each thread.
    __device__ void normalise(const float* parts, float (&y)[TURNS<D>][8]) {
        for (int at = threadIdx.x * 4; at < D; at += THREADS * 4) {
            float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
            for (int part = 0; part < PARTS; part++) {
                float4 v = *reinterpret_cast<const float4*>(parts + part * D + at);
                sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
            }
            *reinterpret_cast<float4*>(&x[at]) = sum;
        }
        __syncthreads();
        float sum = 0.0f, squares = 0.0f;
        for (int i = threadIdx.x % 32; i < D; i += 32) sum += x[i];
        float mean = sum_over<32>(sum) / D;
        for (int i = threadIdx.x % 32; i < D; i += 32) squares = fmaf(x[i] - mean, x[i] - mean, squares);
        Norm of_all(mean, sum_over<32>(squares) / D);
        norm.wait(0);
#pragma unroll
        for (int turn = 0; turn < TURNS<D>; turn++)
            if (first_of(turn) < D) of_all.apply(x, gain, bias, first_of(turn), y[turn]);
    }

    // This thread's share of the product of a row and that.
    __device__ float share(const __half (&row)[D], const float (&y)[TURNS<D>][8]) const {
        float sum = 0.0f;
#pragma unroll
        for (int turn = 0; turn < TURNS<D>; turn++)
            if (first_of(turn) < D) sum = dot(*reinterpret_cast<const uint4*>(&row[first_of(turn)]), y[turn], sum);
        return sum;
    }
};

// The last layer normalisation and the logits; each block leaves its best one. The next position is that of the next pass.
template <int D, int PARTS>
__global__ __launch_bounds__(THREADS, 1) void unembed(const __half* wte, const __half* gain, const __half* bias, const float* parts, float* logits,
                                                      float* bests, unsigned* best_words, unsigned* position, unsigned words, unsigned blocks, unsigned length) {
    extern __shared__ __align__(128) unsigned char shared[];
    static_assert(sizeof(Unembed<D, PARTS>) <= unembed_bytes(D));
    Unembed<D, PARTS>& s = *reinterpret_cast<Unembed<D, PARTS>*>(shared);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned step = blocks * WARPS * ROWS, row = (blockIdx.x * WARPS + warp) * ROWS;
    s.begin(gain, bias);
    for (int stage = 0; stage < STAGES; stage++) s.fetch(wte, row + stage * step, words, stage);
    __syncthreads();
    wait_for_the_kernels_before();
    float y[TURNS<D>][8], best = -__int_as_float(0x7f800000);
    unsigned word = ~0u;
    s.normalise(parts, y);
    let_the_next_kernel_begin();
    if (blockIdx.x == 0 && threadIdx.x == 0) *position = min(*position, length - 1) + 1;
    int stage = 0, phase = 0;
    for (; row < words; row += step) {
        s.stages[warp][stage].wait(phase);
        float sums[ROWS];
#pragma unroll
        for (int i = 0; i < ROWS; i++) sums[i] = s.share(s.rows[warp][stage][i], y);
        __syncwarp();
        s.fetch(wte, row + STAGES * step, words, stage);
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            float sum = sum_over<32>(sums[i]);
            if (row + i < words) {
                take_better(best, word, sum, row + i);
                if (lane == i) logits[row + i] = sum;
            }
        }
        if (++stage == STAGES) stage = 0, phase ^= 1;
    }
    leave_best(best, word, bests, best_words);
}

// As if the token at `position` had just been found.
static __global__ void resume(const unsigned* tokens, const unsigned* position, float* bests, unsigned* best_words, unsigned blocks, unsigned length) {
    for (unsigned i = threadIdx.x; i < blocks; i += THREADS) {
        bests[i] = 0.0f;
        best_words[i] = tokens[min(*position, length - 1)];
    }
}

// The token behind the last that was read.
static __global__ void pick(const float* bests, const unsigned* best_words, unsigned* tokens, const unsigned* position, unsigned prompt, unsigned eos,
                            unsigned blocks, unsigned length) {
    Choice choice(bests, best_words, blocks, tokens, *position, prompt, eos, length);
    if (threadIdx.x == 0) choice.keep(tokens);
}
