//! What must not compile: project settings without a decision to trust the project.

#[test]
fn project_settings_need_a_trusted_project() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
