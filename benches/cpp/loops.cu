// What a pass of a loop costs, written by hand: the C++ side of `loops`.
//
//   nvcc -O3 -std=c++17 -arch=native loops.cu -o loops-cpp
//   ./loops-cpp [most passes]
//
// A pass is a chain of kernels of one block that add 1 to 256 elements; the loop ends when the first one has reached a number. Prints one
// JSON object per loop and way; times are medians in microseconds.
#include "ways.cuh"

static const unsigned ELEMENTS = 256;

__global__ void clear(float* y, unsigned n) {
  if (threadIdx.x < n) y[threadIdx.x] = 0;
}

__global__ void step(float* y, unsigned n) {
  if (threadIdx.x < n) y[threadIdx.x] += 1;
}

// The last kernel of a pass, where it also decides.
__global__ void step_and_decide(float* y, float end, Decision decision, unsigned n) {
  if (threadIdx.x >= n) return;
  float next = y[threadIdx.x] + 1;
  y[threadIdx.x] = next;
  if (threadIdx.x == 0) decide(decision, next < end, 0);
}

// Decides by itself; `kernels` a pass.
__global__ void decide_alone(const float* y, float end, int kernels, Decision decision) {
  decide(decision, *y < end, int(*y) / kernels);
}

static void loops(cudaStream_t stream, float* y, int kernels, int passes) {
  float end = float(kernels) * float(passes);
  auto steps = [=](int count) {
    for (int k = 0; k < count; k++) step<<<1, ELEMENTS, 0, stream>>>(y, ELEMENTS);
  };
  Loop loop;
  loop.bench = "loops";
  loop.what = "kernels " + std::to_string(kernels) + ", passes " + std::to_string(passes);
  loop.repeats = passes >= 10000 ? 3 : passes >= 1000 ? 11 : 51;
  loop.stream = stream;
  loop.prepare = [] {};
  loop.begin = [=] { clear<<<1, ELEMENTS, 0, stream>>>(y, ELEMENTS); };
  loop.pass = [=](Decision decision) {
    steps(kernels);
    if (decision.where != Decision::NOWHERE) decide_alone<<<1, 1, 0, stream>>>(y, end, kernels, decision);
  };
  loop.ok = [=](double& made) {
    std::vector<float> values(ELEMENTS);
    CHECK(cudaMemcpy(values.data(), y, ELEMENTS * sizeof(float), cudaMemcpyDeviceToHost));
    made = values[0] / kernels;
    return std::all_of(values.begin(), values.end(), [=](float value) { return value == end; });
  };
  auto fused = [=](Decision decision) {
    steps(kernels - 1);
    step_and_decide<<<1, ELEMENTS, 0, stream>>>(y, end, decision, ELEMENTS);
  };
  copied_flag(loop);
  mapped_flag(loop);
  for (int every : {1, 2, 4})
    if (passes % every == 0) while_node(loop, "C++: WHILE node", every, loop.pass);
  for (int every : {1, 2, 4})
    if (passes % every == 0) while_node(loop, "C++: WHILE node, its last kernel decides", every, fused);
}

int main(int count, char** arguments) {
  int most = count > 1 ? std::atoi(arguments[1]) : 10000;
  cudaStream_t stream = new_stream();
  float* y = device_memory<float>(ELEMENTS);
  for (int kernels : {1, 4, 16})
    for (int passes = 10; passes <= most; passes *= 10) loops(stream, y, kernels, passes);
  return 0;
}
