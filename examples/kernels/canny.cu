// The kernels of the Canny edge detector, on gray pictures of w x h bytes in rows.
//
// They compute in integers what OpenCV's `GaussianBlur` (5 x 5, sigma 0) and `Canny` (aperture 3, L1 norm) compute on bytes, bit by
// bit. One thread per pixel; a grid may be larger than the picture. `grow` works on tiles of 32 x 32 and needs blocks of that size.

namespace {

constexpr unsigned int TILE = 32;
constexpr unsigned int RADIUS = 2;
constexpr unsigned char WEAK = 1;
constexpr unsigned char STRONG = 2;

// tan(22.5 degrees) with 15 fractional bits.
constexpr unsigned int TANGENT = 13573;

struct Pixel {
    unsigned int x;
    unsigned int y;
};

__device__ Pixel pixel() {
    return {blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y};
}

__device__ size_t at(unsigned int x, unsigned int y, unsigned int w) {
    return static_cast<size_t>(y) * w + x;
}

// The element `shifted - RADIUS` of a line of n, mirrored at both ends without repeating the end (`BORDER_REFLECT_101`).
__device__ unsigned int reflect(unsigned int shifted, unsigned int n) {
    const unsigned int i = shifted < RADIUS ? RADIUS - shifted : shifted - RADIUS;
    if (i < n) return i;
    if (n == 1) return 0;
    const unsigned int period = 2 * (n - 1), rest = i % period;
    return rest < n ? rest : period - rest;
}

__device__ unsigned int before(unsigned int i) {
    return i == 0 ? 0 : i - 1;
}

__device__ unsigned int behind(unsigned int i, unsigned int n) {
    return i + 1 == n ? i : i + 1;
}

// |gx| + |gy|, and zero outside the picture (x or y may have wrapped below zero).
__device__ unsigned int magnitude(const short* gx, const short* gy, unsigned int x, unsigned int y, unsigned int w, unsigned int h) {
    if (x >= w || y >= h) return 0;
    return abs(static_cast<int>(gx[at(x, y, w)])) + abs(static_cast<int>(gy[at(x, y, w)]));
}

__device__ bool beside_strong(const unsigned char (*tile)[TILE + 2], unsigned int x, unsigned int y) {
    return tile[y - 1][x - 1] == STRONG || tile[y - 1][x] == STRONG || tile[y - 1][x + 1] == STRONG || tile[y][x - 1] == STRONG
        || tile[y][x + 1] == STRONG || tile[y + 1][x - 1] == STRONG || tile[y + 1][x] == STRONG || tile[y + 1][x + 1] == STRONG;
}

// Copies the block's tile and one pixel around it; nothing outside the picture is an edge.
__device__ void load_tile(unsigned char (*tile)[TILE + 2], const unsigned char* marks, unsigned int w, unsigned int h) {
    for (unsigned int k = threadIdx.y * TILE + threadIdx.x; k < (TILE + 2) * (TILE + 2); k += TILE * TILE) {
        const unsigned int x = blockIdx.x * TILE + k % (TILE + 2) - 1;
        const unsigned int y = blockIdx.y * TILE + k / (TILE + 2) - 1;
        tile[k / (TILE + 2)][k % (TILE + 2)] = x < w && y < h ? marks[at(x, y, w)] : 0;
    }
}

}  // namespace

// 16 times the row-wise blur by [1 4 6 4 1] / 16: at most 4080.
extern "C" __global__ void blur_rows(const unsigned char* image, unsigned short* halfway, unsigned int w, unsigned int h) {
    const auto [x, y] = pixel();
    if (x >= w || y >= h) return;
    const unsigned int weights[] = {1, 4, 6, 4, 1};
    unsigned int sum = 0;
    for (unsigned int k = 0; k < 5; ++k) sum += weights[k] * image[at(reflect(x + k, w), y, w)];
    halfway[at(x, y, w)] = static_cast<unsigned short>(sum);
}

// The column-wise blur of `halfway`, rounded to nearest, halves up.
extern "C" __global__ void blur_columns(const unsigned short* halfway, unsigned char* smooth, unsigned int w, unsigned int h) {
    const auto [x, y] = pixel();
    if (x >= w || y >= h) return;
    const unsigned int weights[] = {1, 4, 6, 4, 1};
    unsigned int sum = 128;
    for (unsigned int k = 0; k < 5; ++k) sum += weights[k] * halfway[at(x, reflect(y + k, h), w)];
    smooth[at(x, y, w)] = static_cast<unsigned char>(sum >> 8);
}

// The horizontal Sobel gradient; the border is repeated.
extern "C" __global__ void sobel_x(const unsigned char* smooth, short* gx, unsigned int w, unsigned int h) {
    const auto [x, y] = pixel();
    if (x >= w || y >= h) return;
    const unsigned int left = before(x), right = behind(x, w), above = before(y), below = behind(y, h);
    const int sum = smooth[at(right, above, w)] - smooth[at(left, above, w)] + 2 * (smooth[at(right, y, w)] - smooth[at(left, y, w)])
        + smooth[at(right, below, w)] - smooth[at(left, below, w)];
    gx[at(x, y, w)] = static_cast<short>(sum);
}

// The vertical Sobel gradient; the border is repeated.
extern "C" __global__ void sobel_y(const unsigned char* smooth, short* gy, unsigned int w, unsigned int h) {
    const auto [x, y] = pixel();
    if (x >= w || y >= h) return;
    const unsigned int left = before(x), right = behind(x, w), above = before(y), below = behind(y, h);
    const int sum = smooth[at(left, below, w)] - smooth[at(left, above, w)] + 2 * (smooth[at(x, below, w)] - smooth[at(x, above, w)])
        + smooth[at(right, below, w)] - smooth[at(right, above, w)];
    gy[at(x, y, w)] = static_cast<short>(sum);
}

// The magnitude where it is the largest along the gradient, else 0. On a tie the left or upper pixel of two wins; along a diagonal
// neither does.
extern "C" __global__ void suppress(const short* gx, const short* gy, unsigned short* peak, unsigned int w, unsigned int h) {
    const auto [x, y] = pixel();
    if (x >= w || y >= h) return;
    const int dx = gx[at(x, y, w)], dy = gy[at(x, y, w)];
    const unsigned int here = magnitude(gx, gy, x, y, w, h);
    const unsigned int across = abs(dx), down = static_cast<unsigned int>(abs(dy)) << 15;
    const unsigned int flat = across * TANGENT, steep = flat + (across << 16);
    bool largest;
    if (down < flat) {
        largest = here > magnitude(gx, gy, x - 1, y, w, h) && here >= magnitude(gx, gy, x + 1, y, w, h);
    } else if (down > steep) {
        largest = here > magnitude(gx, gy, x, y - 1, w, h) && here >= magnitude(gx, gy, x, y + 1, w, h);
    } else {
        const unsigned int step = (dx ^ dy) < 0 ? -1 : 1;
        largest = here > magnitude(gx, gy, x - step, y - 1, w, h) && here > magnitude(gx, gy, x + step, y + 1, w, h);
    }
    peak[at(x, y, w)] = static_cast<unsigned short>(largest ? here : 0);
}

// Strong above `high`, weak above `low`; `changed` becomes 1 if there is a strong pixel, from which edges may grow.
extern "C" __global__ void threshold(const unsigned short* peak, unsigned char* marks, unsigned int* changed, int low, int high,
                                     unsigned int w, unsigned int h) {
    const auto [x, y] = pixel();
    bool strong = false;
    if (x < w && y < h) {
        const int value = peak[at(x, y, w)];
        strong = value > max(high, 0);
        marks[at(x, y, w)] = strong ? STRONG : value > max(low, 0) ? WEAK : 0;
    }
    if (__syncthreads_or(strong) && threadIdx.x == 0 && threadIdx.y == 0) atomicOr(changed, 1u);
}

// Weak pixels that touch strong ones become strong, until nothing changes within the tile; what lies around the tile is seen as it
// was before the launch. `changed` becomes 1 if any pixel changed.
extern "C" __global__ void grow(const unsigned char* marks, unsigned char* next, unsigned int* changed, unsigned int w, unsigned int h) {
    __shared__ unsigned char tile[TILE + 2][TILE + 2];
    load_tile(tile, marks, w, h);
    __syncthreads();
    const auto [x, y] = pixel();
    const unsigned int column = threadIdx.x + 1, row = threadIdx.y + 1;
    unsigned char mark = tile[row][column];
    bool grown = false;
    for (;;) {
        const bool grows = mark == WEAK && beside_strong(tile, column, row);
        if (!__syncthreads_or(grows)) break;
        if (grows) {
            grown = true;
            mark = STRONG;
            tile[row][column] = STRONG;
        }
        __syncthreads();
    }
    if (x < w && y < h) next[at(x, y, w)] = mark;
    if (__syncthreads_or(grown) && threadIdx.x == 0 && threadIdx.y == 0) atomicOr(changed, 1u);
}

// 255 where strong, else 0.
extern "C" __global__ void finish(const unsigned char* marks, unsigned char* edges, unsigned int w, unsigned int h) {
    const auto [x, y] = pixel();
    if (x < w && y < h) edges[at(x, y, w)] = marks[at(x, y, w)] == STRONG ? 255 : 0;
}
