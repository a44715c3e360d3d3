//! A new family that runs, to be changed.

use crate::fixture::AREAS;
use crate::{Error, ErrorKind};

/// The text of a family with this id.
pub(crate) fn family(id: &str) -> Result<String, Error> {
    let area = id.split_once('/').map(|(area, _)| area);
    let area = area.filter(|area| AREAS.contains(area)).ok_or_else(|| {
        Error::new(
            ErrorKind::Usage,
            format!("`{id}` is not AREA/SLUG; areas: {}", AREAS.join(", ")),
        )
    })?;
    let rule = format!("{}-1", area.to_uppercase());
    Ok(format!(
        r#"format = 1
id = "{id}"
title = "a write inside and beside the workspace"
rules = ["{rule}"]
level = "must"
since = "0.1.0"
needs = ["tool.write", "allow.write", "policy.under", "audit"]
bug = "escape"
refs = []

[tree]
"workspace/src/" = "dir"
"outside/note.txt" = {{ canary = "A" }}

[policy]
otherwise = "ask"
allow = [{{ tool = "write", under = "workspace" }}]

[[variant]]
name = "inside"
approver = ["deny"]
call = {{ tool = "write", path = "src/a.txt", content = "hi" }}
[variant.expect]
decision = "allow"
reason = "policy"
asks = 0
effect = [{{ create = "workspace/src/a.txt", content = "hi" }}]
output = []
audit = {{ records = 2, has = ["decided decision=allow"], lacks = ["canary:A"] }}

[[variant]]
name = "beside"
differs = ["call.path"]
approver = ["deny"]
call = {{ tool = "write", path = "../outside/a.txt", content = "hi" }}
[variant.expect]
decision = "deny"
reason = ["policy", "denied_by_human"]
asks = [0, 1]
effect = []
output = []
audit = {{ records = 1, has = ["decided decision=deny"], lacks = ["canary:A"] }}
"#
    ))
}
