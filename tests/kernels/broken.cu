// For the test of what a kernel file that does not compile says.

extern "C" __global__ void broken(unsigned *x, unsigned n) {
    x[0] = undeclared_name;
}
