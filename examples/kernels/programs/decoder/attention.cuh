// What attention makes of keys and values, by groups of eight threads that have eight elements of a head each.
#pragma once
#include "arithmetic.cuh"
#include "sizes.cuh"

constexpr int GROUPS = THREADS / 8;
constexpr float NOTHING = -1e30f;  // below every score

// What a thread of a group has seen: the largest score, the sum of the weights, and its eight elements of the weighted values.
struct Seen {
    float highest = NOTHING, total = 0.0f, mixed[8] = {};

    __device__ void add(float score, float weight, const float (&value)[8]) {
        float above = fmaxf(highest, score), keep = __expf(highest - above), take = __expf(score - above) * weight;
        total = total * keep + take;
        for (int i = 0; i < 8; i++) mixed[i] = fmaf(mixed[i], keep, take * value[i]);
        highest = above;
    }

    // What all groups of the warp have seen.
    __device__ void join() {
        float above = fmaxf(highest, __shfl_xor_sync(~0u, highest, 8));
        above = fmaxf(above, __shfl_xor_sync(~0u, above, 16));
        float keep = __expf(highest - above);
        total = sum_of_groups(total * keep);
        for (int i = 0; i < 8; i++) mixed[i] = sum_of_groups(mixed[i] * keep);
        highest = above;
    }

    __device__ static float sum_of_groups(float value) {
        value += __shfl_xor_sync(~0u, value, 8);
        return value + __shfl_xor_sync(~0u, value, 16);
    }
};

// The same of a warp or of a block.
struct alignas(16) Mixed {
    float mixed[HEAD];
    float highest, total;
    float unused[2];
};

// Of all of them: the largest score, the sum of the weights, and four elements from `at` on.
template <int COUNT>
static __device__ float4 mix(const Mixed (&all)[COUNT], int at, float& highest, float& total) {
    highest = NOTHING, total = 0.0f;
    float4 mixed = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
    for (int i = 0; i < COUNT; i++) highest = fmaxf(highest, all[i].highest);
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        float weight = __expf(all[i].highest - highest);
        float4 v = *reinterpret_cast<const float4*>(&all[i].mixed[at]);
        total = fmaf(all[i].total, weight, total);
        mixed = make_float4(fmaf(v.x, weight, mixed.x), fmaf(v.y, weight, mixed.y), fmaf(v.z, weight, mixed.z), fmaf(v.w, weight, mixed.w));
    }
    return mixed;
}

// The keys and values of a head. A thread reads eight elements of a position.
struct Past {
    __half *keys, *values;

    __device__ Past(__half* keys_, __half* values_, unsigned head, unsigned length)
        : keys(keys_ + (size_t)head * length * HEAD), values(values_ + (size_t)head * length * HEAD) {}

    __device__ void read(unsigned position, uint4& key, uint4& value) const {
        size_t from = (size_t)position * HEAD + threadIdx.x % 8 * 8;
        key = eight_halves(keys + from);
        value = eight_halves(values + from);
    }
};

// Positions lie dealt out: to the blocks of the cluster in turn, and within a block to its groups in turn.
static __device__ unsigned first_position(unsigned rank, unsigned group) {
    return group * CLUSTER + rank;
}

// What a group sees of its positions up to `at`, whose key and value are `own`. Those of the first are there already, if it is before.
static __device__ void look_back(const Past& past, uint4 key, uint4 value, const uint4 (&own)[2], const float (&query)[8], unsigned rank, unsigned at,
                                 Seen& seen) {
    constexpr unsigned STEP = CLUSTER * GROUPS;
    unsigned group = threadIdx.x / 8, position = first_position(rank, group);
    if (position == at) key = own[0], value = own[1];
    // All groups of a warp turn as often as the first, which turns most.
    for (unsigned first = first_position(rank, group / 4 * 4); first <= at; first += STEP, position += STEP) {
        float score = sum_over<8>(dot(key, query, 0.0f)), wide[8];
        widen(value, wide);
        seen.add(position <= at ? score : NOTHING, position <= at ? 1.0f : 0.0f, wide);
        if (position + STEP < at) past.read(position + STEP, key, value);
        if (position + STEP == at) key = own[0], value = own[1];
    }
}
