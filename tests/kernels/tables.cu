// Kernels that take whole lists: a table with the address and the number of elements of each buffer.

template <typename T>
struct Item {
    T* elements;
    unsigned long long length;
};

template <typename T>
struct List {
    const Item<T>* items;
    unsigned long long count;
};

// Adds `by` times what stands in `from` to what stands at the same place in `to`; one row of blocks for each buffer.
extern "C" __global__ void add_all(List<const float> from, List<float> to, float by) {
    if (blockIdx.y >= to.count || blockIdx.y >= from.count) return;
    Item<const float> source = from.items[blockIdx.y];
    Item<float> target = to.items[blockIdx.y];
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    for (; i < target.length && i < source.length; i += gridDim.x * (unsigned long long)blockDim.x)
        target.elements[i] += by * source.elements[i];
}

// Every element is its index and 100 times that of its buffer.
extern "C" __global__ void number_all(List<unsigned> to) {
    for (unsigned long long j = blockIdx.y; j < to.count; j += gridDim.y)
        for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < to.items[j].length; i += gridDim.x * blockDim.x)
            to.items[j].elements[i] = 100 * j + i;
}

// How many elements there are altogether, and how many buffers.
extern "C" __global__ void count_all(List<const unsigned> of, unsigned* count) {
    unsigned long long elements = 0;
    for (unsigned long long j = 0; j < of.count; j++) elements += of.items[j].length;
    count[0] = elements;
    count[1] = of.count;
}
