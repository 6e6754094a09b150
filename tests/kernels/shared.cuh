// Included by half.cu, to test that headers beside a kernel file are found.
#pragma once
#include "nested/offset.cuh"
__device__ inline float plus_offset(float x) { return x + OFFSET; }
