//! What the page shows stays text, and the choices stay on the screen.

use serde_json::json;

use super::{QUESTION, open};
use crate::desk::Asking;

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
