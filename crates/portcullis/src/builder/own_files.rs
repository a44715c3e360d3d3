//! Built-in zones over the gate's own files. They stand in the built-in layer: no file can switch them off.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use portcullis_classify::{Layer, LayerRules, Risk, Rule, RuleSubject};
use portcullis_paths::{Zone, ZoneKind};

use super::hosts;

/// Where a project keeps what the gate reads, below a workspace root.
const PROJECT_DIRECTORY: &str = ".portcullis";

/// What stands beside a log: its keys, its head, its checkpoints and its earlier parts, and what is being made.
const BESIDE_A_LOG: [&str; 9] = [
    ".key",
    ".key.new",
    ".head",
    ".head.new",
    ".seal.key",
    ".seal.key.new",
    ".seals",
    ".next",
    ".d",
];

/// The gate's own files, as they were named.
#[derive(Debug, Clone, Default)]
pub(super) struct OwnFiles {
    pub(super) configuration: Vec<PathBuf>,
    pub(super) log: Option<PathBuf>,
    /// The log is where the user's file says.
    pub(super) log_is_the_users: bool,
    pub(super) desks: Vec<PathBuf>,
}

impl OwnFiles {
    /// The built-in layer that protects them, the projects' configuration in these roots, and the settings of agents.
    pub(super) fn layer(&self, roots: &[PathBuf], home: Option<&Path>) -> LayerRules {
        let mut layer = LayerRules::empty(Layer::BuiltIn);
        // Readable, so that people and models can look rules up, but not to be changed from here.
        for path in &self.configuration {
            add(
                &mut layer,
                "own.configuration",
                ZoneKind::DenyWrite,
                path.clone(),
                OURS,
            );
        }
        for root in roots {
            let path = root.join(PROJECT_DIRECTORY);
            add(&mut layer, "own.project", ZoneKind::DenyWrite, path, OURS);
        }
        for path in hosts::settings(roots, home) {
            add(&mut layer, "own.host", ZoneKind::DenyWrite, path, HOSTS);
        }
        // The key would tell what the log's keyed digests hide.
        for path in self.log.iter().flat_map(|log| of_log(log)) {
            add(&mut layer, "own.audit", ZoneKind::DenyRead, path, OURS);
        }
        for path in &self.desks {
            add(&mut layer, "own.desk", ZoneKind::DenyRead, path.clone(), DESK);
        }
        // The plain spelling only: any other is a command like all others, and those ask.
        if !self.desks.is_empty() {
            layer.rules.extend(ANSWERING.map(|word| Rule {
                id: format!("own.answers.{word}"),
                subject: RuleSubject {
                    command: Some(vec!["portcullis".to_owned(), word.to_owned()]),
                    ..RuleSubject::default()
                },
                risk: Risk::Deny,
                because: ANSWERS.to_owned(),
            }));
        }
        layer
    }
}

fn of_log(log: &Path) -> Vec<PathBuf> {
    let mut paths = vec![log.to_path_buf()];
    for suffix in BESIDE_A_LOG {
        let mut name = OsString::from(log);
        name.push(suffix);
        paths.push(PathBuf::from(name));
    }
    paths
}

/// Commands that answer for a person.
const ANSWERING: [&str; 2] = ["ask", "desk"];
const ANSWERS: &str = "an agent does not answer its own questions";
const DESK: &str = "whoever reaches the desk can answer for a person";
const OURS: &str = "it belongs to the gate itself";
const HOSTS: &str = "it can take the gate away from the agent's host";

/// The first zone of a kind has the plain id, later ones are numbered.
fn add(layer: &mut LayerRules, id: &str, kind: ZoneKind, path: PathBuf, reason: &str) {
    let alike = layer.zones.iter().filter(|zone| zone.id.starts_with(id)).count();
    let id = match alike {
        0 => id.to_owned(),
        more => format!("{id}.{}", more + 1),
    };
    layer.reasons.insert(id.clone(), reason.to_owned());
    layer.zones.push(Zone { id, kind, path });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_zone_with_an_id_of_its_own() {
        let own = OwnFiles {
            configuration: vec!["/c".into(), "/p.toml".into()],
            log: Some("/s/audit.jsonl".into()),
            log_is_the_users: false,
            desks: vec!["/run/desk".into()],
        };
        let layer = own.layer(&["/w".into(), "/v".into()], None);
        let of_the_gate = |zone: &&Zone| !zone.id.starts_with("own.host");
        let found: Vec<_> = layer
            .zones
            .iter()
            .filter(of_the_gate)
            .map(|zone| (zone.id.as_str(), zone.kind, zone.path.to_str().unwrap()))
            .collect();
        assert_eq!(
            found,
            [
                ("own.configuration", ZoneKind::DenyWrite, "/c"),
                ("own.configuration.2", ZoneKind::DenyWrite, "/p.toml"),
                ("own.project", ZoneKind::DenyWrite, "/w/.portcullis"),
                ("own.project.2", ZoneKind::DenyWrite, "/v/.portcullis"),
                ("own.audit", ZoneKind::DenyRead, "/s/audit.jsonl"),
                ("own.audit.2", ZoneKind::DenyRead, "/s/audit.jsonl.key"),
                ("own.audit.3", ZoneKind::DenyRead, "/s/audit.jsonl.key.new"),
                ("own.audit.4", ZoneKind::DenyRead, "/s/audit.jsonl.head"),
                ("own.audit.5", ZoneKind::DenyRead, "/s/audit.jsonl.head.new"),
                ("own.audit.6", ZoneKind::DenyRead, "/s/audit.jsonl.seal.key"),
                ("own.audit.7", ZoneKind::DenyRead, "/s/audit.jsonl.seal.key.new"),
                ("own.audit.8", ZoneKind::DenyRead, "/s/audit.jsonl.seals"),
                ("own.audit.9", ZoneKind::DenyRead, "/s/audit.jsonl.next"),
                ("own.audit.10", ZoneKind::DenyRead, "/s/audit.jsonl.d"),
                ("own.desk", ZoneKind::DenyRead, "/run/desk"),
            ]
        );
        assert_eq!(layer.reasons.len(), layer.zones.len());
        let ids: std::collections::BTreeSet<_> = layer.zones.iter().map(|zone| &zone.id).collect();
        assert_eq!(ids.len(), layer.zones.len());
    }

    #[test]
    fn settings_of_agents_are_protected_in_each_root_at_home_and_for_the_machine() {
        let layer = OwnFiles::default().layer(&["/w".into(), "/v".into()], Some(Path::new("/home/ada")));
        for path in [
            "/w/.claude/settings.json",
            "/v/.claude/settings.local.json",
            "/home/ada/.claude/settings.json",
            "/home/ada/.pi/agent/extensions",
            "/etc/claude-code",
        ] {
            let zone = layer.zones.iter().find(|zone| zone.path == Path::new(path));
            assert_eq!(zone.map(|zone| zone.kind), Some(ZoneKind::DenyWrite), "{path}");
        }
    }
}
