// Half-precision weights times single-precision activations, and sums over threads.
#pragma once
#include <cuda_fp16.h>

// Eight numbers of half precision, here and now: the compiler does not move it. They are read once, so the nearest cache need not keep them.
static __device__ uint4 eight_halves(const __half* at) {
    uint4 v;
    asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(at));
    return v;
}

static __device__ float4 four_halves(const __half* at) {
    uint2 v;
    asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(v.x), "=r"(v.y) : "l"(at));
    float2 low = __half22float2(*reinterpret_cast<const __half2*>(&v.x)), high = __half22float2(*reinterpret_cast<const __half2*>(&v.y));
    return make_float4(low.x, low.y, high.x, high.y);
}

static __device__ float one_half(const __half* at) {
    unsigned short bits;
    asm volatile("ld.global.u16 %0, [%1];" : "=h"(bits) : "l"(at));
    return __half2float(__ushort_as_half(bits));
}

static __device__ void widen(uint4 halves, float (&x)[8]) {
    const __half2* pairs = reinterpret_cast<const __half2*>(&halves);
    for (int i = 0; i < 4; i++) {
        float2 pair = __half22float2(pairs[i]);
        x[2 * i] = pair.x;
        x[2 * i + 1] = pair.y;
    }
}

static __device__ unsigned narrow(float a, float b) {
    __half2 pair = __floats2half2_rn(a, b);
    return *reinterpret_cast<const unsigned*>(&pair);
}

static __device__ float dot(uint4 w, const float (&x)[8], float sum) {
    float wide[8];
    widen(w, wide);
    for (int i = 0; i < 8; i++) sum = fmaf(wide[i], x[i], sum);
    return sum;
}

// Over `WIDTH` neighbouring threads; each gets the sum.
template <int WIDTH>
static __device__ float sum_over(float value) {
    for (int step = WIDTH / 2; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
    return value;
}

// By the approximation with `tanh`: half of 1 + tanh(u) is 1 / (1 + exp(-2 u)).
static __device__ float gelu(float x) {
    return __fdividef(x, 1.0f + __expf(-1.5957691f * (x + 0.044715f * x * x * x)));
}
