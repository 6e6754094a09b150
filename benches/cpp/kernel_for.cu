// What bandwidth the device gives, and conjugate gradients written by hand: the C++ side of `kernel_for`.
//
//   nvcc -O3 -std=c++17 -arch=native kernel_for.cu -o kernel-for-cpp
//
// The same systems, sizes and stop rule as the Rust program: a five-point Laplacian in CSR form in single precision. Each pass of the
// solver is one graph with a WHILE node, whose body has a kernel for each step that needs one: dot products ride on the kernel that
// makes their operands, by atomics; the last kernel decides. Prints one JSON object per measurement.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t result, int line) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "kernel_for.cu:%d: %s\n", line, cudaGetErrorString(result));
  std::exit(1);
}
#define CHECK(call) check(call, __LINE__)

using Clock = std::chrono::steady_clock;

template <typename Work>
static double median_of(int count, Work work) {
  work();
  std::vector<double> times;
  for (int k = 0; k < count; k++) {
    auto start = Clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + count / 2, times.end());
  return times[count / 2];
}

static void print(const char* what, size_t elements, double moved, double micros) {
  std::printf("{\"program\":\"cpp\",\"what\":\"%s\",\"elements\":%zu,\"time\":%.3f,\"bandwidth\":%.1f}\n", what, elements, micros,
              moved / micros / 1e3);
}

__global__ void axpy(float a, const float4* x, float4* y, size_t groups) {
  size_t g = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (g >= groups) return;
  float4 u = x[g], v = y[g];
  v.x += a * u.x;
  v.y += a * u.y;
  v.z += a * u.z;
  v.w += a * u.w;
  y[g] = v;
}

// Only reads: what a sum cannot be faster than.
__global__ void read_all(const float4* x, float* out, size_t groups) {
  float4 s = make_float4(0, 0, 0, 0);
  size_t stride = size_t(gridDim.x) * blockDim.x;
#pragma unroll 4
  for (size_t g = blockIdx.x * size_t(blockDim.x) + threadIdx.x; g < groups; g += stride) {
    float4 v = x[g];
    s.x += v.x;
    s.y += v.y;
    s.z += v.z;
    s.w += v.w;
  }
  float t = s.x + s.y + s.z + s.w;
  if (t == 0.123f) *out = t;
}

static void bandwidths(size_t elements, cudaStream_t stream) {
  float *x, *y;
  size_t bytes = elements * sizeof(float);
  CHECK(cudaMalloc(&x, bytes));
  CHECK(cudaMalloc(&y, bytes));
  CHECK(cudaMemset(x, 0, bytes));
  CHECK(cudaMemset(y, 0, bytes));
  size_t groups = elements / 4;
  auto ten = [&](auto work) {
    return [&, work] {
      for (int pass = 0; pass < 10; pass++) work();
      CHECK(cudaStreamSynchronize(stream));
    };
  };
  double moved = 10.0 * bytes;
  auto run_axpy = [&] { axpy<<<unsigned((groups + 255) / 256), 256, 0, stream>>>(0.5f, (float4*)x, (float4*)y, groups); };
  print("axpy", elements, 3 * moved, median_of(20, ten(run_axpy)));
  auto run_copy = [&] { CHECK(cudaMemcpyAsync(y, x, bytes, cudaMemcpyDeviceToDevice, stream)); };
  print("copy", elements, 2 * moved, median_of(20, ten(run_copy)));
  auto run_read = [&] { read_all<<<1056, 256, 0, stream>>>((float4*)x, y, groups); };
  print("read", elements, moved, median_of(20, ten(run_read)));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
}

struct State {
  float rr, fresh, pq, tolerance;
  unsigned passes;
};

__device__ float block_sum(float value) {
  for (int distance = 16; distance; distance /= 2) value += __shfl_down_sync(~0u, value, distance);
  __shared__ float warps[8];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < 8 ? warps[threadIdx.x] : 0;
    for (int distance = 4; distance; distance /= 2) value += __shfl_down_sync(~0u, value, distance);
  }
  return value;
}

__global__ void begin(const float* b, float* x, float* r, float* p, State* s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0;
  if (i < n) {
    x[i] = 0;
    v = b[i];
    r[i] = p[i] = v;
  }
  v = block_sum(v * v);
  if (threadIdx.x == 0) atomicAdd(&s->rr, v);
}

__global__ void first(State* s, cudaGraphConditionalHandle more) {
  s->passes = 0;
  cudaGraphSetConditional(more, s->rr > s->tolerance);
}

__global__ void multiply(const float* value, const unsigned* column, const unsigned* row, const float* p, float* q, State* s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float dot = 0;
  if (i < n) {
    float sum = 0;
    for (unsigned k = row[i]; k < row[i + 1]; k++) sum += value[k] * p[column[k]];
    q[i] = sum;
    dot = sum * p[i];
  }
  dot = block_sum(dot);
  if (threadIdx.x == 0) atomicAdd(&s->pq, dot);
}

__global__ void advance(float* x, float* r, const float* p, const float* q, State* s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float alpha = s->rr / s->pq, dot = 0;
  if (i < n) {
    x[i] += alpha * p[i];
    float v = r[i] - alpha * q[i];
    r[i] = v;
    dot = v * v;
  }
  dot = block_sum(dot);
  if (threadIdx.x == 0) atomicAdd(&s->fresh, dot);
}

__global__ void turn(float* p, const float* r, const State* s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = r[i] + s->fresh / s->rr * p[i];
}

__global__ void decide(State* s, cudaGraphConditionalHandle more) {
  s->rr = s->fresh;
  s->fresh = s->pq = 0;
  s->passes++;
  cudaGraphSetConditional(more, s->rr > s->tolerance && s->passes < 10000);
}

static void solve(int side, cudaStream_t stream) {
  int n = side * side;
  std::vector<float> value, ones(n, 1.0f);
  std::vector<unsigned> column, row{0};
  for (int i = 0; i < side; i++)
    for (int j = 0; j < side; j++) {
      auto put = [&](bool inside, int at, float factor) {
        if (!inside) return;
        value.push_back(factor);
        column.push_back(unsigned(at));
      };
      int at = i * side + j;
      put(i > 0, at - side, -1);
      put(j > 0, at - 1, -1);
      put(true, at, 4);
      put(j + 1 < side, at + 1, -1);
      put(i + 1 < side, at + side, -1);
      row.push_back(unsigned(column.size()));
    }
  auto upload = [](const auto& from) {
    void* to;
    CHECK(cudaMalloc(&to, from.size() * sizeof(from[0])));
    CHECK(cudaMemcpy(to, from.data(), from.size() * sizeof(from[0]), cudaMemcpyHostToDevice));
    return to;
  };
  float *v = (float*)upload(value), *b = (float*)upload(ones), *x = (float*)upload(ones), *r = (float*)upload(ones);
  float *p = (float*)upload(ones), *q = (float*)upload(ones);
  unsigned *c = (unsigned*)upload(column), *w = (unsigned*)upload(row);
  std::vector<State> start{{0, 0, 0, 1e-4f * n, 0}};
  State* s = (State*)upload(start);
  State* clean = (State*)upload(start);

  cudaGraph_t graph, body;
  cudaGraphConditionalHandle more;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&more, graph, 0, 0));
  int blocks = (n + 255) / 256;
  auto record = [&](cudaGraph_t into, auto work) {
    CHECK(cudaStreamBeginCaptureToGraph(stream, into, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
    work();
    CHECK(cudaStreamEndCapture(stream, &into));
  };
  record(graph, [&] {
    CHECK(cudaMemcpyAsync(s, clean, sizeof(State), cudaMemcpyDeviceToDevice, stream));
    begin<<<blocks, 256, 0, stream>>>(b, x, r, p, s, n);
    first<<<1, 1, 0, stream>>>(s, more);
  });
  cudaGraphNode_t leaf, nodes[8], loop;
  size_t count = 8;
  CHECK(cudaGraphGetNodes(graph, nodes, &count));
  leaf = nodes[0];
  for (size_t k = 0; k < count; k++) {
    size_t behind = 0;
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphNodeGetDependentNodes(nodes[k], nullptr, nullptr, &behind));
#else
    CHECK(cudaGraphNodeGetDependentNodes(nodes[k], nullptr, &behind));
#endif
    if (behind == 0) leaf = nodes[k];
  }
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = more;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphAddNode(&loop, graph, &leaf, nullptr, 1, &params));
#else
  CHECK(cudaGraphAddNode(&loop, graph, &leaf, 1, &params));
#endif
  body = params.conditional.phGraph_out[0];
  record(body, [&] {
    multiply<<<blocks, 256, 0, stream>>>(v, c, w, p, q, s, n);
    advance<<<blocks, 256, 0, stream>>>(x, r, p, q, s, n);
    turn<<<blocks, 256, 0, stream>>>(p, r, s, n);
    decide<<<1, 1, 0, stream>>>(s, more);
  });
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  double micros = median_of(10, [&] {
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
  });
  State end;
  CHECK(cudaMemcpy(&end, s, sizeof end, cudaMemcpyDeviceToHost));
  std::printf("{\"program\":\"cpp\",\"what\":\"cg\",\"side\":%d,\"passes\":%u,\"time\":%.3f,\"pass\":%.3f}\n", side, end.passes, micros,
              micros / end.passes);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  for (void* memory : {(void*)v, (void*)b, (void*)x, (void*)r, (void*)p, (void*)q, (void*)c, (void*)w, (void*)s, (void*)clean})
    CHECK(cudaFree(memory));
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (size_t elements : {size_t(1) << 20, size_t(1) << 24, size_t(1) << 28}) bandwidths(elements, stream);
  for (int side : {128, 512, 1024}) solve(side, stream);
}
