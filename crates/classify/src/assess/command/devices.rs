//! Devices: those that keep nothing, and those that hold what nobody wants to lose.

/// Devices that hold nothing and keep nothing.
const HARMLESS: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/tty",
];

/// Whether nothing is told and nothing kept there.
pub(super) fn is_harmless_device(text: &str) -> bool {
    HARMLESS.contains(&text)
        || text
            .strip_prefix("/dev/fd/")
            .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether something that is no file would be written over.
pub(super) fn is_device(path: &str) -> bool {
    path.starts_with("/dev/") && !is_harmless_device(path) && !path.starts_with("/dev/shm/")
}
