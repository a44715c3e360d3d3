//! What a subject of straw says of itself.

use super::super::Lie;
use crate::wire::{Kind, SubjectHello, SubjectName, VERSION};
use crate::words;

pub(super) fn hello(lie: Lie) -> SubjectHello {
    let not: &[&str] = match lie.name {
        // A hook sees neither the answer nor the end of a call.
        "hook" => &[
            "approver.socket",
            "grants",
            "grants.time",
            "grants.revoke",
            "breaker",
            "cancel",
            "policy.own",
            "policy.roots",
            "desk",
            "audit.books",
        ],
        // What only decides learns of no ends.
        "decides" => &[
            "approver.host",
            "policy.own",
            "policy.roots",
            "host.tools",
            "audit.books",
        ],
        _ => &["approver.host", "policy.own", "policy.roots", "host.tools"],
    };
    SubjectHello {
        protocol: VERSION,
        subject: SubjectName {
            name: "straw".to_owned(),
            version: "1".to_owned(),
        },
        kind: if lie.only_decides() {
            Kind::Decides
        } else {
            Kind::Executes
        },
        capabilities: if lie.is("unsupported-all") {
            Vec::new()
        } else {
            let words = words::capabilities().into_iter();
            words.filter(|word| !not.contains(&word.as_str())).collect()
        },
        audit_export: None,
    }
}
