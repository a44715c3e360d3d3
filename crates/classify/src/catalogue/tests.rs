use std::collections::BTreeSet;
use std::path::Path;

use rstest::rstest;

use super::*;

fn ids(kind: EffectKind, place: &str, preset: Preset, off: &[&str]) -> Vec<String> {
    let about = About {
        preset,
        home: Some(Path::new("/home/ada")),
        off: &off.iter().map(|&group| group.to_owned()).collect(),
    };
    let causes = Catalogue::built_in().causes(kind, [place.as_bytes()], &about);
    causes.into_iter().map(|cause| cause.rule).collect()
}

fn read(place: &str) -> Vec<String> {
    ids(EffectKind::Read, place, Preset::Everyday, &[])
}

fn write(place: &str) -> Vec<String> {
    ids(EffectKind::Write, place, Preset::Everyday, &[])
}

#[test]
fn the_data_reads_and_every_id_is_one_of_the_house() {
    let catalogue = Catalogue::built_in();
    assert!(!catalogue.broken);
    let ids: BTreeSet<&str> = catalogue.ids().collect();
    assert_eq!(ids.len(), catalogue.groups.len());
    for group in &catalogue.groups {
        let expected = if group.asks == Asks::Read {
            "private."
        } else {
            "sensitive."
        };
        assert!(group.id.starts_with(expected), "{}", group.id);
        assert!(
            !group.why.is_empty() && !group.why.ends_with('.'),
            "{}",
            group.why
        );
    }
    // What is compared is folded, so what it is compared with has to be.
    let values = CATALOGUE.lines().filter(|line| !line.starts_with(['#', 'w']));
    for line in values {
        assert_eq!(line, line.to_lowercase());
    }
}

#[rstest]
#[case("/w/.env", "private.environment")]
#[case("/w/.ENV", "private.environment")]
#[case("/w/.env.production", "private.environment")]
#[case("/w/sub/.npmrc", "private.credentials")]
#[case("/w/passwords.csv", "private.credentials")]
#[case("/w/password-store.json", "private.credentials")]
#[case("/w/prod.tfvars", "private.credentials")]
#[case("/w/certs/server.key", "private.keys")]
#[case("/w/id_rsa", "private.keys")]
#[case("/w/service-account.json", "private.service-account")]
#[case("/w/service-account-prod.yaml", "private.service-account")]
#[case("/w/profile/Login Data", "private.browser")]
#[case("/home/ada/.ssh/config", "private.directory")]
#[case("/home/ada/.ssh", "private.directory")]
#[case("/home/ada/.config/gh/hosts.yml", "private.directory")]
#[case("/w/config/secrets/db.yml", "private.directory")]
#[case("/etc/shadow", "private.system")]
#[case("/etc/ssl/private/x", "private.system")]
#[case("/etc/NetworkManager/system-connections/home", "private.system")]
#[case("/home/ada/.claude/projects/x.jsonl", "private.agent")]
fn private_names_ask_before_reading_and_changing(#[case] place: &str, #[case] id: &str) {
    assert!(read(place).contains(&id.to_owned()), "{place}: {:?}", read(place));
    assert!(write(place).contains(&id.to_owned()), "{place}");
}

#[rstest]
#[case("/w/.env.example")]
#[case("/w/environment.ts")]
#[case("/w/src/env.rs")]
#[case("/w/password.rs")]
#[case("/w/passwords_test.go")]
#[case("/w/keys.rs")]
#[case("/w/monkey")]
#[case("/w/private/notes.md")]
#[case("/w/service-accounts/readme.md")]
#[case("/etc/shadow-utils")]
#[case("/w/gh/hosts.yml")]
#[case("/w/.git/config")]
#[case("/w/.github/workflows/ci.yml")]
#[case("/home/ada/.claude/agents/x.md")]
#[case("/other/.claude/projects/x.jsonl")]
fn other_names_are_read_unasked(#[case] place: &str) {
    assert_eq!(read(place), Vec::<String>::new());
}

#[rstest]
#[case("/w/.git/hooks/pre-commit", "sensitive.git")]
#[case("/w/.github/workflows/ci.yml", "sensitive.git")]
#[case("/w/.mcp.json", "sensitive.agent")]
#[case("/w/.claude/settings.json", "sensitive.agent")]
#[case("/w/.pi/extensions/x.ts", "sensitive.agent")]
#[case("/home/ada/.bashrc", "sensitive.shell")]
#[case("/home/ada/.ssh/known_hosts", "sensitive.ssh-hosts")]
#[case("/w/.vscode/tasks.json", "sensitive.editor")]
fn sensitive_names_ask_before_changing_alone(#[case] place: &str, #[case] id: &str) {
    assert!(
        write(place).contains(&id.to_owned()),
        "{place}: {:?}",
        write(place)
    );
    assert!(!read(place).contains(&id.to_owned()), "{place}");
}

#[rstest]
#[case("/w/src/main.rs")]
#[case("/w/package.json")]
#[case("/w/.pi/notes.md")]
#[case("/w/.gitignore")]
#[case("/w/git/hooks.rs")]
fn other_names_are_changed_unasked(#[case] place: &str) {
    assert_eq!(write(place), Vec::<String>::new());
}

#[test]
fn the_careful_preset_asks_more() {
    let careful = |place: &str| ids(EffectKind::Write, place, Preset::Careful, &[]);
    assert_eq!(careful("/w/package.json"), ["sensitive.manifests"]);
    assert_eq!(careful("/w/infra/main.tf"), ["sensitive.infrastructure"]);
    for group in &Catalogue::built_in().groups {
        assert!(Preset::Careful >= group.preset);
    }
}

#[test]
fn a_group_that_is_off_does_not_ask_and_others_do() {
    let off = ["private.environment"];
    let seen = |place: &str| ids(EffectKind::Read, place, Preset::Everyday, &off);
    assert_eq!(seen("/w/.env"), Vec::<String>::new());
    assert_eq!(seen("/w/.ssh/.env"), ["private.directory"]);
}

#[test]
fn a_link_that_is_crossed_counts_and_a_reason_is_given_once() {
    let about = About {
        preset: Preset::Everyday,
        home: None,
        off: &BTreeSet::new(),
    };
    let places = ["/w/a", "/w/.ssh", "/w/.ssh/b"].map(str::as_bytes);
    let causes = Catalogue::built_in().causes(EffectKind::Read, places, &about);
    assert_eq!(causes.len(), 1);
    assert_eq!(causes[0].risk, Risk::Confirm);
}

#[test]
fn what_is_no_file_is_not_named() {
    for kind in [
        EffectKind::Execute,
        EffectKind::Spawn,
        EffectKind::Connect,
        EffectKind::Opaque,
    ] {
        assert_eq!(ids(kind, "/w/.env", Preset::Everyday, &[]), Vec::<String>::new());
    }
}

#[test]
fn a_catalogue_that_cannot_be_read_asks_always() {
    let broken = Catalogue::read("[[group]]\nid = 1");
    let about = About {
        preset: Preset::Everyday,
        home: None,
        off: &BTreeSet::new(),
    };
    let place: &[u8] = b"/w/src/main.rs";
    assert_eq!(broken.causes(EffectKind::Read, [place], &about).len(), 1);
}
