// One decoding step of GPT-2 at batch 1: half-precision weights, single-precision activations.
#include <cuda_fp16.h>

static __device__ float sum_of_warp(float value) {
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
    return value;
}

// x = wte[token] + wpe[position]
extern "C" __global__ void embed(const __half* wte, const __half* wpe, const unsigned* tokens, const unsigned* position, float* x, unsigned d, unsigned words, unsigned length) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, at = min(*position, length - 1), token = min(tokens[at], words - 1);
    if (i < d) x[i] = __half2float(wte[token * d + i]) + __half2float(wpe[at * d + i]);
}

// Layer normalisation by one warp.
extern "C" __global__ void normalise(const float* x, const float* gain, const float* bias, float* y, unsigned d) {
    float mean = 0.0f, square = 0.0f;
    for (unsigned i = threadIdx.x; i < d; i += 32) mean += x[i];
    mean = sum_of_warp(mean) / d;
    for (unsigned i = threadIdx.x; i < d; i += 32) square += (x[i] - mean) * (x[i] - mean);
    float scale = 1.0f / sqrtf(sum_of_warp(square) / d + 1e-5f);
    for (unsigned i = threadIdx.x; i < d; i += 32) y[i] = (x[i] - mean) * scale * gain[i] + bias[i];
}

// The product of a row and a vector, by one warp for each row.
static __device__ float row_times(const __half* w, const float* x, unsigned row, unsigned inputs) {
    float sum = 0.0f;
    for (unsigned i = threadIdx.x % 32; i < inputs; i += 32) sum += __half2float(w[row * (size_t)inputs + i]) * x[i];
    return sum_of_warp(sum);
}

static __device__ float gelu(float x) {
    return 0.5f * x * (1.0f + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
}

// y = W x + b, and gelu of that if GELU.
template <int GELU>
__global__ void linear(const __half* w, const __half* b, const float* x, float* y, unsigned inputs, unsigned outputs) {
    unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= outputs) return;
    float sum = row_times(w, x, row, inputs) + __half2float(b[row]);
    if (threadIdx.x % 32 == 0) y[row] = GELU ? gelu(sum) : sum;
}

// y += W x + b
extern "C" __global__ void linear_add(const __half* w, const __half* b, const float* x, float* y, unsigned inputs, unsigned outputs) {
    unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= outputs) return;
    float sum = row_times(w, x, row, inputs) + __half2float(b[row]);
    if (threadIdx.x % 32 == 0) y[row] += sum;
}

// One head for each block of one warp: keeps this position's key and value, then attends to all up to it.
extern "C" __global__ void attend(const float* qkv, float* keys, float* values, const unsigned* position, float* h, unsigned d, unsigned size, unsigned length) {
    unsigned at = min(*position, length - 1), first = blockIdx.x * size, lane = threadIdx.x;
    for (unsigned i = lane; i < size; i += 32) {
        keys[at * d + first + i] = qkv[d + first + i];
        values[at * d + first + i] = qkv[2 * d + first + i];
    }
    __syncwarp();
    float highest = -__int_as_float(0x7f800000), total = 0.0f, own[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (unsigned past = 0; past <= at; past++) {
        float score = 0.0f;
        for (unsigned i = lane; i < size; i += 32) score += qkv[first + i] * keys[past * d + first + i];
        score = sum_of_warp(score) / sqrtf((float)size);
        float above = fmaxf(highest, score), keep = expf(highest - above), weight = expf(score - above);
        total = total * keep + weight;
        for (unsigned i = lane; i < size; i += 32) own[i / 32] = own[i / 32] * keep + weight * values[past * d + first + i];
        highest = above;
    }
    for (unsigned i = lane; i < size; i += 32) h[first + i] = own[i / 32] / total;
}

// The logits: wte times x, by one warp for each word.
extern "C" __global__ void unembed(const __half* wte, const float* x, float* logits, unsigned d, unsigned words) {
    unsigned word = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (word >= words) return;
    float sum = row_times(wte, x, word, d);
    if (threadIdx.x % 32 == 0) logits[word] = sum;
}

// The word with the largest logit becomes the next token; by one warp. Of equal ones the first.
extern "C" __global__ void pick(const float* logits, unsigned* tokens, const unsigned* position, unsigned* token, unsigned words, unsigned length) {
    float best = -__int_as_float(0x7f800000);
    unsigned word = 0;
    for (unsigned i = threadIdx.x; i < words; i += 32)
        if (logits[i] > best) { best = logits[i]; word = i; }
    for (int step = 16; step > 0; step /= 2) {
        float other = __shfl_xor_sync(~0u, best, step);
        unsigned from = __shfl_xor_sync(~0u, word, step);
        if (other > best || (other == best && from < word)) { best = other; word = from; }
    }
    if (threadIdx.x == 0) {
        *token = word;
        if (*position + 1 < length) tokens[*position + 1] = word;
    }
}
