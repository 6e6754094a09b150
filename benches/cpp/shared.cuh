// What the hand-written programs have in common: errors, times, rows, and WHILE nodes.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

static void check(cudaError_t result, const char* file, int line) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(result));
  std::exit(1);
}
#define CHECK(call) check(call, __FILE__, __LINE__)

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) { return std::chrono::duration<double, std::micro>(Clock::now() - start).count(); }

// The middle value; of an even number, the upper one of the two.
static double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// How long launches take, one behind the other: until each returns, and until all of it is over.
static void time_launches(cudaStream_t stream, int count, std::vector<double>& cpu, std::vector<double>& end,
                          const std::function<void()>& launch) {
  for (int k = 0; k < count; k++) {
    auto start = Clock::now();
    launch();
    cpu.push_back(since(start));
    CHECK(cudaStreamSynchronize(stream));
    end.push_back(since(start));
  }
}

// A measurement as a line of JSON, with the keys of the Rust programs.
struct Row {
  std::string text;
  Row(const char* bench, const std::string& what, const std::string& how)
      : text("{\"bench\": \"" + std::string(bench) + "\", \"case\": \"" + what + "\", \"how\": \"" + how + "\"") {}
  Row& figure(const char* name, double value) {
    char digits[64];
    std::snprintf(digits, sizeof digits, ", \"%s\": %.3f", name, value);
    text += digits;
    return *this;
  }
  void print(bool ok) const {
    std::printf("%s, \"ok\": %s}\n", text.c_str(), ok ? "true" : "false");
    std::fflush(stdout);
  }
};

static cudaStream_t new_stream() {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

template <typename T>
static T* device_memory(size_t count) {
  T* memory;
  CHECK(cudaMalloc(&memory, count * sizeof(T)));
  CHECK(cudaMemset(memory, 0, count * sizeof(T)));
  return memory;
}

// What `work` puts into the stream, as nodes of a graph.
static void record(cudaGraph_t into, cudaStream_t stream, const std::function<void()>& work) {
  CHECK(cudaStreamBeginCaptureToGraph(stream, into, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
  work();
  CHECK(cudaStreamEndCapture(stream, &into));
}

// A WHILE node with an empty body, behind the only node of a graph.
static cudaGraph_t add_while(cudaGraph_t graph, cudaGraphConditionalHandle more) {
  cudaGraphNode_t first;
  size_t count = 1;
  CHECK(cudaGraphGetNodes(graph, &first, &count));
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = more;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  cudaGraphNode_t node;
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphAddNode(&node, graph, &first, nullptr, count, &params));
#else
  CHECK(cudaGraphAddNode(&node, graph, &first, count, &params));
#endif
  return params.conditional.phGraph_out[0];
}

static cudaGraphExec_t instantiate(cudaGraph_t graph) {
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  return exec;
}
