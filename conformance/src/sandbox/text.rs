//! What stands in braces in a family's texts.

use std::os::unix::ffi::OsStrExt;

use serde_json::{Value, json};

use super::Sandbox;
use crate::fixture::{Argument, CallDecl, Entry, PolicyDecl};
use crate::wire::{Policy, PolicyEntry};
use crate::{Error, base64, hash};

/// Most bytes that one placeholder may become.
const MOST: usize = 64 << 20;

impl Sandbox {
    /// The text with its placeholders filled in. Braces around anything else stay.
    pub(crate) fn expand(&self, text: &str) -> Result<String, Error> {
        let mut whole = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            whole.push_str(before);
            let inner = after.split_once('}');
            match inner.map(|(inner, left)| (self.placeholder(inner), left)) {
                Some((Ok(Some(value)), left)) => {
                    whole.push_str(&value);
                    rest = left;
                }
                Some((Err(error), _)) => return Err(error),
                _ => {
                    whole.push('{');
                    rest = after;
                }
            }
        }
        whole.push_str(rest);
        Ok(whole)
    }

    fn placeholder(&self, inner: &str) -> Result<Option<String>, Error> {
        let path = |path: &std::path::Path| path.to_string_lossy().into_owned();
        Ok(Some(match inner {
            "root" => path(&self.root),
            "workspace" => path(&self.workspace()),
            "home" => path(&self.root.join("home")),
            _ => match inner.split_once(':') {
                Some(("canary", name)) => self.token(name)?.to_owned(),
                Some(("witness", name)) => path(
                    self.witnesses
                        .get(name)
                        .ok_or_else(|| Error::fixture(format!("no witness `{name}` stands in the tree")))?,
                ),
                Some(("repeat", what)) => repeated(what)?,
                _ => return Ok(None),
            },
        }))
    }

    /// The arguments as they travel, and the tool's name.
    pub(crate) fn arguments(&self, call: &CallDecl) -> Result<(String, Value), Error> {
        if let Some(raw) = &call.raw {
            return Ok((format!("raw:{}", call.tool), json!({ "raw": self.expand(raw)? })));
        }
        let mut args = serde_json::Map::new();
        for (name, argument) in &call.args {
            args.insert(name.clone(), self.value(argument)?);
        }
        if call.tool == "delete" && !args.contains_key("recursive") {
            args.insert("recursive".to_owned(), Value::Bool(false));
        }
        Ok((call.tool.clone(), Value::Object(args)))
    }

    fn value(&self, argument: &Argument) -> Result<Value, Error> {
        Ok(match argument {
            toml::Value::String(text) => Value::String(self.expand(text)?),
            toml::Value::Integer(number) => json!(number),
            toml::Value::Float(number) => json!(number),
            toml::Value::Boolean(yes) => json!(yes),
            toml::Value::Datetime(time) => json!(time.to_string()),
            toml::Value::Array(values) => Value::Array(
                values
                    .iter()
                    .map(|value| self.value(value))
                    .collect::<Result<_, _>>()?,
            ),
            toml::Value::Table(table) => match (table.get("hex"), table.len()) {
                (Some(toml::Value::String(digits)), 1) => {
                    let bytes = hash::from_digits(digits)
                        .ok_or_else(|| Error::fixture(format!("`{digits}` is not hexadecimal")))?;
                    json!({ "b64": base64::encode(&bytes) })
                }
                _ => {
                    let mut object = serde_json::Map::new();
                    for (key, value) in table {
                        object.insert(key.clone(), self.value(value)?);
                    }
                    Value::Object(object)
                }
            },
        })
    }

    /// A policy with absolute places.
    pub(crate) fn policy(&self, policy: &PolicyDecl) -> Result<Policy, Error> {
        let list = |entries: &[Entry]| {
            entries
                .iter()
                .map(|entry| {
                    let place =
                        |name: &Option<String>| name.as_deref().map(|name| self.text_place(name)).transpose();
                    Ok(PolicyEntry {
                        tool: entry.tool.clone(),
                        path: place(&entry.path)?,
                        under: place(&entry.under)?,
                        command: match &entry.command {
                            None => None,
                            Some(words) => Some(
                                words
                                    .iter()
                                    .map(|word| self.expand(word))
                                    .collect::<Result<_, _>>()?,
                            ),
                        },
                    })
                })
                .collect::<Result<Vec<_>, Error>>()
        };
        Ok(Policy {
            otherwise: policy.otherwise.clone(),
            allow: list(&policy.allow)?,
            ask: list(&policy.ask)?,
            deny: list(&policy.deny)?,
            names: policy.names.clone(),
            programs: policy.programs.clone(),
            review: policy.review.clone(),
        })
    }

    fn text_place(&self, name: &str) -> Result<String, Error> {
        match name {
            "." => return Ok(self.root.to_string_lossy().into_owned()),
            "/" => return Ok("/".to_owned()),
            _ => {}
        }
        let place = self.place(name)?;
        std::str::from_utf8(place.as_os_str().as_bytes())
            .map(str::to_owned)
            .map_err(|_| Error::fixture(format!("`{name}` in a policy is not UTF-8")))
    }

    /// The working directory of a call.
    pub(crate) fn cwd(&self, call: &CallDecl) -> Result<String, Error> {
        self.text_place(call.cwd.as_deref().unwrap_or("workspace"))
    }
}

fn repeated(what: &str) -> Result<String, Error> {
    let fault = || Error::fixture(format!("`{{repeat:{what}}}` is not `{{repeat:TIMES:TEXT}}`"));
    let (times, text) = what.split_once(':').ok_or_else(fault)?;
    let times: usize = times.parse().map_err(|_| fault())?;
    if times.saturating_mul(text.len()) > MOST {
        return Err(fault());
    }
    Ok(text.repeat(times))
}
