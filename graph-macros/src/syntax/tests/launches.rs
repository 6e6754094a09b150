//! Rule L: which tokens are a launch's geometry.

use super::{fault, one, said};

#[test]
fn the_close_is_the_first_that_leaves_whole_expressions() {
    for (source, wanted) in [
        ("k<<<1, 2>>>();", "k<1,2>()"),
        ("k<<<size_of::<Vec<Vec<Vec<u8>>>>() as u32, 256>>>(&x);", "k<size_of::<Vec<Vec<Vec<u8>>>>()asu32,256>(& x)"),
        ("k<<<f::<A, B>(n), n >> 8>>>(&x);", "k<f::<A,B>(n),n>>8>(& x)"),
        ("k<<<<T as G>::N, 1>>>(&x);", "k<<TasG>::N,1>(& x)"),
        ("k<<<1, n>>(2)>>>(&x);", "k<1,n>>(2)>(& x)"),
        ("k < < < 1, 2 > > > (&x);", "k<1,2>(& x)"),
        ("k<<<256 >> 1, 1>>>(&x);", "k<256>>1,1>(& x)"),
        ("k<<<(w, h, 1), (16, 16), 4 * n>>>(n, -1.5, \"s\", n + 1,);", "k<(w,h,1),(16,16),4*n>(n, -1.5, \"s\", n+1)"),
        ("<T as Kernels>::k<<<1, 1>>>(&x);", "<TasKernels>::k<1,1>(& x)"),
        ("kernel<<<1, 1>>>(&x);", "kernel<1,1>(& x)"),
        ("::a::b::k<<<1, 1>>>(&x);", "::a::b::k<1,1>(& x)"),
        ("k<<<1, 2,>>>();", "k<1,2>()"),
    ] {
        assert_eq!(one(source), wanted, "{source}");
    }
}

#[test]
fn a_kernel_may_have_the_name_of_a_word() {
    for word in
        ["kernel", "limit", "every", "after", "copy", "fill", "swap", "drop", "host", "capture", "wait", "graph"]
    {
        assert_eq!(one(&format!("{word}<<<1, 1>>>(&x);")), format!("{word}<1,1>(& x)"));
    }
}

#[test]
fn generic_arguments_are_read_before_the_geometry() {
    assert_eq!(one("k::<Vec<Vec<u8>>><<<1,2>>>(&x);"), "k::<Vec<Vec<u8>>><1,2>(& x)");
    assert_eq!(one("a::axpy::<T, 4><<<1, 2>>>(&mut x);"), "a::axpy::<T,4><1,2>(&mut x)");
    let wanted = "CG0002 `::<T>` generic arguments in the middle of a kernel's path";
    assert_eq!(said(&fault("a::<T>::axpy<<<1, 2>>>(&mut x);")), wanted);
}

#[test]
fn a_block_may_be_left_out() {
    assert_eq!(one("k<<<n.div_ceil(64)>>>(&x);"), "k<n.div_ceil(64),>(& x)");
}

#[test]
fn a_geometry_that_is_none_is_reported_at_its_token() {
    for (source, wanted) in [
        ("k<<<n.div_ceil(,), 256>>>(&x);", "- `,` expected an expression"),
        ("k<<<n +, 256>>>(&x);", "- `,` expected an expression"),
        ("k<<<1, n + >>>(&x);", "- `>` expected an expression"),
        ("k<<<>>>(&x);", "CG0002 `<` expected a grid and a block: `<<<grid, block>>>`"),
        ("k<<<1, 1, 1, 1>>>(&x);", "CG0002 `1` expected at most grid, block and shared memory"),
        ("k<<<1, 1>>(&x);", "CG0002 `<` expected `>>>` and the kernel's arguments behind this `<<<`"),
        ("k<<<1, 1>>>;", "CG0002 `<` expected `>>>` and the kernel's arguments behind this `<<<`"),
        ("k<<1, 1>>(&x);", "CG0002 `<` expected `<<<` behind a kernel's name"),
        ("k<<<a[1 2], 1>>>(&x);", "- `2` unexpected token"),
        ("k<<<return, 1>>>(&x);", "CG0002 `return` `return` in a host expression"),
    ] {
        let fault = fault(source);
        let said = said(&fault);
        assert!(said.starts_with(wanted), "{source}: {said}");
    }
}
