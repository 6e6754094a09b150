// Many graphs with a WHILE node each, in flight at once: what compute-sanitizer makes of them.
//
//   nvcc -O3 -std=c++17 -arch=native many_whiles.cu -o many_whiles
//   ./many_whiles 5                                                    "0 wrong", each time
//   compute-sanitizer --tool memcheck ./many_whiles 5                  with 2025.3.1, 10 of 16 runs end with errors (H200, driver 580)
//
// Each graph has a stream and buffers of its own, all allocated before anything is launched, so no read can be outside of its buffer. The
// tool says of some that they are "out of bounds" and "inside the nearest allocation", or the context is lost without a report.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define C(x) do { cudaError_t r = (x); if (r) { printf("%d %s -> %s\n", __LINE__, #x, cudaGetErrorName(r)); exit(3); } } while (0)
__global__ void begin(unsigned *left, unsigned passes) { *left = passes; }
__global__ void shift(unsigned *y, const unsigned *x, unsigned n, unsigned by, unsigned step) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[(i + step) % n] + by;
}
__global__ void end(unsigned *left, cudaGraphConditionalHandle h) { unsigned now = *left - 1; *left = now; cudaGraphSetConditional(h, now != 0); }
int main(int argc, char **argv) {
    int rounds = atoi(argv[1]);
    unsigned sizes[8] = {100, 1 << 20, 5000, 100001, 7, 1 << 17, 300, 1 << 21};
    struct G { unsigned *x, *y, *left; cudaStream_t s; cudaGraphExec_t e; unsigned n; };
    std::vector<G> gs;
    for (unsigned n : sizes) {
        G g{}; g.n = n; C(cudaStreamCreateWithFlags(&g.s, cudaStreamNonBlocking));
        C(cudaMalloc(&g.x, n * 4ul)); C(cudaMalloc(&g.y, n * 4ul)); C(cudaMalloc(&g.left, 4));
        std::vector<unsigned> h(n); for (unsigned i = 0; i < n; ++i) h[i] = i;
        C(cudaMemcpy(g.x, h.data(), n * 4ul, cudaMemcpyHostToDevice));
        cudaGraph_t gr; C(cudaGraphCreate(&gr, 0)); cudaGraphConditionalHandle hd; C(cudaGraphConditionalHandleCreate(&hd, gr, 1, cudaGraphCondAssignDefault));
        auto add = [&](cudaGraph_t to, cudaGraphNode_t *after, void *f, unsigned blocks, void **a) {
            cudaGraphNode_t node; cudaKernelNodeParams k{}; k.func = f; k.gridDim = dim3(blocks); k.blockDim = dim3(blocks == 1 ? 1 : 256); k.kernelParams = a;
            C(cudaGraphAddKernelNode(&node, to, after, after ? 1 : 0, &k)); return node; };
        unsigned passes = 20, by = 1, one = 1, none = 0, zero = 0, blocks = (n + 255) / 256 + 1;
        void *ab[] = {&g.left, &passes}; cudaGraphNode_t b = add(gr, nullptr, (void *)begin, 1, ab);
        cudaGraphNodeParams p{}; p.type = cudaGraphNodeTypeConditional; p.conditional.handle = hd; p.conditional.type = cudaGraphCondTypeWhile; p.conditional.size = 1;
        cudaGraphNode_t w; C(cudaGraphAddNode(&w, gr, &b, nullptr, 1, &p)); cudaGraph_t body = p.conditional.phGraph_out[0];
        void *a1[] = {&g.y, &g.x, &g.n, &by, &one}; cudaGraphNode_t k1 = add(body, nullptr, (void *)shift, blocks, a1);
        void *a2[] = {&g.x, &g.y, &g.n, &none, &zero}; cudaGraphNode_t k2 = add(body, &k1, (void *)shift, blocks, a2);
        void *a3[] = {&g.left, &hd}; add(body, &k2, (void *)end, 1, a3);
        C(cudaGraphInstantiate(&g.e, gr, 0)); gs.push_back(g);
    }
    C(cudaDeviceSynchronize());
    for (int r = 0; r < rounds; ++r) for (auto &g : gs) C(cudaGraphLaunch(g.e, g.s));
    int bad = 0;
    for (auto &g : gs) {
        C(cudaStreamSynchronize(g.s)); std::vector<unsigned> h(g.n); C(cudaMemcpy(h.data(), g.x, g.n * 4ul, cudaMemcpyDeviceToHost));
        for (unsigned i = 0; i < g.n; ++i) bad += h[i] != (i + 20u * rounds) % g.n + 20u * rounds;
    }
    printf("%d wrong\n", bad); return bad != 0;
}
