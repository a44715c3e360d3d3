use std::collections::BTreeMap;
use std::io::{ErrorKind, Read as _};
use std::net::TcpStream;
use std::time::Duration;

use portcullis::{Clock as _, Moment, SystemClock};

/// Largest head and largest body, in bytes.
const LARGEST_HEAD: usize = 16 << 10;
const LARGEST_BODY: usize = 8 << 10;
const MOST_HEADERS: usize = 64;
/// How long a whole request may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// A request, as far as it matters here.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Without the query.
    pub(crate) path: String,
    pub(crate) query: String,
    headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// Why there is no request to answer, as a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    /// Nobody is there any more, or is too slow.
    Gone,
    /// It cannot be understood in exactly one way.
    Bad,
    /// Head or body are too large.
    Large,
}

impl Request {
    /// Reads one request. Whatever could be read in two ways is not read.
    pub(crate) fn read(stream: &mut TcpStream, clock: &SystemClock) -> Result<Self, Unread> {
        let until = clock.now().after(PATIENCE);
        let mut bytes = Vec::new();
        let head = loop {
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            if bytes.len() > LARGEST_HEAD {
                return Err(Unread::Large);
            }
            receive(stream, &mut bytes, clock, until)?;
        };
        let mut request = Self::parse(bytes.get(..head).unwrap_or_default())?;
        let length = request.length()?;
        while bytes.len() < head + length {
            receive(stream, &mut bytes, clock, until)?;
        }
        // One request a connection: what stands behind it is another's.
        if bytes.len() != head + length {
            return Err(Unread::Bad);
        }
        request.body = bytes.split_off(head);
        Ok(request)
    }

    fn parse(head: &[u8]) -> Result<Self, Unread> {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        match parsed.parse(head) {
            Ok(httparse::Status::Complete(_)) => {}
            Ok(httparse::Status::Partial) | Err(_) => return Err(Unread::Bad),
        }
        let target = parsed
            .path
            .filter(|target| target.starts_with('/'))
            .ok_or(Unread::Bad)?;
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut request = Self {
            method: parsed.method.unwrap_or_default().to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            ..Self::default()
        };
        for header in parsed.headers.iter() {
            let value = std::str::from_utf8(header.value).map_err(|_| Unread::Bad)?;
            let name = header.name.to_ascii_lowercase();
            // Two of a kind could be read in two ways.
            if request.headers.insert(name, value.to_owned()).is_some() {
                return Err(Unread::Bad);
            }
        }
        Ok(request)
    }

    fn length(&self) -> Result<usize, Unread> {
        if self.header("transfer-encoding").is_some() {
            return Err(Unread::Bad);
        }
        let Some(text) = self.header("content-length") else {
            return Ok(0);
        };
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Unread::Bad);
        }
        match text.parse() {
            Ok(length) if length <= LARGEST_BODY => Ok(length),
            _ => Err(Unread::Large),
        }
    }

    /// A header by its lower-case name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// Every value of cookies of this name.
    pub(crate) fn cookies(&self, name: &str) -> Vec<&str> {
        let all = self.header("cookie").unwrap_or_default().split(';');
        all.filter_map(|pair| pair.trim().split_once('='))
            .filter(|(known, _)| *known == name)
            .map(|(_, value)| value)
            .collect()
    }
}

fn receive(
    stream: &mut TcpStream,
    bytes: &mut Vec<u8>,
    clock: &SystemClock,
    until: Moment,
) -> Result<(), Unread> {
    let left = until.since(clock.now());
    if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
        return Err(Unread::Gone);
    }
    let mut chunk = [0_u8; 4096];
    match stream.read(&mut chunk) {
        Ok(0) => Err(Unread::Gone),
        Ok(length) => {
            bytes.extend_from_slice(chunk.get(..length).unwrap_or_default());
            Ok(())
        }
        Err(error) if error.kind() == ErrorKind::Interrupted => Ok(()),
        Err(_) => Err(Unread::Gone),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn a_request_is_taken_apart() {
        let head = b"GET /d/x/?a=1 HTTP/1.1\r\nHost: h\r\nCookie: desk=1; other=2; desk=3\r\n\r\n";
        let request = Request::parse(head).unwrap();
        assert_eq!(
            (
                request.path.as_str(),
                request.query.as_str(),
                request.header("host")
            ),
            ("/d/x/", "a=1", Some("h"))
        );
        assert_eq!(request.cookies("desk"), ["1", "3"]);
        assert_eq!(request.length(), Ok(0));
    }

    #[rstest]
    #[case::another_server("GET http://evil/ HTTP/1.1\r\nHost: h\r\n\r\n")]
    #[case::no_path("GET * HTTP/1.1\r\nHost: h\r\n\r\n")]
    #[case::two_hosts("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n")]
    #[case::two_origins("POST / HTTP/1.1\r\nHost: h\r\nOrigin: a\r\nOrigin: b\r\n\r\n")]
    #[case::folded("GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n")]
    #[case::no_http("hello\r\n\r\n")]
    #[case::a_control_character("GET / HTTP/1.1\r\nHost: \u{1}\r\n\r\n")]
    fn what_can_be_read_in_two_ways_is_not_read(#[case] head: &str) {
        assert_eq!(Request::parse(head.as_bytes()), Err(Unread::Bad));
    }

    #[rstest]
    #[case("Transfer-Encoding: chunked", Err(Unread::Bad))]
    #[case("Content-Length: +1", Err(Unread::Bad))]
    #[case("Content-Length: 1, 1", Err(Unread::Bad))]
    #[case("Content-Length: 99999999999999999999999", Err(Unread::Large))]
    #[case("Content-Length: 8193", Err(Unread::Large))]
    #[case("Content-Length: 8192", Ok(8192))]
    fn the_length_is_one_number(#[case] header: &str, #[case] length: Result<usize, Unread>) {
        let head = format!("POST / HTTP/1.1\r\nHost: h\r\n{header}\r\n\r\n");
        assert_eq!(Request::parse(head.as_bytes()).unwrap().length(), length);
    }
}
