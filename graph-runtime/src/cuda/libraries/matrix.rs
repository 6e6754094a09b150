//! Matrices, by rows, for libraries that have them by columns: each is taken for its transpose.

use cudarc::cublas::sys::{cublasFillMode_t, cublasOperation_t, cublasSideMode_t};

/// How a matrix is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// As it is.
    N,
    /// Transposed.
    T,
}

/// On which side of the other matrix the triangular one stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `op(A) X = B`
    Left,
    /// `X op(A) = B`
    Right,
}

/// Which half of a matrix is read or written; the other one is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Triangle {
    /// On and below the diagonal.
    Lower,
    /// On and above the diagonal.
    Upper,
}

impl Op {
    pub(super) fn raw(self) -> cublasOperation_t {
        match self {
            Self::N => cublasOperation_t::CUBLAS_OP_N,
            Self::T => cublasOperation_t::CUBLAS_OP_T,
        }
    }

    pub(super) fn flipped(self) -> cublasOperation_t {
        match self {
            Self::N => Self::T.raw(),
            Self::T => Self::N.raw(),
        }
    }
}

impl Side {
    /// Of the transposed product.
    pub(super) fn flipped(self) -> cublasSideMode_t {
        match self {
            Self::Left => cublasSideMode_t::CUBLAS_SIDE_RIGHT,
            Self::Right => cublasSideMode_t::CUBLAS_SIDE_LEFT,
        }
    }
}

impl Triangle {
    /// Of the transposed matrix.
    pub(super) fn flipped(self) -> cublasFillMode_t {
        match self {
            Self::Lower => cublasFillMode_t::CUBLAS_FILL_MODE_UPPER,
            Self::Upper => cublasFillMode_t::CUBLAS_FILL_MODE_LOWER,
        }
    }
}
