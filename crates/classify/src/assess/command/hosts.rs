//! Hosts: who is talked to.

/// The host of an address: of a URL, of `user@host:port`, or of what only looks like one.
pub(super) fn host_of(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if let Some(inner) = host.strip_prefix('[') {
        return inner.split(']').next().unwrap_or_default();
    }
    // More than one colon is an address of the sixth version.
    match host.split_once(':') {
        Some((name, port)) if !port.contains(':') => name,
        _ => host,
    }
}

/// Whether nobody but this machine is talked to.
pub(super) fn is_loopback(address: &str) -> bool {
    if address.contains(['\\', ' ', '\t', '\n', '{', '[', '*']) && !address.contains("://[::1]") {
        return false;
    }
    let host = host_of(address).to_ascii_lowercase();
    let four = host.strip_prefix("127.").is_some_and(|rest| {
        let parts: Vec<&str> = rest.split('.').collect();
        parts.len() == 3
            && parts.iter().all(|part| {
                !part.is_empty() && part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit())
            })
    });
    four || matches!(host.as_str(), "localhost" | "::1")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("http://localhost:3000/health", true)]
    #[case("localhost", true)]
    #[case("LOCALHOST:80", true)]
    #[case("127.0.0.1:8080/x", true)]
    #[case("http://[::1]:80/", true)]
    #[case("http://localhost@evil.example/", false)]
    #[case("http://localhost.evil.example/", false)]
    #[case("http://evil.example/localhost", false)]
    #[case("http://127.0.0.1.evil.example", false)]
    #[case("http://evil.example#@localhost/", false)]
    #[case("http://evil.example\\@localhost/", false)]
    #[case("http://{localhost,evil.example}/", false)]
    #[case("127.evil", false)]
    #[case("", false)]
    fn only_this_machine_is_loopback(#[case] address: &str, #[case] expected: bool) {
        assert_eq!(is_loopback(address), expected);
    }
}
