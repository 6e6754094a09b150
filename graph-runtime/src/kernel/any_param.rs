//! `kernel::__p7(expression)` for parameters that a kernel does not have as a value.

macro_rules! any_param {
    ($($name:ident)*) => {
        /// A compound argument is written as a call of the parameter's own function, so that its type is the parameter's. Where a kernel
        /// has no such value parameter, the check of the whole call has already failed: these let the argument pass, whatever it is.
        #[doc(hidden)]
        pub trait AnyParam {
            $(
                #[doc(hidden)]
                fn $name<T>(value: T) -> T {
                    value
                }
            )*
        }
    };
}

any_param! {
    __p0 __p1 __p2 __p3 __p4 __p5 __p6 __p7 __p8 __p9 __p10 __p11 __p12 __p13 __p14 __p15
    __p16 __p17 __p18 __p19 __p20 __p21 __p22 __p23 __p24 __p25 __p26 __p27 __p28 __p29 __p30 __p31
    __p32 __p33 __p34 __p35 __p36 __p37 __p38 __p39 __p40 __p41 __p42 __p43 __p44 __p45 __p46 __p47
    __p48 __p49 __p50 __p51 __p52 __p53 __p54 __p55 __p56 __p57 __p58 __p59 __p60 __p61 __p62 __p63
}
