//! Who may not answer, cannot: without the cookie, after its time, and from another origin.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::Instant;

use super::{ALLOW, QUESTION, open, open_with};
use crate::desk::{Asking, PATIENCE, id, list};

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
