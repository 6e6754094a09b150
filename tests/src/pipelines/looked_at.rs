//! `assert!` and `assert_eq!` for pipelines: nothing is claimed of values where the device executes nothing ([`crate::run::watched`]).

macro_rules! assert_eq {
    ($($compared:tt)*) => {
        if $crate::run::computes() {
            ::std::assert_eq!($($compared)*);
        }
    };
}

macro_rules! assert {
    ($($claimed:tt)*) => {
        if $crate::run::computes() {
            ::std::assert!($($claimed)*);
        }
    };
}
