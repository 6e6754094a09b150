// Each counts its launches.
extern "C" __global__ void count(unsigned* counter) {
    *counter += 1;
}
