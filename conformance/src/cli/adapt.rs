//! What the command line says of an adapter.

use std::process::ExitCode;
use std::time::Duration;

use super::args::ClaudeCodeHook;
use super::commands::split;
use crate::adapt::{self, HookOptions};
use crate::{Error, ErrorKind, words};

/// Is the subject.
pub(super) fn claude_code_hook(args: ClaudeCodeHook) -> Result<ExitCode, Error> {
    let usage = |what: String| Error::new(ErrorKind::Usage, what);
    if let Some(word) = args
        .promise
        .iter()
        .chain(&args.without)
        .find(|word| !words::is_capability(word))
    {
        return Err(usage(format!(
            "`{word}` is no capability; PROTOCOL.md section 7 has them"
        )));
    }
    let env = args.env.iter().map(|pair| {
        let split = pair.split_once('=').filter(|(name, _)| !name.is_empty());
        let (name, value) = split.ok_or_else(|| usage(format!("`{pair}` is not NAME=VALUE")))?;
        Ok((name.to_owned(), value.to_owned()))
    });
    Ok(adapt::claude_code_hook(HookOptions {
        env: env.collect::<Result<_, Error>>()?,
        setup: command(args.setup)?,
        audit_export: command(args.audit_export)?,
        name: args.name,
        version: args.subject_version,
        command: args.command,
        no_opinion: args.no_opinion,
        on_failure: args.on_failure,
        timeout: Duration::from_millis(args.timeout_ms),
        promise: args.promise,
        without: args.without,
    }))
}

/// A command in one text.
fn command(text: Option<String>) -> Result<Vec<String>, Error> {
    let words = text.map(|text| split(&text)).transpose()?.unwrap_or_default();
    let text = |word: std::ffi::OsString| {
        word.into_string()
            .map_err(|word| Error::new(ErrorKind::Usage, format!("`{}` is not UTF-8", word.display())))
    };
    words.into_iter().map(text).collect()
}
