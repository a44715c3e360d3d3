//! What must not compile: a key to a project that nobody decided on.

#[test]
fn a_trusted_project_cannot_be_made_outside() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
