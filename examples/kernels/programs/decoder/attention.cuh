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

    // What the thread `step` further has seen too.
    __device__ void join(int step) {
        float score = __shfl_xor_sync(~0u, highest, step), weight = __shfl_xor_sync(~0u, total, step);
        float above = fmaxf(highest, score), keep = __expf(highest - above), take = __expf(score - above);
        total = total * keep + weight * take;
        for (int i = 0; i < 8; i++) mixed[i] = mixed[i] * keep + __shfl_xor_sync(~0u, mixed[i], step) * take;
        highest = above;
    }
};

// The same of a warp or of a block.
struct alignas(16) Mixed {
    float mixed[HEAD];
    float highest, total;
    float unused[2];
};

// Of the first `count` of them: the largest score, the sum of the weights, and four elements from `at` on.
static __device__ float4 mix(const Mixed* all, int count, int at, float& highest, float& total) {
    highest = NOTHING, total = 0.0f;
    float4 mixed = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int i = 0; i < count; i++) highest = fmaxf(highest, all[i].highest);
    for (int i = 0; i < count; i++) {
        float weight = __expf(all[i].highest - highest);
        float4 v = *reinterpret_cast<const float4*>(&all[i].mixed[at]);
        total = fmaf(all[i].total, weight, total);
        mixed = make_float4(fmaf(v.x, weight, mixed.x), fmaf(v.y, weight, mixed.y), fmaf(v.z, weight, mixed.z), fmaf(v.w, weight, mixed.w));
    }
    return mixed;
}

// The keys and values of a head, from a thread's eight elements of the first position on.
struct Past {
    const __half *keys, *values;

    __device__ void read(unsigned position, uint4& key, uint4& value) const {
        key = eight_halves(keys + (size_t)position * HEAD);
        value = eight_halves(values + (size_t)position * HEAD);
    }
};

// Positions lie dealt out: to the blocks of the cluster in turn, and within a block to its groups in turn.
static __device__ unsigned first_position(unsigned rank, unsigned group) {
    return group * CLUSTER + rank;
}

// What a group sees of its positions before `at`. The key and the value of the first are there already.
static __device__ void look_back(const Past& past, uint4 key, uint4 value, const float (&query)[8], unsigned rank, unsigned at, Seen& seen) {
    constexpr unsigned STEP = CLUSTER * GROUPS;
    unsigned group = threadIdx.x / 8, position = first_position(rank, group);
    // All groups of a warp turn as often as the first, which turns most.
    for (unsigned first = first_position(rank, group / 4 * 4); first < at; first += STEP, position += STEP) {
        float score = sum_over<8>(dot(key, query, 0.0f)), wide[8];
        widen(value, wide);
        seen.add(position < at ? score : NOTHING, position < at ? 1.0f : 0.0f, wide);
        if (position + STEP < at) past.read(position + STEP, key, value);
    }
}

// How many warps of a block see anything: the first always has something to tell.
static __device__ int seeing_warps(unsigned rank, unsigned at) {
    return at > rank ? min(WARPS, (int)((at - rank + CLUSTER * 4 - 1) / (CLUSTER * 4))) : 1;
}
