//! The workspace's own tasks.
fn main() {}
