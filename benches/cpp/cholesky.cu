// Tiled Cholesky with cuSOLVER and cuBLAS on streams, and captured from them: the C++ side of `cholesky`.
//
//   nvcc -O3 -std=c++17 -arch=native cholesky.cu -lcublas -lcusolver -o cholesky-cpp
//
// The calls, tiles and matrix of the Rust program, a[i][j] = 1 / (1 + |i - j|), and 2 where i = j, in double precision. A tile belongs to
// a stream, which has a handle and a workspace of its own; what another stream's tile waits for is an event behind that tile's last call.
// Prints one JSON object per size and way; times are medians in microseconds.
#include <cublas_v2.h>
#include <cusolverDn.h>

#include <cmath>

#include "shared.cuh"

static void check(int status, const char* file, int line, const char* what) {
  if (status == 0) return;
  std::fprintf(stderr, "%s:%d: %s: %d\n", file, line, what, status);
  std::exit(1);
}
#define LIBRARY(call) check(int(call), __FILE__, __LINE__, #call)

static const size_t WORKSPACE = size_t(32) << 20;

struct Lane {
  cudaStream_t stream;
  cublasHandle_t blas;
  cusolverDnHandle_t solver;
  char* blas_memory;
  double* solver_memory;
  int solver_elements;
  int* info;
};

struct Matrix {
  int tiles, b;
  std::vector<double*> from, tile;   // by rows of tiles, each by columns
  std::vector<cudaEvent_t> written;  // behind the last call that wrote a tile
  size_t at(int i, int j) const { return size_t(i) * tiles + j; }
};

static double element(int i, int j) { return i == j ? 2.0 : 1.0 / (1.0 + std::abs(i - j)); }

static Matrix matrix(int tiles, int b) {
  Matrix m;
  m.tiles = tiles;
  m.b = b;
  size_t size = size_t(b) * b;
  std::vector<double> values(size);
  for (int i = 0; i < tiles; i++)
    for (int j = 0; j < tiles; j++) {
      m.from.push_back(device_memory<double>(size));
      m.tile.push_back(device_memory<double>(size));
      for (int c = 0; c < b; c++)
        for (int r = 0; r < b; r++) values[size_t(c) * b + r] = element(i * b + r, j * b + c);
      CHECK(cudaMemcpy(m.from.back(), values.data(), size * sizeof(double), cudaMemcpyHostToDevice));
      cudaEvent_t event;
      CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
      m.written.push_back(event);
    }
  return m;
}

static std::vector<Lane> lanes(int count, const Matrix& m) {
  std::vector<Lane> made(count);
  for (Lane& lane : made) {
    lane.stream = new_stream();
    LIBRARY(cublasCreate(&lane.blas));
    LIBRARY(cublasSetStream(lane.blas, lane.stream));
    lane.blas_memory = device_memory<char>(WORKSPACE);
    LIBRARY(cublasSetWorkspace(lane.blas, lane.blas_memory, WORKSPACE));
    LIBRARY(cusolverDnCreate(&lane.solver));
    LIBRARY(cusolverDnSetStream(lane.solver, lane.stream));
    LIBRARY(cusolverDnDpotrf_bufferSize(lane.solver, CUBLAS_FILL_MODE_LOWER, m.b, m.tile[0], m.b, &lane.solver_elements));
    lane.solver_memory = device_memory<double>(lane.solver_elements);
    lane.info = device_memory<int>(1);
  }
  return made;
}

// Puts everything into the lanes; the first one begins and ends it.
static void factorise(const Matrix& m, const std::vector<Lane>& lanes, cudaEvent_t fork) {
  const int b = m.b;
  const double one = 1, minus = -1;
  const size_t bytes = size_t(b) * b * sizeof(double);
  auto lane = [&](int i, int j) -> const Lane& { return lanes[(i + j) % lanes.size()]; };
  auto wait = [&](const Lane& lane, int i, int j) { CHECK(cudaStreamWaitEvent(lane.stream, m.written[m.at(i, j)], 0)); };
  auto wrote = [&](const Lane& lane, int i, int j) { CHECK(cudaEventRecord(m.written[m.at(i, j)], lane.stream)); };
  CHECK(cudaEventRecord(fork, lanes[0].stream));
  for (size_t k = 1; k < lanes.size(); k++) CHECK(cudaStreamWaitEvent(lanes[k].stream, fork, 0));
  for (int i = 0; i < m.tiles; i++)
    for (int j = 0; j <= i; j++)
      CHECK(cudaMemcpyAsync(m.tile[m.at(i, j)], m.from[m.at(i, j)], bytes, cudaMemcpyDeviceToDevice, lane(i, j).stream));
  for (int k = 0; k < m.tiles; k++) {
    const Lane& diagonal = lane(k, k);
    double* l = m.tile[m.at(k, k)];
    LIBRARY(cusolverDnDpotrf(diagonal.solver, CUBLAS_FILL_MODE_LOWER, b, l, b, diagonal.solver_memory, diagonal.solver_elements, diagonal.info));
    wrote(diagonal, k, k);
    for (int i = k + 1; i < m.tiles; i++) {
      const Lane& own = lane(i, k);
      wait(own, k, k);
      LIBRARY(cublasDtrsm(own.blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, b, b, &one, l, b,
                          m.tile[m.at(i, k)], b));
      wrote(own, i, k);
      for (int j = k + 1; j < i; j++) {
        const Lane& product = lane(i, j);
        wait(product, i, k);
        wait(product, j, k);
        LIBRARY(cublasDgemm(product.blas, CUBLAS_OP_N, CUBLAS_OP_T, b, b, b, &minus, m.tile[m.at(i, k)], b, m.tile[m.at(j, k)], b, &one,
                            m.tile[m.at(i, j)], b));
      }
      const Lane& square = lane(i, i);
      wait(square, i, k);
      LIBRARY(cublasDsyrk(square.blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, b, b, &minus, m.tile[m.at(i, k)], b, &one, m.tile[m.at(i, i)], b));
    }
  }
  for (size_t k = 1; k < lanes.size(); k++) {
    CHECK(cudaEventRecord(fork, lanes[k].stream));
    CHECK(cudaStreamWaitEvent(lanes[0].stream, fork, 0));
  }
}

// Whether some elements of L L' are those of A.
static bool right(const Matrix& m) {
  int size = m.tiles * m.b;
  std::vector<std::vector<double>> tiles(m.tile.size(), std::vector<double>(size_t(m.b) * m.b));
  for (int i = 0; i < m.tiles; i++)
    for (int j = 0; j <= i; j++) {
      std::vector<double>& tile = tiles[m.at(i, j)];
      CHECK(cudaMemcpy(tile.data(), m.tile[m.at(i, j)], tile.size() * sizeof(double), cudaMemcpyDeviceToHost));
    }
  auto l = [&](int i, int j) { return tiles[m.at(i / m.b, j / m.b)][size_t(j % m.b) * m.b + i % m.b]; };
  for (int k = 0; k < 64; k++) {
    int i = k * 7919 % size, j = k * 104729 % size;
    if (i < j) std::swap(i, j);
    double sum = 0;
    for (int at = 0; at <= j; at++) sum += l(i, at) * l(j, at);
    if (!(std::fabs(sum - element(i, j)) < 1e-12 * size)) return false;
  }
  return true;
}

static void measure(const Matrix& m, cudaStream_t stream, const std::string& how, const std::function<void()>& launch) {
  for (int k = 0; k < 3; k++) launch();
  CHECK(cudaStreamSynchronize(stream));
  std::vector<double> cpu, end;
  for (int k = 0; k < 21; k++) {
    auto start = Clock::now();
    launch();
    cpu.push_back(since(start));
    CHECK(cudaStreamSynchronize(stream));
    end.push_back(since(start));
  }
  std::string what = std::to_string(m.tiles) + " x " + std::to_string(m.tiles) + " tiles of " + std::to_string(m.b);
  Row("cholesky", what, how).figure("cpu", median(cpu)).figure("end", median(end)).print(right(m));
}

static void factorise_in_all_ways(int tiles, int b) {
  Matrix m = matrix(tiles, b);
  cudaEvent_t fork;
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  for (int count : {1, 8, 32}) {
    std::vector<Lane> dealt = lanes(count, m);
    cudaStream_t first = dealt[0].stream;
    std::string streams = std::to_string(count) + (count == 1 ? " stream" : " streams");
    measure(m, first, "C++: " + streams, [&] { factorise(m, dealt, fork); });
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
    factorise(m, dealt, fork);
    CHECK(cudaStreamEndCapture(first, &graph));
    cudaGraphExec_t exec = instantiate(graph);
    measure(m, first, "C++: captured from " + streams, [&] { CHECK(cudaGraphLaunch(exec, first)); });
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    for (Lane& lane : dealt) {
      LIBRARY(cublasDestroy(lane.blas));
      LIBRARY(cusolverDnDestroy(lane.solver));
      CHECK(cudaFree(lane.blas_memory));
      CHECK(cudaFree(lane.solver_memory));
    }
  }
  for (double* memory : m.from) CHECK(cudaFree(memory));
  for (double* memory : m.tile) CHECK(cudaFree(memory));
}

int main() {
  factorise_in_all_ways(16, 64);
  factorise_in_all_ways(16, 128);
  factorise_in_all_ways(8, 512);
  return 0;
}
