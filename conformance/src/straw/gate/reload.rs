//! The policy's file: sealed, so that what is not whole is known, and looked at before each call.

use std::path::{Path, PathBuf};

use super::Gate;
use super::begin::{anchored, everything};
use crate::hash;
use crate::os::disk;
use crate::wire::{Open, Policy, PolicyEntry, Stage};

/// The name of the file, in whatever directory.
const NAME: &str = "policy.jsonl";

/// The file, and the hashes of those that the subject wrote.
#[derive(Debug)]
pub(super) struct PolicyFile {
    path: PathBuf,
    seals: PathBuf,
    /// The hash of what is in force.
    taken: String,
    /// The hash of what the session began with.
    first: String,
    /// For one liar: what it has seen and not taken yet.
    noticed: String,
}

impl PolicyFile {
    pub(super) fn of(open: &Open) -> Self {
        let path = Path::new(&open.config).join(NAME);
        let taken = hash::hex(&disk::bytes_if_there(&path));
        Self {
            path,
            seals: Path::new(&open.state).join("policy.sha256"),
            first: taken.clone(),
            noticed: taken.clone(),
            taken,
        }
    }

    /// Writes the policy that the session begins with; none when that is not possible.
    pub(super) fn write(&mut self, policy: &Policy) -> Option<()> {
        self.taken = self.sealed(&self.path, policy)?;
        self.first.clone_from(&self.taken);
        Some(())
    }

    /// Writes a policy that may be put in the file's place.
    fn sealed(&self, path: &Path, policy: &Policy) -> Option<String> {
        let text = lines(policy)?;
        let hash = hash::hex(text.as_bytes());
        disk::append(&self.seals, format!("{hash}\n")).ok()?;
        disk::write(path, text).ok()?;
        Some(hash)
    }

    /// The policy as it was sealed; none when it is none of those.
    pub(super) fn stored(&self) -> Option<Policy> {
        let text = disk::bytes_if_there(&self.path);
        let seals = disk::bytes_if_there(&self.seals);
        let hash = hash::hex(&text);
        let is_sealed = String::from_utf8_lossy(&seals).lines().any(|seal| seal == hash);
        is_sealed.then(|| read(&String::from_utf8_lossy(&text)))
    }

    /// Whether what the session began with is in force.
    pub(super) fn is_the_first(&self) -> bool {
        self.taken == self.first
    }

    /// What is in force.
    pub(super) fn version(&self) -> String {
        self.taken.clone()
    }
}

impl Gate {
    /// Writes the files of another policy, where the runner wants them.
    pub(in crate::straw) fn stage(&self, stage: &Stage) -> Option<()> {
        let policy = anchored(stage.policy.clone());
        let written = self.file.sealed(&Path::new(&stage.config).join(NAME), &policy);
        written.map(|_| ())
    }

    /// Goes by what the file says now. An error while it is no whole policy.
    pub(super) fn refresh(&mut self) -> Result<(), &'static str> {
        let lie = self.lie;
        let text = disk::bytes_if_there(&self.file.path);
        let hash = hash::hex(&text);
        if hash == self.file.taken || lie.is("keeps-the-first") {
            return Ok(());
        }
        if self.file.noticed != hash && lie.is("reload-late") {
            self.file.noticed = hash;
            return Ok(());
        }
        self.rules.user = match self.file.stored() {
            Some(policy) => policy,
            None if lie.is("resume-open") => everything(),
            None if lie.is("takes-half") => read(&String::from_utf8_lossy(&text)),
            None => return Err("fault"),
        };
        self.file.taken = hash;
        Ok(())
    }

    /// The version that a record names of a call that was judged by this one.
    pub(super) fn named(&self, judged_by: &str) -> String {
        let now = hash::hex(&disk::bytes_if_there(&self.file.path));
        if self.file.first != judged_by && self.lie.is("version-stays") {
            return self.file.first.clone();
        }
        if now != judged_by && self.lie.is("version-at-the-end") {
            return now;
        }
        judged_by.to_owned()
    }
}

/// One statement a line, so that the beginning of a file says something: that is what makes half a file dangerous.
fn lines(policy: &Policy) -> Option<String> {
    let mut text = format!("otherwise {}\n", policy.otherwise);
    for (word, list) in [
        ("allow", &policy.allow),
        ("ask", &policy.ask),
        ("deny", &policy.deny),
    ] {
        for entry in list {
            text.push_str(&format!("{word} {}\n", serde_json::to_string(entry).ok()?));
        }
    }
    text.push_str(&format!("names {}\n", serde_json::to_string(&policy.names).ok()?));
    text.push_str(&format!(
        "programs {}\n",
        serde_json::to_string(&policy.programs).ok()?
    ));
    text.push_str(&format!(
        "review {}\n",
        serde_json::to_string(&policy.review).ok()?
    ));
    Some(text)
}

/// What can be read of it.
fn read(text: &str) -> Policy {
    let mut policy = Policy {
        otherwise: "ask".to_owned(),
        allow: Vec::new(),
        ask: Vec::new(),
        deny: Vec::new(),
        names: None,
        programs: None,
        review: None,
    };
    for (word, said) in text.lines().filter_map(|line| line.split_once(' ')) {
        let entry = serde_json::from_str::<PolicyEntry>(said).ok();
        match word {
            "otherwise" => said.clone_into(&mut policy.otherwise),
            "allow" => policy.allow.extend(entry),
            "ask" => policy.ask.extend(entry),
            "deny" => policy.deny.extend(entry),
            "names" => policy.names = serde_json::from_str(said).ok().flatten(),
            "programs" => policy.programs = serde_json::from_str(said).ok().flatten(),
            "review" => policy.review = serde_json::from_str(said).ok().flatten(),
            _ => {}
        }
    }
    policy
}
