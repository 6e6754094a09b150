//! `Out<[T]>`: a buffer that a CPU body writes.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// A buffer that a kernel fully writes and whose old contents it does not need.
///
/// A CPU body uses it as the slice that it is. The old elements are unspecified, but elements all the same: memory that no launch has
/// written yet was filled with a pattern before.
///
/// It ends with the launch, so a body can keep neither it nor anything borrowed from it:
/// ```compile_fail,E0521
/// # use graph_runtime::Out;
/// fn body(next: Out<'_, [f32]>) {
///     std::thread::spawn(move || next.len());
/// }
/// ```
pub struct Out<'a, T: ?Sized> {
    target: &'a mut T,
}

impl<'a, T: ?Sized> Out<'a, T> {
    /// Of memory that is the launch's alone until it ends.
    pub fn new(target: &'a mut T) -> Self {
        Self { target }
    }
}

impl<T: ?Sized> Deref for Out<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.target
    }
}

impl<T: ?Sized> DerefMut for Out<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.target
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Out<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.target.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::Out;

    #[test]
    fn writes_reach_the_buffer() {
        let mut memory = [7.0_f32; 4];
        let mut out = Out::new(&mut memory[1..3]);
        assert_eq!(out.len(), 2);
        out[0] = 1.0;
        out.iter_mut().skip(1).for_each(|element| *element = 2.0);
        assert_eq!(format!("{out:?}"), "[1.0, 2.0]");
        assert_eq!(memory.map(f32::to_bits), [7.0_f32, 1.0, 2.0, 7.0].map(f32::to_bits));
    }
}
