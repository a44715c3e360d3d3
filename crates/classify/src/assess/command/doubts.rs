//! What the reader of commands could not be sure of.

use super::Text;
use crate::assess::gather::Stop;
use crate::commands::{Fact, base_name, read, spelled};
use crate::shell::{Doubt, Reason, is_harmless_variable};
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
            self.plain(None, EffectKind::Opaque, &shown, cause)?;
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
            let Some(first) = command.words.first() else {
                return false;
            };
            let before_it =
                doubt.place.start >= command.place.start && doubt.place.end <= first.place().start;
            let names = command.assignments.iter().map(|one| one.name.as_str());
            let mut unknown = names.filter(|name| !is_harmless_variable(name));
            before_it && unknown.all(is_only_the_projects) && self.runs_the_project(number)
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
        reading.misread.is_none() && reading.facts == [Fact::ProjectCode]
    }
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
    use super::is_only_the_projects;

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
