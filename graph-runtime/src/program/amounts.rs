//! What may stand for amounts, grids and blocks.

/// An integer that is used as an amount.
#[diagnostic::on_unimplemented(message = "`{Self}` is not an amount of elements", label = "expected an integer")]
pub trait IntoExtent {
    /// `None` if negative.
    fn into_extent(self) -> Option<u64>;
}

macro_rules! extents {
    ($($name:ty),*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl IntoExtent for $name {
                fn into_extent(self) -> Option<u64> {
                    u64::try_from(self).ok()
                }
            }
        )*
    };
}

extents!(u8, i8, u16, i16, u32, i32, u64, i64, i128, usize, isize);

/// What may stand for a grid or a block: `n`, `(x, y)`, `(x, y, z)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a grid or a block",
    label = "expected an integer or a tuple of two or three integers"
)]
pub trait Geometry {
    /// x, y, z; what is missing is 1, what is negative or too large for `u32` is 0, which the geometry rule then refuses.
    fn dimensions(self) -> [u32; 3];
}

fn dimension(value: impl IntoExtent) -> u32 {
    value.into_extent().and_then(|value| u32::try_from(value).ok()).unwrap_or(0)
}

#[diagnostic::do_not_recommend]
impl<X: IntoExtent> Geometry for X {
    fn dimensions(self) -> [u32; 3] {
        [dimension(self), 1, 1]
    }
}

#[diagnostic::do_not_recommend]
impl<X: IntoExtent, Y: IntoExtent> Geometry for (X, Y) {
    fn dimensions(self) -> [u32; 3] {
        [dimension(self.0), dimension(self.1), 1]
    }
}

#[diagnostic::do_not_recommend]
impl<X: IntoExtent, Y: IntoExtent, Z: IntoExtent> Geometry for (X, Y, Z) {
    fn dimensions(self) -> [u32; 3] {
        [dimension(self.0), dimension(self.1), dimension(self.2)]
    }
}
