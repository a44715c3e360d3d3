//! The MCP server for files, as a subject that decides and performs. Its policy is a list of directories in which every
//! tool works freely; it asks nobody and writes no log.

mod client;
mod words;

use client::Client;
use words::{Verdict, tool};

use super::serve::Gate;
use crate::os::process::Around;
use crate::wire::{Answer, Call, Decision, Judged, Kind, Open, Policy, SubjectHello, SubjectName, VERSION};

/// The server, and the session that it serves.
pub(crate) struct Filesystem {
    command: Vec<String>,
    version: String,
    session: Option<(String, Client)>,
}

impl Filesystem {
    pub(crate) fn new(command: Vec<String>, version: String) -> Self {
        Self {
            command,
            version,
            session: None,
        }
    }
}

/// The directories that the policy allows anything in; a policy that says more is none that can be told.
fn roots(policy: &Policy) -> Vec<&str> {
    let mut roots: Vec<&str> = policy
        .allow
        .iter()
        .filter_map(|entry| entry.under.as_deref())
        .collect();
    roots.sort_unstable();
    roots.dedup();
    roots
}

/// Calls the tool. The server's tool for writing makes no directories: where they are missing, its tool for that is called
/// first, as an agent would, and a refusal of either is one.
fn perform(client: &mut Client, call: &Call) -> Result<Verdict, String> {
    let (name, arguments) = tool(call);
    let mut once = |call: &Call, name: &str, arguments| {
        let result = client.call(name, arguments)?;
        Ok::<_, String>(words::verdict(&call.tool, &result))
    };
    let verdict = once(call, &name, &arguments)?;
    let (true, Some(parent)) = (verdict.is_missing(), words::parent(call)) else {
        return Ok(verdict);
    };
    let (made, arguments_of_parent) = tool(&parent);
    let parents = once(&parent, &made, &arguments_of_parent)?;
    if parents.executed {
        once(call, &name, &arguments)
    } else {
        Ok(parents)
    }
}

impl Gate for Filesystem {
    fn hello(&self) -> SubjectHello {
        let both = |(tool, _): &(&str, &str)| [format!("tool.{tool}"), format!("allow.{tool}")];
        let mut capabilities: Vec<String> = words::TOOLS.iter().flat_map(both).collect();
        capabilities.push("policy.roots".to_owned());
        SubjectHello {
            protocol: VERSION,
            subject: SubjectName {
                name: "mcp-filesystem".to_owned(),
                version: self.version.clone(),
            },
            kind: Kind::Executes,
            capabilities,
            audit_export: None,
        }
    }

    fn open(&mut self, open: Open) -> Result<(), String> {
        self.session = None;
        let roots = roots(&open.policy);
        if roots.is_empty() {
            return Err("a server without directories serves nothing".to_owned());
        }
        let around = Around {
            directory: open.workspace.clone().into(),
            env: vec![("HOME".to_owned(), open.home.clone().into())],
        };
        let words = self.command.iter().map(String::as_str).chain(roots);
        let client = Client::start(&words.map(Into::into).collect::<Vec<_>>(), &around)?;
        self.session = Some((open.session, client));
        Ok(())
    }

    fn call(&mut self, call: &Call) -> Answer {
        let verdict = match &mut self.session {
            Some((session, client)) if *session == call.session => {
                perform(client, call).unwrap_or_else(|what| {
                    eprintln!("the server: {what}");
                    Verdict::fault()
                })
            }
            _ => Verdict::fault(),
        };
        Answer {
            id: call.id.clone(),
            decision: verdict.decision,
            reason: verdict.reason.to_owned(),
            executed: verdict.executed,
            output: verdict.output,
        }
    }

    fn judge(&mut self, call: &Call) -> Judged {
        // It is not promised: the server decides nothing that it does not perform.
        Judged {
            id: call.id.clone(),
            decision: Decision::Deny,
            reason: "fault".to_owned(),
        }
    }

    fn close(&mut self) {
        self.session = None;
    }
}
