"""The complex Ginzburg-Landau equation by NumPy's FFT: u_t = u_xx + u - (1 + i) |u|^2 u, by split steps.

Usage: python spectral.py (writes spectral.json)
"""

import numpy as np

from inputs import uniform, write

SIZE, STEPS, DT, WAVES = 256, 40, 0.02, 0.5


def main():
    u = uniform(900, SIZE).astype(np.float64) + 1j * uniform(901, SIZE).astype(np.float64)
    k = np.fft.fftfreq(SIZE, 1.0 / SIZE) * WAVES
    for _ in range(STEPS):
        u = np.fft.ifft(np.fft.fft(u) * np.exp(-(k**2) * DT))
        square = np.abs(u) ** 2
        u = u + DT * (u - (1 + 1j) * square * u)
    write("spectral", real=u.real[::5], imaginary=u.imag[::5])


if __name__ == "__main__":
    main()
