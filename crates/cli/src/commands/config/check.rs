//! One policy file, read as a gate reads it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use portcullis::config::{self, ConfigError, ConfigErrorKind};
use serde_json::json;

use crate::exit_codes::{CONFIGURATION, DONE, INPUT};
use crate::failure::Failure;
use crate::files;
use crate::scene::USER_POLICY;
use crate::surroundings::Surroundings;

/// Checks and says what is wrong. As data it goes to standard output, also where the file cannot be used.
pub(super) fn run(
    file: Option<PathBuf>,
    is_project: bool,
    is_data: bool,
    around: &Surroundings,
) -> Result<u8, Failure> {
    let (name, found) = match file {
        Some(file) if file == Path::new("-") => {
            let name = "standard input".to_owned();
            let found = text(&files::read_input(&file)?, &name, is_project, around)?;
            (name, found)
        }
        Some(file) => at(&around.absolute(&file)?, is_project),
        None => at(&around.config_directory()?.join(USER_POLICY), is_project),
    };
    let code = match &found {
        Ok(()) => DONE,
        Err(error) if error.kind() == ConfigErrorKind::Unreadable => INPUT,
        Err(_) => CONFIGURATION,
    };
    let mut stdout = anstream::stdout().lock();
    match &found {
        _ if is_data => writeln!(stdout, "{}", data(&name, &found))?,
        Ok(()) => writeln!(stdout, "`{}` is a policy", portcullis::visible(&name, 1000))?,
        Err(error) => anstream::eprintln!("{}", error.render()),
    }
    stdout.flush()?;
    Ok(code)
}

fn at(file: &Path, is_project: bool) -> (String, Result<(), ConfigError>) {
    let found = if is_project {
        let root = file.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
        config::check_project_file(file, root)
    } else {
        match config::load_user(file) {
            Ok(Some(_)) => Ok(()),
            Ok(None) => Err(ConfigError::missing(&file.to_string_lossy())),
            Err(error) => Err(error),
        }
    };
    (file.to_string_lossy().into_owned(), found)
}

fn text(
    bytes: &[u8],
    name: &str,
    is_project: bool,
    around: &Surroundings,
) -> Result<Result<(), ConfigError>, Failure> {
    let text = std::str::from_utf8(bytes).map_err(|_| {
        Failure::input(
            format!("{name} is not text in UTF-8"),
            "a policy is TOML, which is UTF-8",
        )
    })?;
    Ok(if is_project {
        config::check_project(text, name, around.current()?)
    } else {
        config::parse_user(text, name).map(|_| ())
    })
}

fn data(name: &str, found: &Result<(), ConfigError>) -> serde_json::Value {
    let diagnostics: Vec<_> = found
        .as_ref()
        .err()
        .into_iter()
        .flat_map(ConfigError::diagnostics)
        .map(|one| {
            let at = one.position.as_ref();
            json!({
                "line": at.map(|at| at.line), "column": at.map(|at| at.column), "text": at.map(|at| &at.text),
                "message": one.message, "hint": one.hint,
            })
        })
        .collect();
    json!({"file": name, "usable": found.is_ok(), "diagnostics": diagnostics})
}
