struct Rect { unsigned x, y, width, height; };

// One plane's pixel of a crop between two pixels of the image; 0.5 is the middle of a pixel.
__device__ float between(const unsigned char* plane, unsigned width, Rect crop, float x, float y) {
    unsigned left = (unsigned)x, top = (unsigned)y;
    unsigned right = min(left + 1, crop.width - 1), bottom = min(top + 1, crop.height - 1);
    const unsigned char *upper = plane + (size_t)(crop.y + top) * width + crop.x, *lower = plane + (size_t)(crop.y + bottom) * width + crop.x;
    float across = x - left, down = y - top;
    return (upper[left] * (1 - across) + upper[right] * across) * (1 - down) + (lower[left] * (1 - across) + lower[right] * across) * down;
}

// A crop of planes of red, green and blue, resized to `side` by `side` pixels.
extern "C" __global__ void resize_crop(const unsigned char* image, float* small, unsigned width, unsigned height, Rect crop, unsigned side) {
    unsigned column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= side || row >= side) return;
    float x = fmaxf((column + 0.5f) * crop.width / side - 0.5f, 0.0f), y = fmaxf((row + 0.5f) * crop.height / side - 0.5f, 0.0f);
    for (unsigned plane = 0; plane < 3; plane++)
        small[(plane * side + row) * side + column] =
            between(image + (size_t)plane * width * height, width, crop, x, y);
}
