//! `Condition`: what decides whether a loop makes another pass, set by a kernel of the user's.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering};

/// The condition of the `while |c|` that the kernel is launched in.
///
/// A body sets it, as the kernel on the device calls `cudaGraphSetConditional`: 0 ends the loop, anything else asks for another pass. What
/// is not set stays as it is.
#[derive(Clone, Copy, Debug)]
pub struct Condition<'a> {
    value: &'a AtomicU32,
}

impl<'a> Condition<'a> {
    /// Over a word of the caller's.
    pub fn new(value: &'a AtomicU32) -> Self {
        Self { value }
    }

    /// Whether there is another pass: 0 for none.
    pub fn set(self, value: u32) {
        self.value.store(value, Ordering::Relaxed);
    }
}

/// A condition's name in a check.
#[derive(Clone, Copy)]
pub struct ConditionName(PhantomData<()>);

impl ConditionName {
    /// For checks, which never run.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl Default for ConditionName {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_set_counts() {
        let value = AtomicU32::new(1);
        let condition = Condition::new(&value);
        condition.set(7);
        condition.set(0);
        assert_eq!(value.into_inner(), 0);
    }
}
