//! The desk's page in a real browser. These are cases only where `cargo xtask browser` names a Chromium; in a plain test
//! run they have nothing to do.

mod answers;
mod looks;
mod strangers;

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use serde_json::{Value, json};

use crate::desk::{Desk, PATIENCE, scene};
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
        let news = self.news_of(method, params);
        assert!(news["error"].is_null(), "{method}: {news}");
        news["result"].clone()
    }

    fn news_of(&mut self, method: &str, params: Value) -> Value {
        self.sent += 1;
        let mut order = json!({"id": self.sent, "method": method, "params": params});
        if !self.page.is_empty() {
            order["sessionId"] = json!(self.page);
        }
        self.orders.write_all(format!("{order}\0").as_bytes()).unwrap();
        loop {
            let news = self.news.recv_timeout(PATIENCE).unwrap();
            if news["id"] == self.sent {
                return news;
            }
        }
    }

    fn go(&mut self, url: &str) {
        self.order("Page.navigate", json!({"url": url}));
    }

    /// What an expression is worth on the page; null while there is none.
    fn worth(&mut self, expression: &str) -> Value {
        let expression = format!("(() => {{ try {{ return {expression} }} catch (e) {{ return null }} }})()");
        // A page that goes over to the next one meanwhile is worth nothing yet, and says so with an error.
        let news = self.news_of(
            "Runtime.evaluate",
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true}),
        );
        news["result"]["result"]["value"].clone()
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
