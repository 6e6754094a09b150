// Two solvers until they converge, written by hand: the C++ side of `solvers`.
//
//   nvcc -O3 -std=c++17 -arch=native solvers.cu -o solvers-cpp
//
// Jacobi in single precision for (4 + SHIFT) u - (the four neighbours) = 1, until no element changes by the tolerance; conjugate gradients
// in double precision for the same without the shift, until the squared residual is below the tolerance's. Both on `side * side` points
// with zeros around them. Reductions ride on the kernel that makes their operands. Prints one JSON object per solver and way.
#include <cooperative_groups.h>

#include <cmath>

#include "ways.cuh"

static const int LIMIT = 20000;
static const double SHIFT = 0.01;
static const float CHANGE = 1e-3f;

struct Grid {
  int side, row;
  dim3 blocks;
  explicit Grid(int side) : side(side), row(side + 2), blocks((side + 31) / 32, (side + 7) / 8) {}
  size_t cells() const { return size_t(row) * row; }
};
static const dim3 THREADS(32, 8);

// The element of this thread; false if it has none.
static __device__ bool own(int side, size_t& at) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  at = size_t(y + 1) * (side + 2) + x + 1;
  return x < side && y < side;
}

// ---------------------------------------------------------------- Jacobi

struct Sweeps {
  float* u[2];
  int side;
  int* change;  // the bits of the largest change: those of numbers that are not negative are in their order
  int* passes;
};

static __device__ float relax(const float* u, float* v, int row, size_t at) {
  float next = float(1.0 / (4.0 + SHIFT)) * (u[at - row] + u[at + row] + u[at - 1] + u[at + 1] + 1.0f);
  v[at] = next;
  return fabsf(next - u[at]);
}

static __device__ void note_change(int* change, float here) {
  int most = __reduce_max_sync(~0u, __float_as_int(here));
  __shared__ int warps[8];
  int thread = threadIdx.y * 32 + threadIdx.x;
  if (thread % 32 == 0) warps[thread / 32] = most;
  __syncthreads();
  if (thread == 0) {
    for (int k = 1; k < 8; k++) most = max(most, warps[k]);
    atomicMax(change, most);
  }
  __syncthreads();
}

__global__ void restart(Sweeps s) { *s.change = *s.passes = 0; }

__global__ void sweep(Sweeps s) {
  int from = *s.passes & 1;
  size_t at;
  float here = own(s.side, at) ? relax(s.u[from], s.u[1 - from], s.side + 2, at) : 0;
  note_change(s.change, here);
}

static __device__ bool next_sweep(Sweeps s) {
  float change = __int_as_float(*s.change);
  *s.change = 0;
  *s.passes += 1;
  return change >= CHANGE && *s.passes < LIMIT;
}

__global__ void end_sweep(Sweeps s, Decision decision) {
  bool more = next_sweep(s);
  decide(decision, more, *s.passes);
}

// All passes in one launch, whose blocks wait for each other twice a pass.
__global__ void sweep_all(Sweeps s, int* go) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  if (grid.thread_rank() == 0) *s.change = *s.passes = 0;
  grid.sync();
  for (int pass = 0, more = 1; more; pass++) {
    float here = 0;
    int across = (s.side + 31) / 32, tiles = across * ((s.side + 7) / 8);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      int x = tile % across * 32 + threadIdx.x, y = tile / across * 8 + threadIdx.y;
      if (x >= s.side || y >= s.side) continue;
      here = fmaxf(here, relax(s.u[pass & 1], s.u[1 - (pass & 1)], s.side + 2, size_t(y + 1) * (s.side + 2) + x + 1));
    }
    note_change(s.change, here);
    grid.sync();
    if (grid.thread_rank() == 0) *go = next_sweep(s);
    grid.sync();
    more = *(volatile int*)go;
  }
}

static void jacobi(cudaStream_t stream, int side, int repeats) {
  Grid grid(side);
  Sweeps s = {{device_memory<float>(grid.cells()), device_memory<float>(grid.cells())}, side, device_memory<int>(1), device_memory<int>(1)};
  Loop loop;
  loop.bench = "solvers";
  loop.what = "jacobi " + std::to_string(side);
  loop.repeats = repeats;
  loop.stream = stream;
  loop.prepare = [=] {
    for (float* u : s.u) CHECK(cudaMemsetAsync(u, 0, grid.cells() * sizeof(float), stream));
  };
  loop.begin = [=] { restart<<<1, 1, 0, stream>>>(s); };
  loop.pass = [=](Decision decision) {
    sweep<<<grid.blocks, THREADS, 0, stream>>>(s);
    end_sweep<<<1, 1, 0, stream>>>(s, decision);
  };
  loop.ok = [=](double& made) {
    int passes;
    CHECK(cudaMemcpy(&passes, s.passes, sizeof passes, cudaMemcpyDeviceToHost));
    std::vector<float> u(grid.cells());
    CHECK(cudaMemcpy(u.data(), s.u[passes & 1], u.size() * sizeof(float), cudaMemcpyDeviceToHost));
    made = passes;
    double worst = 0;
    for (int i = 1; i <= side; i++)
      for (int j = 1; j <= side; j++) {
        size_t at = size_t(i) * grid.row + j;
        double around = double(u[at - 1]) + u[at + 1] + u[at - grid.row] + u[at + grid.row];
        worst = std::max(worst, std::fabs(1 + around - (4 + SHIFT) * u[at]));
      }
    return passes > 1 && passes < LIMIT && worst < 1.1 * (4 + SHIFT) * CHANGE;
  };
  copied_flag(loop);
  mapped_flag(loop);
  for (int every : {1, 2, 4}) while_node(loop, "C++: WHILE node", every, loop.pass);
  int resident = 0, processors = 0, *go = device_memory<int>(1);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, sweep_all, 256, 0));
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  dim3 blocks(std::min<unsigned>(resident * processors, grid.blocks.x * grid.blocks.y));
  void* arguments[] = {(void*)&s, &go};
  measure(loop, "C++: one cooperative kernel", [&] {
    CHECK(cudaLaunchCooperativeKernel((void*)sweep_all, blocks, THREADS, arguments, 0, stream));
  });
  for (void* memory : {(void*)s.u[0], (void*)s.u[1], (void*)s.change, (void*)s.passes, (void*)go}) CHECK(cudaFree(memory));
}

// ---------------------------------------------------------------- conjugate gradients

struct State {
  double rr, fresh, pq;
  int passes;
};

struct Gradients {
  double *x, *r, *p, *q;
  int side;
  double stop;
  State* state;
};

static __device__ void add_up(double* sum, double here) {
  for (int distance = 16; distance; distance /= 2) here += __shfl_down_sync(~0u, here, distance);
  __shared__ double warps[8];
  int thread = threadIdx.y * 32 + threadIdx.x;
  if (thread % 32 == 0) warps[thread / 32] = here;
  __syncthreads();
  if (thread == 0) {
    for (int k = 1; k < 8; k++) here += warps[k];
    atomicAdd(sum, here);
  }
}

__global__ void begin(Gradients g) { *g.state = {double(g.side) * g.side, 0, 0, 0}; }

__global__ void apply(Gradients g) {
  size_t at;
  double here = 0;
  if (own(g.side, at)) {
    int row = g.side + 2;
    double q = 4 * g.p[at] - g.p[at - 1] - g.p[at + 1] - g.p[at - row] - g.p[at + row];
    g.q[at] = q;
    here = q * g.p[at];
  }
  add_up(&g.state->pq, here);
}

__global__ void advance(Gradients g) {
  size_t at;
  double alpha = g.state->rr / g.state->pq, here = 0;
  if (own(g.side, at)) {
    g.x[at] += alpha * g.p[at];
    double r = g.r[at] - alpha * g.q[at];
    g.r[at] = r;
    here = r * r;
  }
  add_up(&g.state->fresh, here);
}

__global__ void turn(Gradients g) {
  size_t at;
  if (own(g.side, at)) g.p[at] = g.r[at] + g.state->fresh / g.state->rr * g.p[at];
}

__global__ void end_pass(State* s, double stop, Decision decision) {
  s->rr = s->fresh;
  s->fresh = s->pq = 0;
  s->passes++;
  decide(decision, s->rr >= stop && s->passes < LIMIT, s->passes);
}

static void conjugate_gradients(cudaStream_t stream, int side, int repeats) {
  Grid grid(side);
  size_t cells = grid.cells();
  Gradients g = {device_memory<double>(cells), device_memory<double>(cells), device_memory<double>(cells), device_memory<double>(cells),
                 side, 1e-12 * side * side, device_memory<State>(1)};
  std::vector<double> ones(cells, 0.0);
  for (int i = 1; i <= side; i++)
    for (int j = 1; j <= side; j++) ones[size_t(i) * grid.row + j] = 1;
  double* start = device_memory<double>(cells);
  CHECK(cudaMemcpy(start, ones.data(), cells * sizeof(double), cudaMemcpyHostToDevice));
  Loop loop;
  loop.bench = "solvers";
  loop.what = "cg " + std::to_string(side);
  loop.repeats = repeats;
  loop.stream = stream;
  loop.prepare = [=] {
    CHECK(cudaMemsetAsync(g.x, 0, cells * sizeof(double), stream));
    for (double* to : {g.r, g.p}) CHECK(cudaMemcpyAsync(to, start, cells * sizeof(double), cudaMemcpyDeviceToDevice, stream));
  };
  loop.begin = [=] { begin<<<1, 1, 0, stream>>>(g); };
  loop.pass = [=](Decision decision) {
    apply<<<grid.blocks, THREADS, 0, stream>>>(g);
    advance<<<grid.blocks, THREADS, 0, stream>>>(g);
    turn<<<grid.blocks, THREADS, 0, stream>>>(g);
    end_pass<<<1, 1, 0, stream>>>(g.state, g.stop, decision);
  };
  loop.ok = [=](double& made) {
    State state;
    CHECK(cudaMemcpy(&state, g.state, sizeof state, cudaMemcpyDeviceToHost));
    std::vector<double> x(cells);
    CHECK(cudaMemcpy(x.data(), g.x, cells * sizeof(double), cudaMemcpyDeviceToHost));
    made = state.passes;
    double residual = 0;
    for (int i = 1; i <= side; i++)
      for (int j = 1; j <= side; j++) {
        size_t at = size_t(i) * grid.row + j;
        double here = 1 - (4 * x[at] - x[at - 1] - x[at + 1] - x[at - grid.row] - x[at + grid.row]);
        residual += here * here;
      }
    return state.passes > 1 && state.passes < LIMIT && residual < 1.1 * g.stop;
  };
  copied_flag(loop);
  mapped_flag(loop);
  for (int every : {1, 2}) while_node(loop, "C++: WHILE node", every, loop.pass);
  for (void* memory : {(void*)g.x, (void*)g.r, (void*)g.p, (void*)g.q, (void*)g.state, (void*)start}) CHECK(cudaFree(memory));
}

int main() {
  cudaStream_t stream = new_stream();
  jacobi(stream, 128, 7);
  jacobi(stream, 1024, 3);
  conjugate_gradients(stream, 128, 7);
  conjugate_gradients(stream, 1024, 3);
  return 0;
}
