//! The policy's version: a digest over everything that decides.

use std::fmt::Write as _;
use std::path::Path;

use portcullis_paths::{Zone, ZoneKind};
use sha2::{Digest as _, Sha256};

use crate::catalogue::Catalogue;

use super::{Placed, Policy, Rule, RuleSubject, builtin};
use crate::Layer;

/// Raised when the code decides differently although its data is the same.
const REVISION: u64 = 4;

/// SHA-256 in hexadecimal. Reasons for people are left out: a better sentence is not another policy.
pub(super) fn of(policy: &Policy) -> String {
    let mut form = Form::new("portcullis policy");
    common(&mut form, policy);
    form.list(&policy.otherwise, |form, one| {
        form.text(one.layer.word());
        form.text(one.risk.word());
        // Without its rules a part is only its default.
        form.list(one.ids(), |form, id| form.text(id));
    });
    form.list(&policy.rules, rule);
    form.list(&policy.zones, zone);
    form.finish()
}

/// The same of all but rules, zones and defaults: what every call is judged by.
pub(super) fn of_common(policy: &Policy) -> String {
    let mut form = Form::new("portcullis policy, in common");
    common(&mut form, policy);
    form.finish()
}

/// The same of the rules and zones of one layer that have this id.
pub(super) fn of_rule(policy: &Policy, layer: Layer, id: &str) -> String {
    let mut form = Form::new("portcullis policy, one rule");
    let rules = policy.rules.iter();
    let zones = policy.zones.iter();
    form.list(rules.filter(|one| one.layer == layer && one.item.id == id), rule);
    form.list(zones.filter(|one| one.layer == layer && one.item.id == id), zone);
    form.finish()
}

fn common(form: &mut Form, policy: &Policy) {
    form.number(REVISION);
    form.text(policy.preset.word());
    form.list(builtin::decisions(policy.preset), |form, (id, risk)| {
        form.text(id);
        form.text(risk.word());
    });
    form.text(Catalogue::text());
    form.list(&policy.off, |form, group| form.text(group));
    let mut removed: Vec<String> = policy.removed.iter().map(written).collect();
    removed.sort();
    form.list(removed, |form, group| form.text(&group));
    form.list(policy.added_names(), |form, (layer, group)| {
        form.text(layer.word());
        form.text(&written(group));
    });
    form.list(&policy.said_of_programs, |form, Placed { layer, item }| {
        form.text(layer.word());
        form.text(&written(item));
    });
    form.list(&policy.levels, |form, Placed { layer, item }| {
        form.text(layer.word());
        form.list(item.profile, |form, profile| form.text(profile.word()));
        form.list(&item.named, |form, ((tool, member), level)| {
            form.text(tool);
            form.text(member);
            form.text(level.word());
        });
    });
    form.list(&policy.broken, |form, (layer, _)| form.text(layer.word()));
}

fn rule(form: &mut Form, Placed { layer, item }: &Placed<Rule>) {
    form.text(layer.word());
    form.text(&item.id);
    form.text(item.risk.word());
    let RuleSubject {
        tool,
        operation,
        under,
        command,
        except,
    } = &item.subject;
    form.list(tool, |form, tool| form.text(tool));
    form.list(operation, |form, kind| form.text(kind.word()));
    form.list(under, |form, under| form.path(under));
    form.list(command, |form, words| {
        form.list(words, |form, word| form.text(word))
    });
    form.list(except, |form, others| {
        form.list(others, |form, words| {
            form.list(words, |form, word| form.text(word))
        })
    });
}

fn zone(form: &mut Form, Placed { layer, item }: &Placed<Zone>) {
    form.text(layer.word());
    form.text(&item.id);
    form.text(kind_word(item.kind));
    form.path(&item.path);
}

/// What is written in a file's own form.
fn written(item: &impl serde::Serialize) -> String {
    // Lists, tables and texts: writing them cannot fail.
    serde_json::to_string(item).unwrap_or_default()
}

fn kind_word(kind: ZoneKind) -> &'static str {
    match kind {
        ZoneKind::DenyRead => "deny-read",
        ZoneKind::DenyWrite => "deny-write",
        ZoneKind::ConfirmRead => "confirm-read",
        ZoneKind::ConfirmWrite => "confirm-write",
        ZoneKind::Named => "named",
        _ => "other",
    }
}

/// A byte form in which no two different values look alike: each piece goes in behind its length.
struct Form(Sha256);

impl Form {
    fn new(what: &str) -> Self {
        let mut form = Self(Sha256::new());
        form.text(what);
        form
    }
    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
    }
    fn number(&mut self, number: u64) {
        self.0.update(number.to_be_bytes());
    }
    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }
    fn path(&mut self, path: &Path) {
        self.bytes(path.as_os_str().as_encoded_bytes());
    }
    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Self, T)) {
        let items: Vec<T> = items.into_iter().collect();
        self.number(items.len() as u64);
        for item in items {
            each(self, item);
        }
    }
    fn finish(self) -> String {
        let mut hex = String::with_capacity(64);
        for byte in self.0.finalize() {
            // Writing to a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
        }
        hex
    }
}
