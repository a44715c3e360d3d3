//! What the reader of commands could not be sure of.

use super::Text;
use crate::assess::gather::Stop;
use crate::commands::{Fact, PathRole, Role, base_name, read, spelled};
use crate::shell::{Assignment, Doubt, Reason, is_harmless_setting};
use crate::{Cause, EffectKind, Layer, Risk};

impl Text<'_, '_, '_> {
    pub(super) fn doubts(&mut self, text: &str, doubts: &[Doubt]) -> Result<(), Stop> {
        let mut told: Vec<Reason> = Vec::new();
        for doubt in doubts {
            if told.contains(&doubt.reason) || self.is_of_no_matter(*doubt) {
                continue;
            }
            told.push(doubt.reason);
            let at = doubt.place.start;
            let line = format!("{}, at byte {at}", doubt.reason.sentence());
            let cause = Cause::new("command.opaque", Layer::BuiltIn, Risk::Confirm, &line);
            let shown: String = text.get(at..).unwrap_or_default().chars().take(40).collect();
            self.at_word(Some(doubt.place), |this| {
                this.plain(None, EffectKind::Opaque, &shown, cause)
            })?;
        }
        Ok(())
    }

    /// A variable that is set for the project's own code alone tells that code something; a name that others read too
    /// still asks.
    fn is_of_no_matter(&self, doubt: Doubt) -> bool {
        let flow = self.flow;
        if doubt.reason == Reason::DynamicRedirection {
            // Such a file is judged like any other operand.
            return flow
                .redirections()
                .any(|(_, one)| one.file().is_some_and(|word| word.place() == doubt.place));
        }
        if doubt.reason != Reason::Environment {
            return false;
        }
        let mut commands = flow.script().commands().iter().enumerate();
        commands.any(|(number, command)| {
            let starts = doubt.place.start >= command.place.start;
            let Some(first) = command.words.first() else {
                // Nothing else is told of it, unless it was exported before.
                let within = starts && doubt.place.end <= command.place.end;
                let mut names = command.assignments.iter().map(|one| one.name.as_str());
                return within
                    && names.all(|name| is_harmless_setting(name, None) || is_only_the_projects(name));
            };
            let before_it = starts && doubt.place.end <= first.place().start;
            let value = |one: &Assignment| match one.values.as_slice() {
                [word] if !one.appends && !one.array => word.literal().map(str::to_owned),
                _ => None,
            };
            let mut all = command
                .assignments
                .iter()
                .map(|one| (one.name.as_str(), value(one)));
            let fits = all.all(|(name, value)| {
                is_harmless_setting(name, value.as_deref())
                    || is_only_the_projects(name)
                    || value.is_some_and(|value| names_the_project(name, &value))
            });
            before_it && fits && self.runs_the_project(number)
        })
    }

    /// Whether a command does nothing but run the project's code, itself or through what it runs.
    fn runs_the_project(&self, number: usize) -> bool {
        let flow = self.flow;
        let Some(command) = flow.script().commands().get(number) else {
            return false;
        };
        let Some((name, arguments)) = spelled(flow, number, command) else {
            return false;
        };
        let Some(program) = self.table.get(base_name(name)) else {
            return false;
        };
        let reading = read(self.table, program, &arguments);
        let code = |role: Role| role == Role::Path(PathRole::Execute);
        let runs =
            reading.facts.contains(&Fact::ProjectCode) || reading.acts.iter().any(|act| code(act.role));
        let harmless = |fact: &Fact| matches!(fact, Fact::ProjectCode | Fact::Fetches);
        reading.misread.is_none() && runs && reading.facts.iter().all(harmless)
    }
}

/// Whether a variable is set to places in the project, or to a name of its own, for an interpreter that runs the project.
fn names_the_project(name: &str, value: &str) -> bool {
    const PLACES: &[&str] = &["MYPYPATH", "NODE_PATH", "PERL5LIB", "PYTHONPATH", "RUBYLIB"];
    const NAMES: &[&str] = &["DJANGO_SETTINGS_MODULE", "FLASK_APP"];
    let plain = |text: &str| {
        let char = |char: char| char.is_ascii_alphanumeric() || "_-./".contains(char);
        let climbs = text.split('/').any(|part| part == "..");
        !text.is_empty() && !text.starts_with(['/', '-']) && !climbs && text.chars().all(char)
    };
    PLACES.contains(&name) && value.split(':').all(plain) || NAMES.contains(&name) && plain(value)
}

/// Whether a name is not of a form that programs, loaders and shells look for.
fn is_only_the_projects(name: &str) -> bool {
    const STARTS: &[&str] = &[
        "LD_",
        "DYLD_",
        "GIT_",
        "SSH_",
        "PYTHON",
        "NODE_",
        "NPM_",
        "YARN_",
        "PNPM_",
        "BUN_",
        "DENO_",
        "BASH",
        "ZSH",
        "PERL",
        "RUBY",
        "GEM_",
        "BUNDLE_",
        "JAVA",
        "JDK_",
        "MAVEN_",
        "GRADLE_",
        "CARGO",
        "RUST",
        "GO",
        "PIP_",
        "UV_",
        "POETRY_",
        "VIRTUAL_ENV",
        "CONDA",
        "DOCKER_",
        "KUBE",
        "XDG_",
        "LUA",
        "PHP",
        "MAKE",
        "CMAKE",
        "CMD",
        "SHELL",
        "PROMPT",
        "PS",
        "HIST",
        "GLIBC_",
        "MALLOC_",
        "HTTP_",
        "HTTPS_",
        "ALL_PROXY",
        "NO_PROXY",
        "CURL_",
        "SSL_",
        "WGET",
        "AWS_",
        "LESS",
        "TMP",
        "TEMP",
        "HOME",
        "USER",
        "PATH",
        "IFS",
        "ENV",
        "CDPATH",
        "FPATH",
        "MANPATH",
        "OPENSSL_",
        "GCONV_",
        "LOC",
        "NLS",
        "TERMINFO",
        "GTK_",
        "QT_",
        "DBUS_",
        "SYSTEMD_",
        "SUDO_",
        "EDITOR",
        "VISUAL",
        "PAGER",
        "BROWSER",
    ];
    const ENDS: &[&str] = &[
        "PATH", "_OPTS", "_OPTIONS", "FLAGS", "_ARGS", "_WRAPPER", "_COMMAND", "_CMD", "EDITOR", "PAGER",
        "SHELL", "_EXEC", "_BIN", "_HOME", "_DIR", "_ROOT", "_CONFIG", "_RC", "RC", "_PRELOAD", "_PROXY",
        "_HOOK", "_PLUGIN", "_PLUGINS", "_MODULE", "_MODULES", "_INIT", "_STARTUP", "_LIB", "_LIBRARY",
    ];
    const WHOLE: &[&str] = &[
        "CC",
        "CXX",
        "CPP",
        "LD",
        "AR",
        "AS",
        "NM",
        "FC",
        "RANLIB",
        "STRIP",
        "OBJCOPY",
        "PKG_CONFIG",
    ];
    !STARTS.iter().any(|start| name.starts_with(start))
        && !ENDS.iter().any(|end| name.ends_with(end))
        && !WHOLE.contains(&name)
        && name
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::{is_only_the_projects, names_the_project};

    #[test]
    fn only_places_in_the_project_are_the_projects() {
        for value in [".", "src", "src:tests/unit", "./lib"] {
            assert!(names_the_project("PYTHONPATH", value), "{value}");
            assert!(!names_the_project("PATH", value), "{value}");
        }
        for value in ["", "/tmp", "..", "src:../x", "src:", "~/x", "$HOME", "-x"] {
            assert!(!names_the_project("PYTHONPATH", value), "{value}");
        }
    }

    #[test]
    fn names_that_others_read_are_not_the_projects() {
        for name in [
            "FOO",
            "PORT",
            "API_URL",
            "DATABASE_URL",
            "LOG_LEVEL",
            "FEATURE_X",
            "APP_MODE",
        ] {
            assert!(is_only_the_projects(name), "{name}");
        }
        for name in [
            "PATH",
            "LD_PRELOAD",
            "NODE_OPTIONS",
            "PYTHONPATH",
            "GIT_SSH_COMMAND",
            "BASH_ENV",
            "RUSTC_WRAPPER",
            "CC",
            "CFLAGS",
            "npm_config_x",
            "PROMPT_COMMAND",
            "EDITOR",
            "MAKEFLAGS",
            "TMPDIR",
            "X_PLUGINS",
            "PS4",
        ] {
            assert!(!is_only_the_projects(name), "{name}");
        }
    }
}
