// Graphs of the shapes that cost, written by hand as the data orders them: the C++ side of `lanes`.
//
//   nvcc -O3 -std=c++17 -arch=native lanes.cu -o lanes-cpp -lcuda
//   lanes --write shapes.txt; ./lanes-cpp shapes.txt
//
// Each node waits for the last ones that changed what it reads or changes, and for all that have read what it changes: as nodes that are
// added one by one, as launches into 32 streams with events between them, and captured from those. Prints one JSON object per graph and
// way; times are medians in microseconds, with the keys of the Rust program.
#include "shared.cuh"

#include <fstream>

static const size_t STREAMS = 32;
static const int LAUNCHES = 25;

struct Reads {
  unsigned* cell[4];
  unsigned count;
};

__global__ void update(unsigned* own, Reads reads, unsigned cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
  unsigned sum = 3 * *own + 1;
  for (unsigned k = 0; k < reads.count; k++) sum += *reads.cell[k];
  *own = sum;
}

__global__ void add(unsigned* own, Reads reads, unsigned cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
  atomicAdd(own, *reads.cell[0] + 1);
}

struct Node {
  unsigned own, cycles;
  std::vector<unsigned> reads;
  std::vector<unsigned> waits;  // for which nodes, each once
};

struct Shape {
  std::string name;
  unsigned cells = 0;
  bool adds = false;
  std::vector<Node> nodes;

  // Of the nodes, those that changed a cell last, and those that have read it since.
  void find_waits() {
    std::vector<std::vector<unsigned>> changed(cells), read(cells), before(cells);
    for (unsigned k = 0; k < nodes.size(); k++) {
      Node& node = nodes[k];
      auto wait = [&](const std::vector<unsigned>& others) { node.waits.insert(node.waits.end(), others.begin(), others.end()); };
      for (unsigned cell : node.reads) {
        wait(changed[cell]);
        read[cell].push_back(k);
      }
      unsigned own = node.own;
      if (adds) {
        if (!read[own].empty() || changed[own].empty()) {
          before[own] = changed[own];
          before[own].insert(before[own].end(), read[own].begin(), read[own].end());
          changed[own].clear();
        }
        wait(before[own]);
      } else {
        wait(changed[own]);
        wait(read[own]);
        changed[own].clear();
      }
      changed[own].push_back(k);
      read[own].clear();
      std::sort(node.waits.begin(), node.waits.end());
      node.waits.erase(std::unique(node.waits.begin(), node.waits.end()), node.waits.end());
    }
  }

  std::vector<unsigned> result() const {
    std::vector<unsigned> x(cells, 0);
    for (const Node& node : nodes) {
      unsigned sum = (adds ? 1 : 3) * x[node.own] + 1;
      for (unsigned cell : node.reads) sum += x[cell];
      x[node.own] = sum;
    }
    return x;
  }

  size_t edges() const {
    size_t sum = 0;
    for (const Node& node : nodes) sum += node.waits.size();
    return sum;
  }
};

static std::vector<Shape> shapes(const char* path) {
  std::ifstream file(path);
  std::vector<Shape> all;
  Shape shape;
  while (std::getline(file, shape.name)) {
    size_t count;
    file >> shape.cells >> count >> shape.adds;
    shape.nodes.assign(count, {});
    for (Node& node : shape.nodes) {
      size_t reads;
      file >> node.own >> node.cycles >> reads;
      node.reads.resize(reads);
      for (unsigned& cell : node.reads) file >> cell;
    }
    file.ignore(1);
    shape.find_waits();
    all.push_back(shape);
  }
  return all;
}

static Reads reads_of(const Node& node, unsigned* x) {
  Reads reads = {};
  for (unsigned cell : node.reads) reads.cell[reads.count++] = x + cell;
  return reads;
}

static void add_nodes(cudaGraph_t graph, const Shape& shape, unsigned* x) {
  std::vector<cudaGraphNode_t> made(shape.nodes.size());
  std::vector<cudaGraphNode_t> waits;
  for (size_t k = 0; k < shape.nodes.size(); k++) {
    const Node& node = shape.nodes[k];
    unsigned *own = x + node.own, cycles = node.cycles;
    Reads reads = reads_of(node, x);
    void* arguments[] = {&own, &reads, &cycles};
    cudaKernelNodeParams params = {};
    params.func = shape.adds ? (void*)add : (void*)update;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    waits.clear();
    for (unsigned other : node.waits) waits.push_back(made[other]);
    CHECK(cudaGraphAddKernelNode(&made[k], graph, waits.data(), waits.size(), &params));
  }
}

// Streams, and an event for each node that one in another stream waits for. A node goes on where the last of those that it waits for ran,
// if nothing has come behind that, else to the next stream in turn.
struct Streams {
  std::vector<cudaStream_t> streams;
  std::vector<cudaEvent_t> ends;
  std::vector<unsigned> of;
  std::vector<cudaEvent_t> over;

  explicit Streams(const Shape& shape) : of(shape.nodes.size()), over(shape.nodes.size(), nullptr) {
    std::vector<unsigned> last(STREAMS, ~0u);
    size_t turn = 0;
    for (unsigned k = 0; k < shape.nodes.size(); k++) {
      const std::vector<unsigned>& waits = shape.nodes[k].waits;
      of[k] = ~0u;
      for (unsigned other : waits)
        if (last[of[other]] == other) of[k] = of[other];
      if (of[k] == ~0u) of[k] = turn++ % STREAMS;
      last[of[k]] = k;
      for (unsigned other : waits)
        if (of[other] != of[k] && !over[other]) CHECK(cudaEventCreateWithFlags(&over[other], cudaEventDisableTiming));
    }
    for (size_t k = 0; k < STREAMS; k++) streams.push_back(new_stream());
    ends.resize(STREAMS);
    for (cudaEvent_t& end : ends) CHECK(cudaEventCreateWithFlags(&end, cudaEventDisableTiming));
  }

  ~Streams() {
    for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
    for (cudaEvent_t end : ends) cudaEventDestroy(end);
    for (cudaEvent_t event : over)
      if (event) cudaEventDestroy(event);
  }

  void issue(const Shape& shape, unsigned* x) const {
    CHECK(cudaEventRecord(ends[0], streams[0]));
    for (size_t k = 1; k < STREAMS; k++) CHECK(cudaStreamWaitEvent(streams[k], ends[0], 0));
    for (size_t k = 0; k < shape.nodes.size(); k++) {
      const Node& node = shape.nodes[k];
      cudaStream_t stream = streams[of[k]];
      for (unsigned other : node.waits)
        if (of[other] != of[k]) CHECK(cudaStreamWaitEvent(stream, over[other], 0));
      if (shape.adds)
        add<<<1, 1, 0, stream>>>(x + node.own, reads_of(node, x), node.cycles);
      else
        update<<<1, 1, 0, stream>>>(x + node.own, reads_of(node, x), node.cycles);
      if (over[k]) CHECK(cudaEventRecord(over[k], stream));
    }
    for (size_t k = 1; k < STREAMS; k++) {
      CHECK(cudaEventRecord(ends[k], streams[k]));
      CHECK(cudaStreamWaitEvent(streams[0], ends[k], 0));
    }
  }
};

// What `run` leaves, then how long it takes.
static void measure(const Shape& shape, const char* how, cudaStream_t stream, unsigned* x, double instantiated, int launches,
                    const std::function<void()>& run) {
  CHECK(cudaMemset(x, 0, shape.cells * sizeof(unsigned)));
  CHECK(cudaDeviceSynchronize());
  run();
  CHECK(cudaStreamSynchronize(stream));
  std::vector<unsigned> cells(shape.cells);
  CHECK(cudaMemcpy(cells.data(), x, shape.cells * sizeof(unsigned), cudaMemcpyDeviceToHost));
  std::vector<double> cpu, end;
  time_launches(stream, launches, cpu, end, run);
  Row row("lanes", shape.name, how);
  row.figure("nodes", shape.nodes.size()).figure("edges", shape.edges());
  if (instantiated > 0) row.figure("instantiate", instantiated);
  row.figure("cpu", median(cpu)).figure("end", median(end)).print(cells == shape.result());
}

static void as_graph(const Shape& shape, const char* how, cudaStream_t stream, unsigned* x, cudaGraph_t graph) {
  auto start = Clock::now();
  cudaGraphExec_t exec = instantiate(graph);
  measure(shape, how, stream, x, since(start), LAUNCHES, [=] { CHECK(cudaGraphLaunch(exec, stream)); });
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s SHAPES\n", arguments[0]);
    return 2;
  }
  for (const Shape& shape : shapes(arguments[1])) {
    unsigned* x = device_memory<unsigned>(shape.cells);
    Streams streams(shape);
    cudaStream_t first = streams.streams[0];
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    add_nodes(graph, shape, x);
    as_graph(shape, "C++: nodes added one by one", first, x, graph);
    CHECK(cudaGraphCreate(&graph, 0));
    record(graph, first, [&] { streams.issue(shape, x); });
    as_graph(shape, "C++: streams, captured", first, x, graph);
    measure(shape, "C++: streams", first, x, 0, 9, [&] { streams.issue(shape, x); });
    CHECK(cudaFree(x));
  }
  return 0;
}
