use std::io::{self, Write};

/// An answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reply {
    status: u16,
    kind: &'static str,
    more: Vec<(&'static str, String)>,
    body: String,
}

/// On every answer: nothing from elsewhere is loaded, nobody frames the page, no copy stays anywhere. `same-origin` and
/// not `no-referrer`, under which browsers send forms without their origin.
pub(super) const ALWAYS: &str = "Cache-Control: no-store\r\n\
    Content-Security-Policy: default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
    form-action 'self'; frame-ancestors 'none'; base-uri 'none'\r\n\
    X-Frame-Options: DENY\r\n\
    X-Content-Type-Options: nosniff\r\n\
    Referrer-Policy: same-origin\r\n\
    Cross-Origin-Opener-Policy: same-origin\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Connection: close\r\n";

impl Reply {
    pub(crate) fn page(status: u16, body: String) -> Self {
        Self::of(status, "text/html; charset=utf-8", body)
    }

    pub(crate) fn of(status: u16, kind: &'static str, body: impl Into<String>) -> Self {
        Self {
            status,
            kind,
            more: Vec::new(),
            body: body.into(),
        }
    }

    /// Shows another page instead.
    pub(crate) fn see(place: String) -> Self {
        Self::of(303, "text/plain", "").with("Location", place)
    }

    pub(crate) fn with(mut self, name: &'static str, value: String) -> Self {
        self.more.push((name, value));
        self
    }

    pub(crate) fn send(&self, stream: &mut impl Write, head_only: bool) -> io::Result<()> {
        let (status, kind, length) = (self.status, self.kind, self.body.len());
        let mut text = format!(
            "HTTP/1.1 {status} {}\r\n{ALWAYS}Content-Type: {kind}\r\nContent-Length: {length}\r\n",
            word(status)
        );
        for (name, value) in &self.more {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str("\r\n");
        if !head_only {
            text.push_str(&self.body);
        }
        stream.write_all(text.as_bytes())
    }
}

fn word(status: u16) -> &'static str {
    match status {
        200 => "OK",
        303 => "See Other",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        _ => "Service Unavailable",
    }
}
