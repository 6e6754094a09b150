// What it costs the host to change a graph that is instantiated, written by hand: the C++ side of `updates`.
//
//   nvcc -O3 -std=c++17 -arch=native updates.cu -o updates-cpp
//
// A line of 1,000 kernels that add `a` to 256 elements, and one behind them that adds `last`. Each change is followed by a launch;
// afterwards the elements are compared with the sum. Prints one JSON object per change and way; times are medians in microseconds.
#include "shared.cuh"

static const int NODES = 1000;
static const unsigned N = 256;
static const int ROUNDS = 41;

__global__ void add(float* y, float a, unsigned n) {
  if (threadIdx.x < n) y[threadIdx.x] += a;
}

struct Line {
  float* y;
  float a, last;
  int nodes;
};

static cudaKernelNodeParams parameters(void** arguments) {
  cudaKernelNodeParams params = {};
  params.func = (void*)add;
  params.gridDim = dim3(1);
  params.blockDim = dim3(N);
  params.kernelParams = arguments;
  return params;
}

// Node `k` of the line with its arguments, to add or to set.
template <typename Use>
static void each(const Line& line, int from, int to, Use use) {
  for (int k = from; k < to; k++) {
    float* y = line.y;
    float a = k == line.nodes ? line.last : line.a;
    unsigned n = N;
    void* arguments[] = {&y, &a, &n};
    cudaKernelNodeParams params = parameters(arguments);
    use(k, params);
  }
}

struct Built {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  std::vector<cudaGraphNode_t> nodes;
};

static void add_nodes(const Line& line, Built& built) {
  CHECK(cudaGraphCreate(&built.graph, 0));
  built.nodes.assign(line.nodes + 1, nullptr);
  each(line, 0, line.nodes + 1, [&](int k, cudaKernelNodeParams& params) {
    CHECK(cudaGraphAddKernelNode(&built.nodes[k], built.graph, k ? &built.nodes[k - 1] : nullptr, k ? 1 : 0, &params));
  });
}

static void set_nodes(const Line& line, Built& built, int from, int to) {
  each(line, from, to, [&](int k, cudaKernelNodeParams& params) {
    CHECK(cudaGraphExecKernelNodeSetParams(built.exec, built.nodes[k], &params));
  });
}

static cudaGraph_t captured(const Line& line, cudaStream_t stream) {
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int k = 0; k < line.nodes; k++) add<<<1, N, 0, stream>>>(line.y, line.a, N);
  add<<<1, N, 0, stream>>>(line.y, line.last, N);
  CHECK(cudaStreamEndCapture(stream, &graph));
  return graph;
}

static void update_from(Built& built, cudaGraph_t other) {
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(built.exec, other, &info));
}

static bool adds_up(const Line& line, const Built& built, cudaStream_t stream) {
  CHECK(cudaMemsetAsync(line.y, 0, N * sizeof(float), stream));
  CHECK(cudaGraphLaunch(built.exec, stream));
  std::vector<float> values(N);
  CHECK(cudaMemcpyAsync(values.data(), line.y, N * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  float expected = float(line.nodes) * line.a + line.last;
  return std::all_of(values.begin(), values.end(), [=](float value) { return value == expected; });
}

// `prepare` says what the line becomes, `change` makes it so: of nothing if it is made anew.
static void measure(cudaStream_t stream, const char* what, const char* how, const std::function<void(Line&, int)>& prepare,
                    const std::function<void(const Line&, Built&)>& change, bool anew = false) {
  float* memory = device_memory<float>(2 * N);
  Line line = {memory, 1, 1, NODES};
  Built built;
  add_nodes(line, built);
  built.exec = instantiate(built.graph);
  CHECK(cudaGraphLaunch(built.exec, stream));
  std::vector<double> changes, launches, both;
  bool ok = true;
  for (int round = 1; round <= ROUNDS; round++) {
    CHECK(cudaStreamSynchronize(stream));
    line.y = memory;
    prepare(line, round);
    if (anew) {
      CHECK(cudaGraphExecDestroy(built.exec));
      CHECK(cudaGraphDestroy(built.graph));
    }
    auto start = Clock::now();
    change(line, built);
    double took = since(start);
    start = Clock::now();
    CHECK(cudaGraphLaunch(built.exec, stream));
    double launch = since(start);
    if (round > 1) {
      changes.push_back(took);
      launches.push_back(launch);
      both.push_back(took + launch);
    }
    if (round % 10 == 1) ok = adds_up(line, built, stream) && ok;
  }
  Row("updates", what, how).figure("change", median(changes)).figure("launch", median(launches)).figure("both", median(both)).print(ok);
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGraphExecDestroy(built.exec));
  CHECK(cudaGraphDestroy(built.graph));
  CHECK(cudaFree(memory));
}

int main() {
  cudaStream_t stream = new_stream();
  auto one = [](Line& line, int round) { line.last = float(round); };
  auto value = [](Line& line, int round) { line.a = float(round); };
  auto pointer = [](Line& line, int round) { line.y += round % 2 * N; };
  auto all = [](Line& line, int round) {
    line.a = float(round);
    line.last = float(round + 1);
    line.y += round % 2 * N;
  };
  auto length = [](Line& line, int round) { line.nodes = NODES + round % 2; };
  auto recapture = [&](const Line& line, Built& built) {
    cudaGraph_t other = captured(line, stream);
    update_from(built, other);
    CHECK(cudaGraphDestroy(other));
  };
  auto rebuild = [](const Line& line, Built& built) {
    CHECK(cudaGraphExecDestroy(built.exec));
    CHECK(cudaGraphDestroy(built.graph));
    add_nodes(line, built);
    built.exec = instantiate(built.graph);
  };
  auto build_and_update = [](const Line& line, Built& built) {
    Built other;
    add_nodes(line, other);
    update_from(built, other.graph);
    CHECK(cudaGraphDestroy(other.graph));
  };
  const char *by_node = "C++: each node set", *by_capture = "C++: captured anew, cudaGraphExecUpdate";
  const char *by_update = "C++: nodes added anew, cudaGraphExecUpdate", *anew = "C++: nodes added anew, instantiated";
  measure(stream, "one value in one node", by_node, one, [](const Line& line, Built& built) { set_nodes(line, built, NODES, NODES + 1); });
  measure(stream, "one value in one node", by_capture, one, recapture);
  measure(stream, "one value in 1,000 nodes", by_node, value, [](const Line& line, Built& built) { set_nodes(line, built, 0, NODES); });
  measure(stream, "one value in 1,000 nodes", by_capture, value, recapture);
  measure(stream, "a pointer in 1,001 nodes", by_node, pointer, [](const Line& line, Built& built) { set_nodes(line, built, 0, NODES + 1); });
  measure(stream, "a pointer in 1,001 nodes", by_capture, pointer, recapture);
  measure(stream, "all from another graph, which is made", by_update, all, build_and_update);
  measure(stream, "all from another graph, which is made", by_capture, all, recapture);
  measure(stream, "one node more or less", anew, length, rebuild);
  auto build = [](const Line& line, Built& built) {
    add_nodes(line, built);
    built.exec = instantiate(built.graph);
  };
  measure(stream, "built anew", anew, value, build, true);
  return 0;
}
