// A loop in every way in which one writes it by hand: driven by the host, and as a WHILE node.
#pragma once
#include "shared.cuh"

// Where a pass says whether there is another one: nowhere, to a WHILE node, or to the host.
struct Decision {
  enum Where { NOWHERE, NODE, COPIED, MAPPED } where;
  cudaGraphConditionalHandle handle;
  int* flag;
};

// Called by one thread. A mapped flag also says which pass it is of.
static __device__ void decide(Decision decision, bool more, int passes) {
  if (decision.where == Decision::NODE) cudaGraphSetConditional(decision.handle, more);
  if (decision.where == Decision::COPIED) *decision.flag = more;
  if (decision.where == Decision::MAPPED) {
    __threadfence_system();
    *(volatile int*)decision.flag = 2 * passes + more;
  }
}

struct Loop {
  const char* bench;
  std::string what;
  int repeats;
  std::function<void()> prepare;            // not timed
  std::function<void()> begin;              // timed: the launch in front of the first pass
  std::function<void(Decision)> pass;       // launches of one pass
  std::function<bool(double& passes)> ok;   // what the last run left
  cudaStream_t stream;
};

static void measure(const Loop& loop, const std::string& how, const std::function<void()>& run) {
  std::vector<double> times;
  for (int k = 0; k <= loop.repeats; k++) {
    loop.prepare();
    CHECK(cudaStreamSynchronize(loop.stream));
    auto start = Clock::now();
    run();
    CHECK(cudaStreamSynchronize(loop.stream));
    if (k > 0) times.push_back(since(start));
  }
  double passes = 0, time = median(times);
  bool ok = loop.ok(passes);
  Row(loop.bench, loop.what, how).figure("time", time).figure("passes", passes).figure("pass", time / std::max(passes, 1.0)).print(ok);
}

static void copied_flag(const Loop& loop) {
  int *flag = device_memory<int>(1), *seen;
  CHECK(cudaMallocHost(&seen, sizeof(int)));
  measure(loop, "C++: host loop, flag copied back", [&] {
    loop.begin();
    do {
      loop.pass({Decision::COPIED, 0, flag});
      CHECK(cudaMemcpyAsync(seen, flag, sizeof(int), cudaMemcpyDeviceToHost, loop.stream));
      CHECK(cudaStreamSynchronize(loop.stream));
    } while (*seen);
  });
  CHECK(cudaFreeHost(seen));
  CHECK(cudaFree(flag));
}

static void mapped_flag(const Loop& loop) {
  int *seen, *flag;
  CHECK(cudaHostAlloc(&seen, sizeof(int), cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer(&flag, seen, 0));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  record(graph, loop.stream, [&] { loop.pass({Decision::MAPPED, 0, flag}); });
  cudaGraphExec_t exec = instantiate(graph);
  measure(loop, "C++: host loop, pass is a graph, mapped flag", [&] {
    *(volatile int*)seen = 0;
    loop.begin();
    int passes = 0, last;
    do {
      CHECK(cudaGraphLaunch(exec, loop.stream));
      passes++;
      while ((last = *(volatile int*)seen) / 2 != passes) {
      }
    } while (last & 1);
  });
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFreeHost(seen));
}

// Tested behind every so many passes.
static void while_node(const Loop& loop, const std::string& how, int every, const std::function<void(Decision)>& last_pass) {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle more;
  CHECK(cudaGraphConditionalHandleCreate(&more, graph, 1, cudaGraphCondAssignDefault));
  record(graph, loop.stream, loop.begin);
  cudaGraph_t body = add_while(graph, more);
  record(body, loop.stream, [&] {
    for (int k = 1; k < every; k++) loop.pass({Decision::NOWHERE, 0, nullptr});
    last_pass({Decision::NODE, more, nullptr});
  });
  cudaGraphExec_t exec = instantiate(graph);
  measure(loop, how + (every > 1 ? ", tested every " + std::to_string(every) : ""), [&] { CHECK(cudaGraphLaunch(exec, loop.stream)); });
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}
