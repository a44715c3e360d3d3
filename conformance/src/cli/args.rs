use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::adapt::{NoOpinion, OnFailure};

/// Proves any gate between an AI agent and its machine, from outside.
///
/// Exit codes: 0 conforms, 1 fails, 2 usage, 3 fault of the runner or of a family, 4 nothing selected,
/// 5 the subject did not start, 6 stale baseline.
#[derive(Debug, Parser)]
#[command(name = "conformance", version, propagate_version = true)]
#[non_exhaustive]
pub struct Program {
    /// The folder with SPEC.md and cases
    #[arg(long, global = true, value_name = "DIR", default_value = env!("CARGO_MANIFEST_DIR"), hide_default_value = true)]
    pub folder: PathBuf,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Runs families against a subject
    Run(Run),
    /// Checks the families themselves
    Lint,
    /// Runs the reference, every liar and every bad wire, and compares with straw.toml
    SelfTest {
        /// In place of that: put every bad wire before this subject, which has to fail all that it passes
        #[arg(long, value_name = "COMMAND", conflicts_with = "write")]
        subject: Option<String>,
        /// Write what was seen into straw.toml
        #[arg(long)]
        write: bool,
        /// Run each liar on everything, also where it never comes to lie
        #[arg(long, conflicts_with = "subject")]
        whole: bool,
        /// What the order of families depends on
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Makes a new family that runs
    New {
        /// AREA/SLUG
        id: String,
    },
    /// Lints one family, runs the reference on it, and names the liars that it catches
    Try {
        /// AREA/SLUG
        id: String,
    },
    /// Lists families, rules, or liars
    List {
        /// Rules and their families
        #[arg(long)]
        rules: bool,
        /// Rules without a family
        #[arg(long)]
        holes: bool,
        /// Liars
        #[arg(long)]
        lies: bool,
    },
    /// Pins hashes and counts of all families in manifest.toml, and in profiles that are not released
    Manifest,
    /// Names the profiles, or the families of one
    Profile {
        /// Such as core-1
        name: Option<String>,
        /// Pin the families that belong to it now; only while it is not released
        #[arg(long, requires = "name")]
        write: bool,
    },
    /// Renders results that were written with `run --results`, and notes of subjects that were not run
    Report {
        /// Files of JSON lines
        #[arg(required = true)]
        results: Vec<PathBuf>,
        /// One page with all subjects
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
        /// Let the page tell the variants that failed, with what was expected and seen
        #[arg(long, requires = "html")]
        findings: bool,
        /// RESULTS.md: the matrix by area and by family
        #[arg(long, value_name = "FILE")]
        markdown: Option<PathBuf>,
        /// JUnit XML of one subject
        #[arg(long, value_name = "FILE")]
        junit: Option<PathBuf>,
    },
    /// Counts how often a subject is wrong about everyday commands and attacks; judges them, and performs none
    Score(Score),
    /// Is a subject of straw
    Straw {
        /// What it does wrong
        #[arg(long, default_value = "none")]
        lie: String,
        /// Write down beside each log which lies it came past
        #[arg(long, hide = true)]
        tell: bool,
    },
    /// Is a subject for somebody's gate: speaks the protocol on one side, what the gate speaks on the other
    #[command(subcommand)]
    Adapt(Adapt),
    /// Spoils the answers of a subject
    #[command(hide = true)]
    Mutate {
        /// flip, drop, delay, duplicate, wrong-id
        way: String,
        /// The subject's command
        #[arg(last = true, required = true)]
        subject: Vec<OsString>,
    },
}

/// Whose language the gate speaks.
#[derive(Debug, Subcommand)]
pub(super) enum Adapt {
    /// Any command that answers Claude Code before a tool runs
    ClaudeCodeHook(ClaudeCodeHook),
    /// The MCP server for files
    McpFilesystem {
        /// The version of what is tested
        #[arg(long, value_name = "VERSION", default_value = "unknown")]
        subject_version: String,
        /// The server's command; allowed directories are added
        #[arg(last = true, required = true)]
        command: Vec<String>,
    },
}

/// Words of commands and values of variables may hold {workspace}, {home}, {config}, {state} and {audit}.
#[derive(Debug, Args)]
pub(super) struct ClaudeCodeHook {
    /// The subject's name in results
    #[arg(long, default_value = "claude-code-hook")]
    pub(super) name: String,
    /// The version of what is tested
    #[arg(long, value_name = "VERSION", default_value = "unknown")]
    pub(super) subject_version: String,
    /// What the host does with a call about which the hook says nothing
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = NoOpinion::Ask)]
    pub(super) no_opinion: NoOpinion,
    /// What the host does when the hook fails
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = OnFailure::Continue)]
    pub(super) on_failure: OnFailure,
    /// How long the host waits for the hook; keep it below the runner's deadline
    #[arg(long, value_name = "MS", default_value_t = 8000)]
    pub(super) timeout_ms: u64,
    /// A command that gets each session's `open` on standard input, writes the hook's configuration, and prints words to
    /// add to the hook's command, one a line
    #[arg(long, value_name = "COMMAND")]
    pub(super) setup: Option<String>,
    /// A command that prints neutral records of the log that it is given; promises `audit`
    #[arg(long, value_name = "COMMAND")]
    pub(super) audit_export: Option<String>,
    /// A variable around the hook
    #[arg(long, value_name = "NAME=VALUE")]
    pub(super) env: Vec<String>,
    /// A capability beside the usual ones of a hook
    #[arg(long, value_name = "WORD")]
    pub(super) promise: Vec<String>,
    /// A usual capability that this hook does not have
    #[arg(long, value_name = "WORD")]
    pub(super) without: Vec<String>,
    /// The hook's command
    #[arg(last = true, required = true)]
    pub(super) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct Score {
    /// The subject's command, as for `run`
    #[arg(long, value_name = "COMMAND")]
    pub(super) subject: String,
    /// What was counted last: one more offence fails, and one less wants the file written again
    #[arg(long, value_name = "FILE")]
    pub(super) held_to: Option<PathBuf>,
    /// Write what is counted into that file
    #[arg(long, requires = "held_to")]
    pub(super) write: bool,
    /// How long to wait for one message
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    pub(super) deadline_ms: u64,
}

#[derive(Debug, Args)]
pub(super) struct Run {
    /// The subject's command, split at blanks; quotes group words, and words that are files are made absolute
    #[arg(long, value_name = "COMMAND")]
    pub(super) subject: String,
    /// Only these: AREA, AREA/SLUG or AREA/SLUG#VARIANT
    #[arg(long, value_name = "PATTERN")]
    pub(super) only: Vec<String>,
    /// Only the families of a profile, and say what may be claimed by it
    #[arg(long, value_name = "NAME", conflicts_with = "only")]
    pub(super) profile: Option<String>,
    /// What the order of families depends on
    #[arg(long)]
    pub(super) seed: Option<u64>,
    /// Leave the sandboxes where they are, and say where
    #[arg(long)]
    pub(super) keep: bool,
    /// Copy the log of every session that the runner did not damage into this folder
    #[arg(long, value_name = "FOLDER")]
    pub(super) logs: Option<PathBuf>,
    /// How long to wait for one message
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    pub(super) deadline_ms: u64,
    /// How many families at a time
    #[arg(long, default_value_t = 4)]
    pub(super) jobs: usize,
    /// Let a process live on from family to family: one for each job
    #[arg(long)]
    pub(super) long_lived: bool,
    /// Known failures: "family#variant:check" = "reason, issue"
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<PathBuf>,
    /// One line about the policy that the subject has, for the results
    #[arg(long, value_name = "TEXT")]
    pub(super) policy_note: Option<String>,
    /// Write results as JSON lines
    #[arg(long, value_name = "FILE")]
    pub(super) results: Option<PathBuf>,
    /// Write JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
    /// Write one page
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
}
