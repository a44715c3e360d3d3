//! The desk's page, asked with requests that no browser would send, and with those that one without scripts does.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use rstest::rstest;
use serde_json::{Value, json};

use crate::desk::{Asking, Desk, PATIENCE, id, list, scene};
use crate::harness::TestBox;

/// A desk with a page, and one browser's knowledge of it.
struct Page {
    test: TestBox,
    desk: Desk,
    host: String,
    link: String,
    base: String,
    cookie: String,
}

/// An answer, taken apart.
#[derive(Debug)]
struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Reply {
    fn header(&self, name: &str) -> Option<&str> {
        self.head
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

impl Page {
    fn open() -> Self {
        Self::open_with(&["--web"])
    }

    fn open_with(args: &[&str]) -> Self {
        let test = scene();
        let mut desk = Desk::start(&test, args);
        let url = desk.line().strip_prefix("page http://").unwrap().to_owned();
        let (host, link) = url.split_once('/').unwrap();
        let mut page = Self {
            test,
            desk,
            host: host.to_owned(),
            link: format!("/{link}"),
            base: String::new(),
            cookie: String::new(),
        };
        let entered = page.get(&page.link);
        assert_eq!(entered.status, 200, "{entered:?}");
        let cookie = entered.header("Set-Cookie").unwrap();
        assert!(
            cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
            "{cookie}"
        );
        page.cookie = cookie.split(';').next().unwrap().to_owned();
        let path = cookie.split("Path=").nth(1).unwrap();
        page.base = path.split(';').next().unwrap().to_owned();
        assert!(entered.body.contains(&format!("url={}", page.base)));
        page
    }

    fn send(&self, request: &str) -> Reply {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // Who is turned away does not read to the end.
        let _turned = stream.write_all(request.as_bytes());
        let mut bytes = Vec::new();
        let _reset = stream.read_to_end(&mut bytes);
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text.as_str(), ""));
        let status = head.split(' ').nth(1).map_or(0, |status| status.parse().unwrap());
        Reply {
            status,
            head: head.replace("\r\n", "\n"),
            body: body.to_owned(),
        }
    }

    /// As the browser does, with these headers instead of its own.
    fn request(&self, method: &str, path: &str, headers: &[(&str, Option<&str>)], body: &str) -> Reply {
        let mut all = vec![("Host", self.host.clone()), ("Cookie", self.cookie.clone())];
        if method == "POST" {
            all.push(("Origin", format!("http://{}", self.host)));
            all.push(("Content-Type", "application/x-www-form-urlencoded".to_owned()));
            all.push(("Content-Length", body.len().to_string()));
        }
        for (name, value) in headers {
            all.retain(|(known, _)| known != name);
            all.extend(value.map(|value| (*name, value.to_owned())));
        }
        let head: String = all
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        self.send(&format!("{method} {path} HTTP/1.1\r\n{head}\r\n{body}"))
    }

    fn get(&self, path: &str) -> Reply {
        self.request("GET", path, &[], "")
    }

    fn question(&self) -> String {
        format!("{}q/{}", self.base, id(1))
    }

    /// The word of the form on the question's page.
    fn word(&self) -> String {
        self.word_at(&self.question())
    }

    fn word_at(&self, question: &str) -> String {
        let body = self.get(question).body;
        let after = body.split("name=\"word\" value=\"").nth(1).unwrap();
        after.split('"').next().unwrap().to_owned()
    }

    fn form(&self, answer: &str) -> String {
        format!("word={}&answer={answer}&reason=", self.word())
    }
}

#[test]
fn a_question_is_answered_without_a_script() {
    let page = Page::open();
    let mut gate = Asking::begin(&page.desk, 1);
    let list = page.get(&page.base);
    assert!(list.body.contains("1 open question"), "{}", list.body);
    assert!(
        list.body.contains(&format!("href=\"{}\"", page.question())),
        "{}",
        list.body
    );
    assert!(!list.body.contains("<form"), "what moves is not answered");
    let question = page.get(&page.question());
    assert!(
        question.body.contains("value=\"deny\" checked"),
        "{}",
        question.body
    );
    assert_eq!(question.body.matches(" checked").count(), 1);
    let body = page.form("allow_once");
    let answered = page.request("POST", &page.question(), &[], &body);
    assert_eq!(
        (answered.status, answered.header("Location")),
        (303, Some(page.question().as_str()))
    );
    assert!(gate.heard()["answer"]["answer"].get("allow_once").is_some());
    let over = page.get(&page.question());
    assert!(
        over.body.contains("allowed once on the page") && !over.body.contains("<form"),
        "{}",
        over.body
    );
    let again = page.request("POST", &page.question(), &[], &body);
    assert_eq!(again.status, 409);
    assert!(again.body.contains("it was answered before"), "{}", again.body);
    page.test.run(&["ask", "deny", &id(1)], "").assert_code(1);
    let told = "allowed once on the page; 2 answers came later and were not taken";
    for shown in [page.get(&page.question()), page.get(&page.base)] {
        assert!(shown.body.contains(told), "{}", shown.body);
    }
}

/// Two people at once, on the page and with a script: one of them answers, and the other is told so.
#[test]
fn of_a_page_and_a_script_at_once_one_answers() {
    let page = Page::open();
    for number in 1..=4 {
        let mut gate = Asking::begin(&page.desk, number);
        let place = format!("{}q/{}", page.base, id(number));
        let body = format!("word={}&answer=deny&reason=", page.word_at(&place));
        let (posted, code) = std::thread::scope(|threads| {
            let posting = threads.spawn(|| page.request("POST", &place, &[], &body).status);
            let code = page.test.run(&["ask", "allow", &id(number)], "").code;
            (posting.join().unwrap(), code)
        });
        assert!(
            [(303, Some(1)), (409, Some(0))].contains(&(posted, code)),
            "{posted} {code:?}"
        );
        let heard = gate.heard();
        let is_allowed = heard["answer"]["answer"].get("allow_once").is_some();
        assert_eq!(is_allowed, code == Some(0), "{heard}");
        assert_eq!(gate.heard(), Value::Null);
    }
}

#[test]
fn a_no_on_the_page_brings_its_words() {
    let page = Page::open();
    let mut gate = Asking::begin(&page.desk, 1);
    let body = format!("word={}&answer=deny&reason=use+git%20rm%1b", page.word());
    assert_eq!(page.request("POST", &page.question(), &[], &body).status, 303);
    let heard = gate.heard();
    assert_eq!(heard["answer"]["answer"]["deny"]["reason"], "use git rm\\u{1b}");
}

/// Requests from elsewhere: another name for this server, another page's form, nobody's form.
#[rstest]
#[case::another_name(&[("Host", Some("evil.example:80"))], 403)]
#[case::localhost(&[("Host", Some("localhost"))], 403)]
#[case::no_name(&[("Host", None)], 403)]
#[case::a_foreign_page(&[("Origin", Some("http://evil.example"))], 403)]
#[case::a_hidden_page(&[("Origin", Some("null"))], 403)]
#[case::no_origin(&[("Origin", None)], 403)]
#[case::another_port(&[("Origin", Some("http://127.0.0.1:1"))], 403)]
#[case::another_site(&[("Sec-Fetch-Site", Some("cross-site"))], 403)]
#[case::the_same_site(&[("Sec-Fetch-Site", Some("same-site"))], 403)]
#[case::nobodys(&[("Sec-Fetch-Site", Some("none"))], 403)]
#[case::no_cookie(&[("Cookie", None)], 403)]
#[case::another_cookie(&[("Cookie", Some("desk=0123456789abcdef0123456789abcdef"))], 403)]
#[case::json(&[("Content-Type", Some("application/json"))], 415)]
#[case::text(&[("Content-Type", Some("text/plain"))], 415)]
#[case::chunks(&[("Transfer-Encoding", Some("chunked"))], 400)]
#[case::a_length_too_short(&[("Content-Length", Some("3"))], 400)]
fn what_does_not_come_from_the_page_answers_nothing(
    #[case] headers: &[(&str, Option<&str>)],
    #[case] status: u16,
) {
    let page = Page::open();
    let mut gate = Asking::begin(&page.desk, 1);
    let body = page.form("allow_once");
    let reply = page.request("POST", &page.question(), headers, &body);
    assert_eq!(reply.status, status, "{reply:?}");
    assert_eq!(list(&page.test).len(), 1);
    page.test.run(&["ask", "deny", &id(1)], "").assert_code(0);
    assert!(gate.heard()["answer"]["answer"].get("deny").is_some());
}

/// The form's word is this visit's, and the form is the form.
#[rstest]
#[case::no_word("answer=allow_once", 400)]
#[case::a_guessed_word("word=0123456789abcdef0123456789abcdef&answer=allow_once", 403)]
#[case::an_empty_word("word=&answer=allow_once", 403)]
#[case::no_answer("word=WORD", 400)]
#[case::true_is_no_answer("word=WORD&answer=true", 400)]
#[case::two_answers("word=WORD&answer=deny&answer=allow_once", 400)]
#[case::nothing("", 400)]
#[case::too_much("TOO MUCH", 413)]
fn what_is_not_the_form_answers_nothing(#[case] body: &str, #[case] status: u16) {
    let page = Page::open();
    let _gate = Asking::begin(&page.desk, 1);
    let body = body
        .replace("WORD", &page.word())
        .replace("TOO MUCH", &"x".repeat(1 << 16));
    let reply = page.request("POST", &page.question(), &[], &body);
    assert_eq!(reply.status, status, "{reply:?}");
    assert_eq!(list(&page.test).len(), 1);
}

/// A link opens once; a look ahead does not use it up; a new one is had from the desk.
#[test]
fn a_link_opens_once() {
    let page = Page::open();
    let again = page.get(&page.link);
    assert_eq!(again.status, 403);
    assert!(
        again.body.contains("used already") && again.header("Set-Cookie").is_none(),
        "{again:?}"
    );
    assert_eq!(page.get("/enter?key=").status, 403);
    assert_eq!(page.get("/enter").status, 403);
    let new = page.test.run(&["desk", "--link"], "");
    new.assert_code(0);
    let new = new.stdout.trim_end().strip_prefix("http://").unwrap().to_owned();
    let path = new.strip_prefix(&page.host).unwrap();
    assert_ne!(page.request("HEAD", path, &[], "").status, 200);
    assert_eq!(
        page.request("GET", path, &[("Origin", Some("http://evil.example"))], "")
            .status,
        403
    );
    assert_eq!(page.get(path).status, 200);
    assert_eq!(page.get(path).status, 403);
}

/// A page whose time is over shows nothing and answers nothing, and neither does a link that nobody used.
#[test]
fn a_page_and_a_link_end_with_their_time() {
    let page = Page::open_with(&["--web", "--page-seconds", "2"]);
    let link = page.test.run(&["desk", "--link"], "");
    let unused = link.stdout.trim_end().strip_prefix("http://").unwrap().to_owned();
    let unused = unused.strip_prefix(&page.host).unwrap();
    let gate = Asking::begin(&page.desk, 1);
    let body = page.form("allow_once");
    let end = std::time::Instant::now() + PATIENCE;
    let closed = loop {
        let reply = page.get(&page.base);
        if reply.status != 200 {
            break reply;
        }
        assert!(std::time::Instant::now() < end, "it never ends");
        std::thread::park_timeout(std::time::Duration::from_millis(50));
    };
    assert_eq!(closed.status, 403);
    assert!(closed.body.contains("This page is closed"), "{}", closed.body);
    let posted = page.request("POST", &page.question(), &[], &body);
    assert_eq!(posted.status, 403, "{posted:?}");
    // The link is younger than the page by less than the page's life.
    let entered = loop {
        let reply = page.get(&page.question());
        assert_eq!(reply.status, 403);
        let now = page.get("/enter?key=0");
        assert_eq!(now.status, 403);
        if std::time::Instant::now() > end - PATIENCE + std::time::Duration::from_secs(3) {
            break page.get(unused);
        }
        std::thread::park_timeout(std::time::Duration::from_millis(50));
    };
    assert_eq!(entered.status, 403, "{entered:?}");
    assert!(entered.header("Set-Cookie").is_none());
    assert_eq!(list(&page.test).len(), 1);
    drop(gate);
}

/// Nothing is shown without place and cookie, and nothing answers to a GET.
#[test]
fn nothing_is_shown_to_others() {
    let page = Page::open();
    let _gate = Asking::begin(&page.desk, 1);
    let other = "/d/0123456789abcdef0123456789abcdef/";
    let no_cookie = [("Cookie", None)];
    for (reply, status) in [
        (page.get("/"), 404),
        (page.get(other), 403),
        (page.get(&page.base.replace("/d/", "/D/")), 404),
        (page.request("GET", &page.base, &no_cookie, ""), 403),
        (
            page.request("GET", &format!("{}events", page.base), &no_cookie, ""),
            403,
        ),
        (page.request("GET", &page.question(), &no_cookie, ""), 403),
        (
            page.request("GET", &page.base, &[("Host", Some("evil.example"))], ""),
            403,
        ),
        (
            page.request("GET", &page.base, &[("Sec-Fetch-Site", Some("cross-site"))], ""),
            403,
        ),
        (page.request("DELETE", &page.question(), &[], ""), 405),
        (page.request("POST", &page.base, &[], "x=1"), 404),
        (page.get(&format!("{}q/{}", page.base, id(9))), 404),
        (page.get(&format!("{}?answer=allow_once", page.question())), 200),
        (
            page.send("GET http://evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n"),
            400,
        ),
        (page.send("nonsense\r\n\r\n"), 400),
        (
            page.send(&format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(1 << 16))),
            413,
        ),
    ] {
        assert_eq!(reply.status, status, "{reply:?}");
        let shows = reply.body.contains("/work/app");
        assert!(!shows || status == 200, "{reply:?}");
    }
    assert_eq!(list(&page.test).len(), 1);
}

#[test]
fn every_answer_keeps_strangers_out() {
    let page = Page::open();
    let _gate = Asking::begin(&page.desk, 1);
    for path in [
        "/page.css",
        "/page.js",
        "/nothing",
        &page.base,
        &page.question(),
        "/enter",
    ] {
        let reply = page.get(path);
        let policy = reply.header("Content-Security-Policy").unwrap();
        for word in [
            "default-src 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'",
            "base-uri 'none'",
        ] {
            assert!(policy.contains(word), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(reply.header("X-Frame-Options"), Some("DENY"));
        assert_eq!(reply.header("X-Content-Type-Options"), Some("nosniff"));
        assert_eq!(reply.header("Cache-Control"), Some("no-store"));
        assert!(reply.header("Access-Control-Allow-Origin").is_none());
        // Nothing from elsewhere is asked for.
        assert!(
            !reply.body.contains("http://") && !reply.body.contains("https://"),
            "{path}"
        );
        assert!(
            !reply.body.contains("<script>") && !reply.body.contains(" onclick"),
            "{path}"
        );
    }
}

#[test]
fn hostile_text_stays_text() {
    let page = Page::open();
    let hostile =
        "<script>alert(1)</script>\"><img src=x onerror=alert(1)>'&amp;\u{202e}\u{200b}\u{1b}[2J</main>";
    let _gate = Asking::with(&page.desk, 1, |asked| {
        for member in ["from", "call", "tool", "agent"] {
            asked[member] = json!(hostile);
        }
        asked["effects"] = json!([hostile]);
        asked["causes"] = json!([{"rule": hostile, "layer": hostile, "text": hostile}]);
    });
    for path in [page.base.clone(), page.question()] {
        let body = page.get(&path).body;
        assert!(!body.contains("<script>") && !body.contains("<img"), "{body}");
        assert!(!body.contains(['\u{202e}', '\u{200b}', '\u{1b}']), "{body}");
        assert_eq!(body.matches("</main>").count(), 1);
        assert!(body.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{body}");
        assert!(body.contains("&amp;amp;") && body.contains("\\u{202e}"), "{body}");
    }
}

/// The page hears of every change, wherever it happened.
#[test]
fn a_live_page_hears_of_every_change() {
    let page = Page::open();
    let mut stream = TcpStream::connect(&page.host).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let request = format!(
        "GET {}events HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n",
        page.base, page.host, page.cookie
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut heard = String::new();
    let mut until = |count: usize| {
        while heard.matches("data: ").count() < count {
            let mut chunk = [0; 1024];
            let length = stream.read(&mut chunk).unwrap();
            assert!(length > 0, "it ended: {heard}");
            heard.push_str(std::str::from_utf8(&chunk[..length]).unwrap());
        }
        heard.contains("Content-Type: text/event-stream")
    };
    assert!(until(1));
    let mut gate = Asking::begin(&page.desk, 1);
    assert!(until(2));
    page.test.run(&["ask", "allow", &id(1)], "").assert_code(0);
    assert!(until(3));
    assert_ne!(gate.heard(), Value::Null);
}

#[test]
fn a_desk_without_a_page_has_no_link() {
    let test = scene();
    let _desk = Desk::start(&test, &[]);
    let outcome = test.run(&["desk", "--link"], "");
    outcome.assert_code(2);
    assert!(outcome.stderr.contains("shows no page"), "{}", outcome.stderr);
}
