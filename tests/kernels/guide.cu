// The kernels of the guide (guide/src), which shows parts of this file.

extern "C" __global__ void scale(float* x, float by, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= by;
}

extern "C" __global__ void smooth(const float* x, float* low, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float left = x[i == 0 ? i : i - 1], right = x[i + 1 == n ? i : i + 1];
    low[i] = 0.25f * left + 0.5f * x[i] + 0.25f * right;
}

extern "C" __global__ void detail(const float* x, float* high, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) high[i] = i == 0 ? 0.0f : x[i] - x[i - 1];
}

extern "C" __global__ void blend(const float* low, const float* high, float* y, float weight, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = low[i] + weight * high[i];
}

// No element is more than one above its neighbours. Counts those that it cuts.
extern "C" __global__ void settle(const float* from, float* to, unsigned* cut, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float left = from[i == 0 ? i : i - 1], right = from[i + 1 == n ? i : i + 1];
    float most = fminf(left, right) + 1.0f;
    to[i] = fminf(from[i], most);
    if (from[i] > most) atomicAdd(cut, 1u);
}
