// What the driver's alloc nodes reserve for the transients that `memory FOLDER` writes: FOLDER/*.spans, a number of steps, then bytes,
// first and last step of each. The steps are empty kernels, one behind the other; each transient is allocated in front of its first step
// and freed behind its last. Twice: as the steps are ordered, where every free comes before the next alloc, and as data alone orders them,
// where a step waits for the allocs that it needs and a free for the steps that use it.
//
//     nvcc -O3 -std=c++17 -arch=sm_90 -lcuda alloc_nodes.cu -o alloc_nodes && ./alloc_nodes FOLDER/*.spans

#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#define CHECK(call)                                                              \
    do {                                                                         \
        CUresult result = (call);                                                \
        if (result != CUDA_SUCCESS) {                                            \
            const char *name = nullptr;                                          \
            cuGetErrorName(result, &name);                                       \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name); \
            std::exit(1);                                                        \
        }                                                                        \
    } while (0)

struct Span {
    unsigned long long bytes;
    size_t first, last;
};

struct Lines {
    size_t steps = 0;
    std::vector<Span> spans;
};

static Lines read(const std::string &path) {
    Lines lines;
    std::ifstream file(path);
    file >> lines.steps;
    for (Span span; file >> span.bytes >> span.first >> span.last;) lines.spans.push_back(span);
    if (lines.spans.empty()) {
        std::fprintf(stderr, "%s: no spans\n", path.c_str());
        std::exit(1);
    }
    return lines;
}

static CUfunction empty_kernel() {
    static const char image[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry empty() { ret; }\n";
    CUmodule module;
    CUfunction function;
    CHECK(cuModuleLoadData(&module, image));
    CHECK(cuModuleGetFunction(&function, module, "empty"));
    return function;
}

static CUgraphNode alloc(CUgraph graph, const std::vector<CUgraphNode> &after, unsigned long long bytes, CUdeviceptr *address) {
    CUDA_MEM_ALLOC_NODE_PARAMS parameters = {};
    parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    parameters.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    parameters.bytesize = bytes;
    CUgraphNode node;
    CHECK(cuGraphAddMemAllocNode(&node, graph, after.data(), after.size(), &parameters));
    *address = parameters.dptr;
    return node;
}

// `ordered`: every node waits for the one before. Else a step waits for its allocs and the step before, an alloc for nothing.
static CUgraph build(const Lines &lines, CUfunction function, bool ordered) {
    CUgraph graph;
    CHECK(cuGraphCreate(&graph, 0));
    std::vector<CUdeviceptr> addresses(lines.spans.size());
    CUgraphNode last = nullptr, step = nullptr;
    auto behind = [](CUgraphNode node) { return node ? std::vector<CUgraphNode>{node} : std::vector<CUgraphNode>{}; };
    for (size_t number = 0; number < lines.steps; number++) {
        std::vector<CUgraphNode> needs = behind(ordered ? last : step);
        for (size_t index = 0; index < lines.spans.size(); index++) {
            if (lines.spans[index].first != number) continue;
            last = alloc(graph, ordered ? behind(last) : std::vector<CUgraphNode>{}, lines.spans[index].bytes, &addresses[index]);
            if (ordered) needs.clear();
            needs.push_back(last);
        }
        CUDA_KERNEL_NODE_PARAMS kernel = {};
        kernel.func = function;
        kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = kernel.blockDimX = kernel.blockDimY = kernel.blockDimZ = 1;
        CHECK(cuGraphAddKernelNode(&step, graph, needs.data(), needs.size(), &kernel));
        last = step;
        for (size_t index = 0; index < lines.spans.size(); index++) {
            if (lines.spans[index].last != number) continue;
            CUgraphNode freed;
            CHECK(cuGraphAddMemFreeNode(&freed, graph, ordered ? &last : &step, 1, addresses[index]));
            last = freed;
        }
    }
    return graph;
}

static unsigned long long reserved(CUdevice device, const Lines &lines, CUfunction function, bool ordered) {
    CHECK(cuDeviceGraphMemTrim(device));
    cuuint64_t zero = 0, high = 0;
    CHECK(cuDeviceSetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &zero));
    CUgraph graph = build(lines, function, ordered);
    CUgraphExec exec;
    CHECK(cuGraphInstantiate(&exec, graph, 0));
    CHECK(cuGraphLaunch(exec, nullptr));
    CHECK(cuCtxSynchronize());
    CHECK(cuDeviceGetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &high));
    CHECK(cuGraphExecDestroy(exec));
    CHECK(cuGraphDestroy(graph));
    return high;
}

int main(int count, char **files) {
    CUdevice device;
    CUcontext context;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    char name[256] = {};
    CHECK(cuDeviceGetName(name, sizeof name, device));
    CUfunction function = empty_kernel();
    for (int index = 1; index < count; index++) {
        Lines lines = read(files[index]);
        unsigned long long in_order = reserved(device, lines, function, true);
        unsigned long long by_data = reserved(device, lines, function, false);
        std::printf("{\"device\": \"%s\", \"file\": \"%s\", \"ordered\": %llu, \"by_data\": %llu}\n", name, files[index], in_order, by_data);
    }
    return 0;
}
