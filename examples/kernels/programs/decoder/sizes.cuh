// How the work is divided, and the shared memory that it takes.
#pragma once

constexpr int HEAD = 64;       // elements of a head
constexpr int CLUSTER = 8;     // blocks of a cluster
constexpr int CLUSTERS = 16;   // clusters of `feed_forward`
constexpr int THREADS = 384;
constexpr int WARPS = THREADS / 32;

// Bytes of shared memory for vectors of `d` elements, as `shared.rs` asks for them.
constexpr __host__ __device__ unsigned attend_bytes(unsigned d) { return 82 * d + 9 * 1024; }
constexpr __host__ __device__ unsigned feed_forward_bytes(unsigned d) { return d * d / 128 * 17 + 16 * d + 2 * 1024; }
constexpr __host__ __device__ unsigned unembed_bytes(unsigned d) { return 153 * d + 1024; }
