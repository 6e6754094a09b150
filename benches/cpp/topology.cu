// What N empty kernels in W independent chains cost, written by hand on the CUDA driver API.
//
//   nvcc -O3 -std=c++17 topology.cu -lcuda -o topology-cpp
//   ./topology-cpp empty.ptx [W:N ...]        default 1:100 1:1000 1:10000 32:100 32:1000 32:10000
//
// Kernel i belongs to chain i % W and waits for the one before it in its chain. Prints one JSON object per topology; times are medians
// in microseconds. The keys are those of the Rust program `topology`, which runs the same graphs through cuda_graph!.
#include <cuda.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

static void check(CUresult result, const char* call, int line) {
  if (result == CUDA_SUCCESS) return;
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  std::fprintf(stderr, "topology.cu:%d: %s: %s (%d)\n", line, call, name ? name : "unknown error", static_cast<int>(result));
  std::exit(1);
}
#define CHECK(call) check(call, #call, __LINE__)

static CUresult add_node(CUgraphNode* node, CUgraph graph, const CUgraphNode* from, size_t count, CUgraphNodeParams* parameters) {
#if CUDA_VERSION >= 13000
  return cuGraphAddNode(node, graph, from, nullptr, count, parameters);
#else
  return cuGraphAddNode_v2(node, graph, from, nullptr, count, parameters);
#endif
}

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) { return std::chrono::duration<double, std::micro>(Clock::now() - start).count(); }

// The middle value; of an even number, the upper one of the two.
static double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

struct Setup {
  CUfunction empty;
  CUstream stream;
  CUdeviceptr lanes;  // one u32 a chain, 256 bytes apart
  std::string device;
};

static const size_t LANE_BYTES = 256;
static const int MOST_CHAINS = 1024;

static Setup prepare(const char* image_path) {
  Setup setup;
  CHECK(cuInit(0));
  CUdevice device;
  CHECK(cuDeviceGet(&device, 0));
  char name[256];
  CHECK(cuDeviceGetName(name, sizeof name, device));
  setup.device = name;
  CUcontext context;
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  std::ifstream file(image_path, std::ios::binary);
  std::string image{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (image.empty()) {
    std::fprintf(stderr, "topology.cu: cannot read %s\n", image_path);
    std::exit(1);
  }
  CUmodule module;
  CHECK(cuModuleLoadData(&module, image.c_str()));
  CHECK(cuModuleGetFunction(&setup.empty, module, "empty"));
  CHECK(cuStreamCreate(&setup.stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuMemAlloc(&setup.lanes, LANE_BYTES * MOST_CHAINS));
  CHECK(cuMemsetD8(setup.lanes, 0, LANE_BYTES * MOST_CHAINS));
  return setup;
}

// Adds the nodes. The loop is what `add_nodes` measures.
static void add_nodes(const Setup& setup, CUgraph graph, int chains, int nodes) {
  std::vector<CUgraphNode> last(chains, nullptr);
  CUdeviceptr lane = 0;
  void* arguments[] = {&lane};
  CUgraphNodeParams parameters = {};
  parameters.type = CU_GRAPH_NODE_TYPE_KERNEL;
  parameters.kernel.func = setup.empty;
  parameters.kernel.gridDimX = parameters.kernel.gridDimY = parameters.kernel.gridDimZ = 1;
  parameters.kernel.blockDimX = parameters.kernel.blockDimY = parameters.kernel.blockDimZ = 1;
  parameters.kernel.kernelParams = arguments;
  for (int i = 0; i < nodes; ++i) {
    CUgraphNode& before = last[i % chains];
    lane = setup.lanes + static_cast<size_t>(i % chains) * LANE_BYTES;
    CUgraphNode node;
    CHECK(add_node(&node, graph, before ? &before : nullptr, before ? 1 : 0, &parameters));
    before = node;
  }
}

struct Samples {
  std::vector<double> build, add_nodes, instantiate, upload, first_launch, launch, end_to_end;
};

static void time_launch(const Setup& setup, CUgraphExec executable, std::vector<double>& launch, std::vector<double>& end_to_end) {
  auto start = Clock::now();
  CHECK(cuGraphLaunch(executable, setup.stream));
  launch.push_back(since(start));
  CHECK(cuStreamSynchronize(setup.stream));
  end_to_end.push_back(since(start));
}

static CUgraphExec build(const Setup& setup, CUgraph graph, int chains, int nodes, Samples& samples) {
  auto start = Clock::now();
  add_nodes(setup, graph, chains, nodes);
  samples.add_nodes.push_back(since(start));

  start = Clock::now();
  CUgraphExec executable;
  CUDA_GRAPH_INSTANTIATE_PARAMS how = {};
  CHECK(cuGraphInstantiateWithParams(&executable, graph, &how));
  samples.instantiate.push_back(since(start));

  start = Clock::now();
  CHECK(cuGraphUpload(executable, setup.stream));
  CHECK(cuStreamSynchronize(setup.stream));
  samples.upload.push_back(since(start));
  return executable;
}

static void measure(const Setup& setup, int chains, int nodes) {
  const int builds = nodes >= 10000 ? 6 : nodes >= 1000 ? 16 : 41;
  const int launches = nodes >= 10000 ? 40 : 200;
  Samples samples;
  for (int i = 0; i < builds; ++i) {
    auto start = Clock::now();
    CUgraph graph;
    CHECK(cuGraphCreate(&graph, 0));
    CUgraphExec executable = build(setup, graph, chains, nodes, samples);
    samples.build.push_back(since(start));
    std::vector<double> unused;
    time_launch(setup, executable, unused, samples.first_launch);
    for (int j = 0; i + 1 == builds && j < launches; ++j) time_launch(setup, executable, samples.launch, samples.end_to_end);
    CHECK(cuGraphExecDestroy(executable));
    CHECK(cuGraphDestroy(graph));
    if (i == 0) samples = Samples{};  // the first build pays for what the driver sets up once
  }
  std::printf("{\"program\":\"cpp\",\"device\":\"%s\",\"chains\":%d,\"nodes\":%d,\"build\":%.3f,\"add_nodes\":%.3f,"
              "\"instantiate\":%.3f,\"upload\":%.3f,\"first_launch\":%.3f,\"launch\":%.3f,\"end_to_end\":%.3f}\n",
              setup.device.c_str(), chains, nodes, median(samples.build), median(samples.add_nodes), median(samples.instantiate),
              median(samples.upload), median(samples.first_launch), median(samples.launch), median(samples.end_to_end));
  std::fflush(stdout);
}

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: %s empty.ptx [chains:nodes ...]\n", arguments[0]);
    return 2;
  }
  std::vector<std::pair<int, int>> topologies;
  for (int i = 2; i < count; ++i) {
    int chains = 0, nodes = 0;
    if (std::sscanf(arguments[i], "%d:%d", &chains, &nodes) != 2 || chains < 1 || chains > MOST_CHAINS || nodes < chains) {
      std::fprintf(stderr, "topology.cu: expected chains:nodes with 1 <= chains <= %d and chains <= nodes, found %s\n", MOST_CHAINS, arguments[i]);
      return 2;
    }
    topologies.emplace_back(chains, nodes);
  }
  if (topologies.empty()) topologies = {{1, 100}, {1, 1000}, {1, 10000}, {32, 100}, {32, 1000}, {32, 10000}};
  Setup setup = prepare(arguments[1]);
  for (auto [chains, nodes] : topologies) measure(setup, chains, nodes);
  return 0;
}
