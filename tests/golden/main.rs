//! Outlines and plans as text.

#[test]
fn outlines() {}
