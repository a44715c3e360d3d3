//! A person answers on the page: with the mouse, with the keyboard alone, without scripts, and for more than once.

use serde_json::json;

use super::{ALLOW, Browser, QUESTION, open};
use crate::desk::{Asking, id};

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
