//! What the compiler says about blocks that are refused, and that near-misses are accepted.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    cases.compile_fail("ui/*/cg*.rs");
}
