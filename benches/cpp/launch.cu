// What building and launching graphs costs, from 10 to 100,000 kernels, written by hand: the C++ side of `launch`.
//
//   nvcc -O3 -std=c++17 -arch=native launch.cu -o launch-cpp
//   ./launch-cpp [most kernels]
//
// Kernels of one block add to 256 elements, in one chain, in 32, or each to its own: as a graph whose nodes are added one by one, and as
// launches into at most 32 streams. Then a line of 1,000 memset nodes, and the same fills as kernels. Prints one JSON object per graph and
// way; times are medians in microseconds, with the keys of the Rust program.
#include "shared.cuh"

static const unsigned N = 256;
static const int STREAMS = 32;

__global__ void add(float* y, float a, unsigned n) {
  if (threadIdx.x < n) y[threadIdx.x] += a;
}

__global__ void fill(float* y, float value, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = value;
}

struct Shape {
  const char* name;
  int chains, nodes, builds, launches;
  std::string what() const { return std::string(name) + " " + std::to_string(nodes); }
  double limit() const { return std::max(0.17 * nodes, 0.5 * ((nodes + chains - 1) / chains)); }
};

struct Times {
  std::vector<double> build, instantiate, first, cpu, end;
  void print(const Shape& shape, const char* how, bool ok) const {
    Row row("launch", shape.what(), how);
    if (!build.empty()) row.figure("build", median(build)).figure("instantiate", median(instantiate)).figure("first", median(first));
    row.figure("cpu", median(cpu)).figure("end", median(end)).figure("limit", shape.limit()).print(ok);
  }
};

// Instantiates what `add_nodes` makes, as often as the shape says, and launches the last one; `ok` looks at what the first launch left.
static void measure(cudaStream_t stream, const Shape& shape, const char* how, const std::function<void(cudaGraph_t)>& add_nodes,
                    const std::function<void()>& prepare, const std::function<bool()>& ok) {
  Times times;
  for (int build = 0; build < shape.builds; build++) {
    cudaGraph_t graph;
    auto start = Clock::now();
    CHECK(cudaGraphCreate(&graph, 0));
    add_nodes(graph);
    auto added = Clock::now();
    cudaGraphExec_t exec = instantiate(graph);
    double instantiated = since(added), built = since(start);
    prepare();
    CHECK(cudaStreamSynchronize(stream));
    start = Clock::now();
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    double first = since(start);
    if (build > 0) {
      times.build.push_back(built);
      times.instantiate.push_back(instantiated);
      times.first.push_back(first);
    }
    if (build + 1 == shape.builds) {
      bool right = ok();
      time_launches(stream, shape.launches, times.cpu, times.end, [&] { CHECK(cudaGraphLaunch(exec, stream)); });
      times.print(shape, how, right);
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
  }
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, cudaGraphNode_t before, void* function, unsigned blocks, void** arguments) {
  cudaKernelNodeParams params = {};
  params.func = function;
  params.gridDim = dim3(blocks);
  params.blockDim = dim3(N);
  params.kernelParams = arguments;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddKernelNode(&node, graph, before ? &before : nullptr, before ? 1 : 0, &params));
  return node;
}

static void add_chains(cudaGraph_t graph, const Shape& shape, float* y) {
  std::vector<cudaGraphNode_t> last(shape.chains, nullptr);
  for (int k = 0; k < shape.nodes; k++) {
    int chain = k % shape.chains;
    float *own = y + size_t(chain) * N, one = 1;
    unsigned n = N;
    void* arguments[] = {&own, &one, &n};
    last[chain] = add_kernel(graph, last[chain], (void*)add, 1, arguments);
  }
}

static void issue(const Shape& shape, float* y, const std::vector<cudaStream_t>& streams, const std::vector<cudaEvent_t>& events) {
  size_t used = std::min<size_t>(shape.chains, streams.size());
  CHECK(cudaEventRecord(events[0], streams[0]));
  for (size_t k = 1; k < used; k++) CHECK(cudaStreamWaitEvent(streams[k], events[0], 0));
  for (int k = 0; k < shape.nodes; k++) {
    size_t chain = k % shape.chains;
    add<<<1, N, 0, streams[chain % used]>>>(y + chain * N, 1.0f, N);
  }
  for (size_t k = 1; k < used; k++) {
    CHECK(cudaEventRecord(events[k], streams[k]));
    CHECK(cudaStreamWaitEvent(streams[0], events[k], 0));
  }
}

static void chains(const Shape& shape, const std::vector<cudaStream_t>& streams, const std::vector<cudaEvent_t>& events) {
  cudaStream_t stream = streams[0];
  size_t elements = size_t(shape.chains) * N;
  float* y = device_memory<float>(elements);
  auto prepare = [=] { CHECK(cudaMemsetAsync(y, 0, elements * sizeof(float), stream)); };
  auto ok = [=] {
    std::vector<float> values(elements);
    CHECK(cudaMemcpy(values.data(), y, elements * sizeof(float), cudaMemcpyDeviceToHost));
    for (size_t k = 0; k < elements; k++)
      if (values[k] != float((shape.nodes - int(k / N) + shape.chains - 1) / shape.chains)) return false;
    return true;
  };
  measure(stream, shape, "C++: nodes added one by one", [&](cudaGraph_t graph) { add_chains(graph, shape, y); }, prepare, ok);
  Times times;
  prepare();
  issue(shape, y, streams, events);
  CHECK(cudaStreamSynchronize(stream));
  bool right = ok();
  time_launches(stream, std::min(shape.launches, 20), times.cpu, times.end, [&] { issue(shape, y, streams, events); });
  times.print(shape, "C++: streams", right);
  CHECK(cudaFree(y));
}

// Of what each fill writes, the next one leaves an element.
static void fills(cudaStream_t stream, const Shape& shape) {
  unsigned n = shape.nodes;
  float* y = device_memory<float>(n);
  auto with_kernels = [=](cudaGraph_t graph) {
    cudaGraphNode_t last = nullptr;
    for (unsigned k = 0; k < n; k++) {
      float *from = y + k, value = float(k);
      unsigned length = n - k;
      void* arguments[] = {&from, &value, &length};
      last = add_kernel(graph, last, (void*)fill, (length + N - 1) / N, arguments);
    }
  };
  auto with_memsets = [=](cudaGraph_t graph) {
    cudaGraphNode_t last = nullptr, node;
    for (unsigned k = 0; k < n; k++) {
      float value = float(k);
      cudaMemsetParams params = {};
      params.dst = y + k;
      params.elementSize = 4;
      params.value = *reinterpret_cast<unsigned*>(&value);
      params.width = n - k;
      params.height = 1;
      CHECK(cudaGraphAddMemsetNode(&node, graph, last ? &last : nullptr, last ? 1 : 0, &params));
      last = node;
    }
  };
  auto ok = [=] {
    std::vector<float> values(n);
    CHECK(cudaMemcpy(values.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost));
    for (unsigned k = 0; k < n; k++)
      if (values[k] != float(k)) return false;
    return true;
  };
  measure(stream, shape, "C++: kernels that fill", with_kernels, [] {}, ok);
  measure(stream, shape, "C++: memset nodes", with_memsets, [] {}, ok);
  CHECK(cudaFree(y));
}

int main(int count, char** arguments) {
  int most = count > 1 ? std::atoi(arguments[1]) : 100000;
  std::vector<cudaStream_t> streams;
  std::vector<cudaEvent_t> events(STREAMS);
  for (int k = 0; k < STREAMS; k++) streams.push_back(new_stream());
  for (cudaEvent_t& event : events) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  for (int nodes = 10; nodes <= most; nodes *= 10) {
    int builds = nodes >= 50000 ? 3 : nodes >= 5000 ? 4 : nodes >= 500 ? 8 : 16;
    int launches = nodes >= 50000 ? 10 : nodes >= 5000 ? 20 : nodes >= 500 ? 60 : 200;
    chains({"line", 1, nodes, builds, launches}, streams, events);
    if (nodes > 32) chains({"32 chains", 32, nodes, builds, launches}, streams, events);
    if (nodes <= 10000) chains({"independent", nodes, nodes, builds, launches}, streams, events);
  }
  fills(streams[0], {"fills", 1, 1000, 8, 60});
  return 0;
}
