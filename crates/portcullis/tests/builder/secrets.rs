//! Two rooms hide secrets, each with a table of its own: `classify` in what is shown of commands, `audit` in what is kept. What
//! one of them takes for a secret, the other does.

use portcullis::audit::Redacted;
use portcullis::{shown_command, shown_text};

const COMMANDS: &str = include_str!("../../../classify/data/secrets.toml");
const NAMES: &str = include_str!("../../../audit/src/redact/named.rs");
const SHAPES: &str = include_str!("../../../audit/src/redact/shapes.rs");

/// The texts in quotes of a list of a source or of a table.
fn listed(text: &'static str, name: &str) -> Vec<&'static str> {
    let (_, list) = text.split_once(name).unwrap();
    let (_, list) = list.split_once("= [").unwrap();
    let (list, _) = list.split_once("];").or_else(|| list.split_once("]\n")).unwrap();
    list.split('"').skip(1).step_by(2).collect()
}

fn both(text: &str) -> [String; 3] {
    [
        shown_command(text),
        shown_text(text),
        Redacted::text(text).to_string(),
    ]
}

#[test]
fn names_that_sound_secret_do_so_in_both_tables() {
    let names = [
        listed(COMMANDS, "\nparts"),
        listed(COMMANDS, "\nlast"),
        listed(NAMES, "const PARTS"),
        listed(NAMES, "const LAST"),
    ]
    .concat();
    assert!(names.len() > 100, "{}", names.len());
    for name in names {
        for spelling in [
            name.to_owned(),
            format!("my_{name}"),
            format!("MY-{}", name.to_uppercase()),
        ] {
            for text in both(&format!("{spelling}=marzipan77 x")) {
                // The value of a header goes on to the end of its line.
                assert!(
                    text.starts_with(&format!("{spelling}=***")) && text.len() < spelling.len() + 7,
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn tokens_have_the_same_forms_in_both_tables() {
    let shapes = [listed(COMMANDS, "\nshapes"), listed(SHAPES, "const BEGINNINGS")].concat();
    assert!(shapes.len() > 150, "{}", shapes.len());
    for begins in shapes {
        let token = format!("{begins}{}", "a1B2c3D4".repeat(5));
        for text in both(&format!("use {token} now")) {
            assert!(!text.contains("c3D4"), "{begins}: {text}");
        }
        // Somebody chose this one, and nobody made it up: only where the beginning is a word, it is a name.
        let chosen = format!("{begins}team_prod-gateway-of-the-whole-company");
        let is_word = ["npm_", "pypi-", "rubygems_"].contains(&begins);
        for text in both(&format!("use {chosen} now")) {
            // A web token has other signs than words before it ends.
            assert!(
                text.contains(&chosen) == is_word || begins == "eyJ",
                "{begins}: {text}"
            );
        }
    }
}

/// What a deployment is told in `FLY_API_TOKEN`, where the scheme and a blank come first and base64 goes on over slashes.
#[test]
fn macaroons_are_hidden_to_their_end() {
    for begins in ["fm1r_", "fm1a_", "fm2_"] {
        let one = format!("{begins}lJPECAAAAAAAAAAA/wrVodHRwczov+c3D4/a1B2c3D4=");
        for text in both(&format!("curl -H 'X: FlyV1 {one},{one}' y")) {
            assert!(!text.contains("lJPE") && !text.contains("c3D4"), "{text}");
            assert!(text.contains("FlyV1 "), "{text}");
        }
    }
}

/// What must stay to be read, in what is shown and in what is kept.
#[test]
fn ordinary_paths_and_names_stay_as_they_are() {
    for text in [
        "/w/node_modules/npm_config_user_agent/index.js",
        "/w/src/tokens/mod.rs",
        "/w/src/token.rs",
        "/w/password-reset/index.html",
        "/w/docs/how-to-rotate-secrets.md",
        "/w/.github/workflows/release.yml",
        "/w/target/debug/deps/libserde-3f2a9c1b7d8e4f50.rlib",
        "/w/.git/objects/9f/86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "/w/blobs/sha256/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "/nix/store/s66mzxpvicwk07gjbjfw9izjfa797vsw-hello-2.12.1/bin/hello",
        "/w/sk-learn/README.md",
        "/w/hf_hub/models.py",
        "/w/assets/index-BHjN7_aZ.js",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "https://example.com/a/b?page=2&sort=name#top",
        "git@github.com:ann/portcullis.git",
        "registry.example/app:1.2@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ] {
        for shown in both(text) {
            assert_eq!(shown, text);
        }
    }
}
