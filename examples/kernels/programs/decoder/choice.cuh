// Which word a token is.
#pragma once
#include "arithmetic.cuh"

// The larger of two; of equal ones the word that comes first.
static __device__ void take_better(float& best, unsigned& word, float other, unsigned from) {
    if (other > best || (other == best && from < word)) best = other, word = from;
}

// The same over a warp. Every thread gets the word.
static __device__ unsigned best_of_warp(float best, unsigned word) {
    unsigned bits = __float_as_uint(best), ascending = bits >> 31 ? ~bits : bits | 1u << 31;
    unsigned highest = __reduce_max_sync(~0u, ascending);
    return __reduce_min_sync(~0u, ascending == highest ? word : ~0u);
}

// The token at a position: that of the prompt, the end behind the end, or the best of what the blocks of `unembed` have found. Each warp
// finds it for itself.
struct Choice {
    unsigned at, word;
    bool is_new;

    __device__ Choice(const float* bests, const unsigned* best_words, unsigned blocks, const unsigned* tokens, unsigned position, unsigned prompt, unsigned eos,
                      unsigned length)
        : at(min(position, length - 1)), word(~0u), is_new(position >= prompt && position < length) {
        float best = -__int_as_float(0x7f800000);
        for (unsigned i = threadIdx.x % 32; i < blocks; i += 32) take_better(best, word, bests[i], best_words[i]);
        word = best_of_warp(best, word);
        if (!is_new) word = tokens[at];
        if (is_new && at > prompt && tokens[at - 1] == eos) word = eos;
    }

    // By one thread.
    __device__ void keep(unsigned* tokens) const {
        if (is_new) tokens[at] = word;
    }
};
