use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use portcullis::config::{self, HookAllow, UserConfig};
use portcullis::{EffectKind, Layer, Policy, Preset, Rule, Settings, Toolbox, ZoneKind};
use serde_json::{Value, json};

use crate::exit_codes::DONE;
use crate::failure::Failure;
use crate::files;
use crate::scene::{IfBroken, SceneArgs, USER_POLICY};
use crate::surroundings::Surroundings;

const EXAMPLES: &str = "\
Examples:
  portcullis config show
  portcullis config check .portcullis/policy.toml --project
  portcullis config schema > policy.schema.json";

/// Show what the policy files say together, or check one of them
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Config {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print every effective value and the layer that it comes from
    Show {
        #[command(flatten)]
        scene: SceneArgs,

        /// The same as data, one line for each value
        #[arg(long)]
        json: bool,
    },
    /// Read a policy file strictly and say what is wrong with it; exit code 4 when it cannot be used
    Check {
        /// The file [default: policy.toml in your configuration directory]
        file: Option<PathBuf>,

        /// It is a project's: it may say less, and its relative places are below the directory above its own
        #[arg(long)]
        project: bool,
    },
    /// Print the JSON Schema of policy files, for editors
    Schema,
}

impl Config {
    pub(crate) fn run(self, around: &Surroundings) -> Result<u8, Failure> {
        match self.action {
            Action::Show { scene, json } => show(&scene, json, around),
            Action::Check { file, project } => check(file, project, around),
            Action::Schema => {
                let mut stdout = anstream::stdout().lock();
                stdout.write_all(config::SCHEMA.as_bytes())?;
                stdout.flush()?;
                Ok(DONE)
            }
        }
    }
}

fn check(file: Option<PathBuf>, is_project: bool, around: &Surroundings) -> Result<u8, Failure> {
    let file = match file {
        Some(file) => around.absolute(&file)?,
        None => around.config_directory()?.join(USER_POLICY),
    };
    let name = file.to_string_lossy();
    let text = String::from_utf8(files::read_input(&file)?).map_err(|_| {
        Failure::input(
            format!("{} is not text in UTF-8", files::shown(&file)),
            "a policy is TOML, which is UTF-8",
        )
    })?;
    if is_project {
        let root = file.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
        config::check_project(&text, &name, root)?;
    } else {
        config::parse_user(&text, &name)?;
    }
    let mut stdout = anstream::stdout().lock();
    writeln!(stdout, "{} is a policy", files::shown(&file))?;
    stdout.flush()?;
    Ok(DONE)
}

fn show(scene: &SceneArgs, json: bool, around: &Surroundings) -> Result<u8, Failure> {
    let scene = scene.set(around, IfBroken::Tighten, None)?;
    let log = scene.log.clone();
    let user = scene.user.clone();
    let classifier = scene.builder.toolbox(Toolbox::standard()).classifier()?;
    let policy = classifier.policy();
    let mut values = settings(user.as_ref(), policy, &log);
    values.extend(
        policy
            .broken()
            .map(|(layer, why)| line("broken", layer, json!(why))),
    );
    values.extend(
        policy
            .off()
            .map(|group| line("catalogue.off", Layer::User, json!(group))),
    );
    values.extend(policy.placed_zones().map(|(layer, zone)| {
        line(
            &format!("zones.{}", word(zone.kind)),
            layer,
            json!({"id": zone.id, "path": zone.path.to_string_lossy()}),
        )
    }));
    values.extend(
        policy
            .rules()
            .map(|(layer, rule)| line("rule", layer, rule_value(rule))),
    );
    let mut stdout = anstream::stdout().lock();
    for value in values {
        if json {
            writeln!(stdout, "{}", value.as_json())?;
        } else {
            writeln!(stdout, "{:<9} {:<26} {}", value.layer, value.name, value.shown())?;
        }
    }
    stdout.flush()?;
    Ok(DONE)
}

/// What decides no risk, and the preset.
fn settings(user: Option<&UserConfig>, policy: &Policy, log: &Path) -> Vec<Line> {
    let set = user.map(|user| &user.settings);
    let from = |is_set: bool| if is_set { Layer::User } else { Layer::BuiltIn };
    let deadline = set.and_then(|set| set.deadline);
    let allow = set.map(|set| set.claude_code_allow).unwrap_or_default();
    let said = user.and_then(|user| user.rules.preset);
    // A project can only make it stricter than the user's.
    let preset = match said {
        Some(said) if said == policy.preset() => Layer::User,
        None if policy.preset() == Preset::default() => Layer::BuiltIn,
        _ => Layer::Project,
    };
    let seconds = deadline.unwrap_or(Settings::for_user("").deadline).as_secs();
    vec![
        line("preset", preset, json!(policy.preset().word())),
        line(
            "approval.deadline_seconds",
            from(deadline.is_some()),
            json!(seconds),
        ),
        line(
            "hook.claude-code.allow",
            from(allow != HookAllow::default()),
            json!(if allow == HookAllow::Allow {
                "allow"
            } else {
                "silent"
            }),
        ),
        line(
            "audit.path",
            from(set.is_some_and(|set| set.audit.is_some())),
            json!(log.to_string_lossy()),
        ),
        line("version", Layer::BuiltIn, json!(policy.version())),
    ]
}

/// One effective value.
struct Line {
    name: String,
    layer: &'static str,
    value: Value,
}

fn line(name: &str, layer: Layer, value: Value) -> Line {
    Line {
        name: name.to_owned(),
        layer: layer.word(),
        value,
    }
}

impl Line {
    fn as_json(&self) -> Value {
        json!({"name": self.name, "layer": self.layer, "value": self.value})
    }

    fn shown(&self) -> String {
        let text = match &self.value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        portcullis::visible(&text, 300)
    }
}

fn rule_value(rule: &Rule) -> Value {
    let subject = &rule.subject;
    json!({
        "id": rule.id, "risk": rule.risk.word(), "tool": subject.tool,
        "operation": subject.operation.map(EffectKind::word),
        "under": subject.under.as_ref().map(|under| under.to_string_lossy()),
        "command": subject.command, "because": rule.because,
    })
}

fn word(kind: ZoneKind) -> &'static str {
    match kind {
        ZoneKind::DenyRead => "deny_read",
        ZoneKind::DenyWrite => "deny_write",
        ZoneKind::ConfirmRead => "confirm_read",
        ZoneKind::ConfirmWrite => "confirm_write",
        _ => "named",
    }
}
