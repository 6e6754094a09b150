// One decoding step of GPT-2 at batch 1, in two kernels a layer, for devices from compute capability 9.0 on.
//
// The residual stream is never stored whole: a kernel leaves it as a sum of vectors, the next one adds them up. Weights, keys and values
// are in half precision, everything else in single precision.
//
// No weight depends on the kernel before. So each kernel lets its own come into shared memory while that one still runs, and waits then.
#include "decoder/attend.cuh"
#include "decoder/feed_forward.cuh"
#include "decoder/words.cuh"
