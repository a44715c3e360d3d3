//! What must not compile: the ways around a permit (invariant 1).

#[test]
fn there_is_no_way_around_a_permit() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
