//! The desk's page in a real browser. These are cases only where `cargo xtask browser` names a Chromium; in a plain test
//! run they have nothing to do.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use serde_json::{Value, json};

use crate::desk::{Asking, Desk, PATIENCE, id, list, scene};
use crate::harness::TestBox;

const CHROMIUM: &str = "PORTCULLIS_TEST_CHROMIUM";

/// A browser with one page, steered over a pipe.
struct Browser {
    child: Child,
    orders: ChildStdin,
    news: Receiver<Value>,
    sent: u64,
    page: String,
    _profile: tempfile::TempDir,
}

impl Browser {
    fn start(program: &str) -> Self {
        let profile = tempfile::tempdir().unwrap();
        // The pipe is read from descriptor 3 and written to descriptor 4.
        let mut child = Command::new("sh")
            .args([
                "-c",
                "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1",
                program,
            ])
            .args([
                "--headless=new",
                "--no-sandbox",
                "--remote-debugging-pipe",
                "--disable-gpu",
            ])
            .args([
                "--no-first-run",
                "--disable-background-networking",
                "--disable-dev-shm-usage",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let orders = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        let (sender, news) = channel();
        std::thread::spawn(move || {
            loop {
                let mut message = Vec::new();
                if answers.read_until(0, &mut message).unwrap_or(0) == 0 {
                    return;
                }
                message.pop();
                let Ok(value) = serde_json::from_slice(&message) else {
                    return;
                };
                if sender.send(value).is_err() {
                    return;
                }
            }
        });
        let mut browser = Self {
            child,
            orders,
            news,
            sent: 0,
            page: String::new(),
            _profile: profile,
        };
        browser.page = browser.new_page();
        browser
    }

    /// Another page, in a browser that knows nothing of the first one.
    fn new_page(&mut self) -> String {
        self.page = String::new();
        let context = self.order("Target.createBrowserContext", json!({}))["browserContextId"].clone();
        let target = self.order(
            "Target.createTarget",
            json!({"url": "about:blank", "browserContextId": context}),
        )["targetId"]
            .clone();
        let attached = self.order(
            "Target.attachToTarget",
            json!({"targetId": target, "flatten": true}),
        );
        attached["sessionId"].as_str().unwrap().to_owned()
    }

    fn order(&mut self, method: &str, params: Value) -> Value {
        self.sent += 1;
        let mut order = json!({"id": self.sent, "method": method, "params": params});
        if !self.page.is_empty() {
            order["sessionId"] = json!(self.page);
        }
        self.orders.write_all(format!("{order}\0").as_bytes()).unwrap();
        loop {
            let news = self.news.recv_timeout(PATIENCE).unwrap();
            if news["id"] == self.sent {
                assert!(news["error"].is_null(), "{method}: {news}");
                return news["result"].clone();
            }
        }
    }

    fn go(&mut self, url: &str) {
        self.order("Page.navigate", json!({"url": url}));
    }

    /// What an expression is worth on the page; null while there is none.
    fn worth(&mut self, expression: &str) -> Value {
        let expression = format!("(() => {{ try {{ return {expression} }} catch (e) {{ return null }} }})()");
        let result = self.order(
            "Runtime.evaluate",
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true}),
        );
        result["result"]["value"].clone()
    }

    /// Waits until an expression is true on the page.
    fn wait_for(&mut self, expression: &str) {
        let end = Instant::now() + PATIENCE;
        while self.worth(&format!("!!({expression})")) != true {
            let page = self.worth("document.documentElement.outerHTML");
            assert!(Instant::now() < end, "never: {expression} on {page}");
        }
    }

    fn wait_for_text(&mut self, text: &str) {
        self.wait_for(&format!("document.body.innerText.includes({})", json!(text)));
    }

    fn key(&mut self, key: &str, code: u32) {
        let text = match key {
            "Enter" => "\r",
            " " => " ",
            _ => "",
        };
        let down =
            json!({"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text});
        self.order("Input.dispatchKeyEvent", down);
        let up = json!({"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": code});
        self.order("Input.dispatchKeyEvent", up);
    }

    fn size(&mut self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": true});
        self.order("Emulation.setDeviceMetricsOverride", size);
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}

/// A desk, and a browser on its list of questions.
struct Scene {
    test: TestBox,
    desk: Desk,
    link: String,
    browser: Browser,
}

/// `None` in a plain test run.
fn open() -> Option<Scene> {
    open_with(&["--web"])
}

fn open_with(args: &[&str]) -> Option<Scene> {
    let program = std::env::var(CHROMIUM).ok()?;
    let test = scene();
    let mut desk = Desk::start(&test, args);
    let link = desk.line().strip_prefix("page ").unwrap().to_owned();
    let mut browser = Browser::start(&program);
    browser.go(&link);
    browser.wait_for("document.querySelector('main').dataset.view === 'list'");
    Some(Scene {
        test,
        desk,
        link,
        browser,
    })
}

const QUESTION: &str =
    "document.querySelector('main').dataset.view === 'question' && document.querySelector('form')";
const ALLOW: &str = "document.querySelector('input[value=allow_once]')";

#[test]
fn a_person_answers_and_the_page_follows() {
    let Some(mut scene) = open() else { return };
    let browser = &mut scene.browser;
    // Live: the question comes by itself, twice.
    let mut first = Asking::begin(&scene.desk, 1);
    browser.wait_for_text("1 open question");
    let _second = Asking::begin(&scene.desk, 2);
    browser.wait_for_text("2 open questions");
    browser.worth("document.querySelector('ol a').click()");
    browser.wait_for(QUESTION);
    assert_eq!(
        browser.worth("document.querySelector('input:checked').value"),
        "deny"
    );
    browser.worth(&format!("{ALLOW}.click()"));
    browser.worth("document.querySelector('button').click()");
    assert!(first.heard()["answer"]["answer"].get("allow_once").is_some());
    browser.wait_for_text("allowed once on the page");
    // Live: what is answered elsewhere takes its form away.
    browser.worth("document.querySelector('main a').click()");
    browser.wait_for_text("1 open question");
    browser.worth("document.querySelector('ol a').click()");
    browser.wait_for(QUESTION);
    scene.test.run(&["ask", "deny", &id(2)], "").assert_code(0);
    browser.wait_for_text("refused by `portcullis ask`");
    browser.wait_for("!document.querySelector('form')");
}

#[test]
fn the_keyboard_is_enough() {
    let Some(mut scene) = open() else { return };
    let browser = &mut scene.browser;
    let mut gate = Asking::begin(&scene.desk, 1);
    browser.wait_for_text("1 open question");
    let tab_to = |browser: &mut Browser, wanted: &str| {
        for _ in 0..20 {
            browser.key("Tab", 9);
            if browser.worth(&format!("document.activeElement.matches({})", json!(wanted))) == true {
                return;
            }
        }
        panic!("no way to {wanted}");
    };
    tab_to(browser, "ol a");
    browser.key("Enter", 13);
    browser.wait_for(QUESTION);
    tab_to(browser, "input[value=deny]");
    browser.key("ArrowDown", 40);
    browser.wait_for(&format!("{ALLOW}.checked"));
    tab_to(browser, "button");
    browser.key("Enter", 13);
    assert!(gate.heard()["answer"]["answer"].get("allow_once").is_some());
    browser.wait_for_text("allowed once on the page");
}

#[test]
fn without_scripts_it_is_answered_all_the_same() {
    let Some(mut scene) = open() else { return };
    let browser = &mut scene.browser;
    let mut gate = Asking::begin(&scene.desk, 1);
    let list_page = browser.worth("location.href").as_str().unwrap().to_owned();
    browser.order("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    browser.go(&list_page);
    browser.wait_for_text("1 open question");
    browser.go(&format!("{list_page}q/{}", id(1)));
    browser.wait_for(QUESTION);
    browser.worth("document.querySelector('[name=reason]').focus()");
    browser.order("Input.insertText", json!({"text": "use git rm"}));
    browser.key("Enter", 13);
    assert_eq!(gate.heard()["answer"]["answer"]["deny"]["reason"], "use git rm");
    browser.wait_for_text("refused (use git rm) on the page");
}

#[test]
fn a_used_link_and_a_browser_without_the_cookie_see_nothing() {
    let Some(mut scene) = open() else { return };
    let browser = &mut scene.browser;
    let _gate = Asking::begin(&scene.desk, 1);
    let list_page = browser.worth("location.href").as_str().unwrap().to_owned();
    browser.page = browser.new_page();
    browser.go(&scene.link);
    browser.wait_for_text("This link was used already");
    browser.go(&list_page);
    browser.wait_for_text("This page is closed");
    browser.go(&format!("{list_page}q/{}", id(1)));
    browser.wait_for_text("This page is closed");
}

#[test]
fn a_page_whose_time_is_over_answers_nothing() {
    let Some(mut scene) = open_with(&["--web", "--page-seconds", "8"]) else {
        return;
    };
    let browser = &mut scene.browser;
    let _gate = Asking::begin(&scene.desk, 1);
    browser.wait_for_text("1 open question");
    browser.worth("document.querySelector('ol a').click()");
    browser.wait_for(QUESTION);
    browser.worth(&format!("{ALLOW}.click()"));
    // The form stays on the screen; it is the server that has closed.
    let end = Instant::now() + PATIENCE;
    while browser.worth("fetch(location.href).then(r => r.status === 403)") != true {
        assert!(Instant::now() < end, "it never ends");
    }
    browser.worth("document.querySelector('button').click()");
    browser.wait_for_text("This page is closed");
    assert_eq!(list(&scene.test).len(), 1);
}

/// What is marked in a command is marked on the page, and a directory is named by choosing it.
#[test]
fn a_command_is_marked_and_more_is_offered() {
    let Some(mut scene) = open() else { return };
    let browser = &mut scene.browser;
    let mut gate = Asking::with(&scene.desk, 1, |asked| {
        asked["commands"] = json!([[
            {"text": "ls && ", "marked": false}, {"text": "rm <b>", "marked": true}, {"text": "; id", "marked": false},
        ]]);
        asked["offers"] = json!({
            "for_a_time": true, "in_session": true, "below": ["/work/app/build", "/work/app"], "kept": true,
            "because": null,
        });
    });
    browser.wait_for_text("1 open question");
    browser.worth("document.querySelector('ol a').click()");
    browser.wait_for(QUESTION);
    assert_eq!(
        browser.worth("document.querySelector('mark').textContent"),
        "rm <b>"
    );
    assert_eq!(
        browser.worth("document.querySelector('code').textContent"),
        "ls && rm <b>; id"
    );
    assert_eq!(
        browser.worth("document.querySelector('input:checked').value"),
        "deny"
    );
    browser.worth("document.querySelector('summary').click()");
    browser.worth("document.querySelector('input[value=allow_below]').click()");
    browser.worth("document.querySelector('select').value = '/work/app'");
    browser.worth("document.querySelector('input[name=keep]').click()");
    browser.worth("document.querySelector('button').click()");
    assert_eq!(
        gate.heard()["answer"]["answer"]["allow_always"],
        json!({"lasts_s": 3600, "this_session": false, "below": "/work/app", "kept": true})
    );
    browser.wait_for_text("allowed, and the same again for 1 h 0 min below /work/app, also after a restart");
}

/// A page on another port of this machine, which is the same site and another origin, knows everything, the word of the
/// form too, and the browser sends the cookie with its form: that its origin is another one stops it. Its frame and its
/// script get nowhere.
#[test]
fn a_foreign_page_answers_nothing() {
    let Some(mut scene) = open() else { return };
    let browser = &mut scene.browser;
    let _gate = Asking::begin(&scene.desk, 1);
    let question = format!("{}q/{}", browser.worth("location.href").as_str().unwrap(), id(1));
    browser.go(&question);
    browser.wait_for(QUESTION);
    let word = browser.worth("document.querySelector('[name=word]').value");
    let word = word.as_str().unwrap();
    let evil = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = format!("http://{}/", evil.local_addr().unwrap());
    let page = format!(
        "<!doctype html><title>evil</title><form method=post action=\"{question}\">\
         <input name=word value={word}><input name=answer value=allow_once></form><iframe src=\"{question}\"></iframe>\
         <script>window.read = 'nothing'; fetch('{question}', {{credentials: 'include'}})\
         .then(r => r.text()).then(t => {{ window.read = t }}, () => {{ window.read = 'refused' }});</script>"
    );
    let cookies = std::thread::spawn(move || {
        let mut cookies = String::new();
        let (mut stream, _) = evil.accept().unwrap();
        let mut request = [0; 4096];
        let length = stream.read(&mut request).unwrap();
        cookies.push_str(&String::from_utf8_lossy(&request[..length]));
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n",
            page.len()
        );
        stream
            .write_all(format!("{head}Connection: close\r\n\r\n{page}").as_bytes())
            .unwrap();
        cookies
    });
    browser.go(&place);
    browser.wait_for("window.read === 'refused'");
    // The desk's cookie is not for other ports.
    let request = cookies.join().unwrap();
    assert!(!request.contains("desk="), "{request}");
    browser.worth("document.querySelector('form').submit()");
    browser.wait_for_text("comes from a page of another origin");
    assert_eq!(list(&scene.test).len(), 1);
}

#[test]
fn hostile_text_does_nothing() {
    let Some(mut scene) = open() else { return };
    let browser = &mut scene.browser;
    let hostile = "<script>window.pwned=1</script>\"><img src=x onerror=\"window.pwned=1\">'</main></code>\u{202e}\u{200b}\
                   <form><input type=radio checked value=allow_once name=answer>javascript:window.pwned=1 ";
    let _gate = Asking::with(&scene.desk, 1, |asked| {
        for member in ["from", "call", "tool", "agent"] {
            asked[member] = json!(hostile);
        }
        asked["effects"] = json!([
            hostile.repeat(20),
            "\u{5d0}\u{5d1}\u{5d2} 123 /etc/\u{627}\u{628}"
        ]);
        asked["causes"] = json!([{"rule": hostile, "layer": hostile, "text": hostile}]);
    });
    for open_it in [false, true] {
        if open_it {
            browser.worth("document.querySelector('ol a').click()");
            browser.wait_for(QUESTION);
        } else {
            browser.wait_for_text("1 open question");
        }
        assert_eq!(browser.worth("window.pwned === undefined"), true);
        assert_eq!(
            browser.worth("document.querySelectorAll('img, main script, main form, main input').length"),
            0
        );
        assert_eq!(
            browser.worth("document.body.innerText.includes('<script>window.pwned=1</script>')"),
            true
        );
        assert_eq!(
            browser.worth("document.documentElement.scrollWidth <= window.innerWidth"),
            true
        );
    }
    assert_eq!(
        browser.worth("document.querySelector('input:checked').value"),
        "deny"
    );
}

#[test]
fn on_a_narrow_screen_the_choices_are_there() {
    let Some(mut scene) = open() else { return };
    let browser = &mut scene.browser;
    let _gate = Asking::with(&scene.desk, 1, |asked| {
        asked["effects"] = json!(
            (0..40)
                .map(|n| format!("delete /{}{n}", "x".repeat(400)))
                .collect::<Vec<_>>()
        );
    });
    browser.wait_for_text("1 open question");
    browser.worth("document.querySelector('ol a').click()");
    browser.wait_for(QUESTION);
    browser.worth(
        "document.querySelector('details') && document.querySelector('details').removeAttribute('open')",
    );
    for (width, height) in [(320, 480), (320, 320), (280, 653), (1280, 800)] {
        browser.size(width, height);
        browser.wait_for(&format!("window.innerWidth === {width}"));
        let outside = browser.worth(
            "[...document.querySelectorAll('form label, form button')].filter(e => { const r = e.getBoundingClientRect(); \
             return r.top < 0 || r.left < 0 || r.bottom > innerHeight || r.right > innerWidth }).length",
        );
        assert_eq!(outside, 0, "{width} x {height}");
        assert_eq!(
            browser.worth("document.documentElement.scrollWidth <= innerWidth"),
            true
        );
        assert_eq!(
            browser.worth("document.querySelector('main').clientHeight > 40"),
            true,
            "{width} x {height}"
        );
    }
}
