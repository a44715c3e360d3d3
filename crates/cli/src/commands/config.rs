mod check;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use portcullis::config::{self, HookAllow, ProjectConfig, RunConfig, UserConfig, WhoIsAsked};
use portcullis::{
    CATALOGUE, EffectKind, Layer, LayerRules, Level, NameGroup, Policy, Rule, Settings, ToolSpec, Toolbox,
    ZoneKind,
};
use serde_json::{Value, json};

use crate::exit_codes::DONE;
use crate::failure::Failure;
use crate::scene::{IfBroken, SceneArgs};
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
    /// Print every effective value, the layer that it comes from, and where that says it
    Show {
        #[command(flatten)]
        scene: SceneArgs,

        /// The same as data, one line for each value
        #[arg(long)]
        json: bool,
    },
    /// Read a policy file strictly and say what is wrong with it; exit code 4 when it cannot be used
    Check {
        /// The file; `-` is standard input [default: policy.toml in your configuration directory]
        file: Option<PathBuf>,

        /// It is a project's: it may say less, and its relative places are below the directory above its own
        #[arg(long)]
        project: bool,

        /// The same as data, one line
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON Schema of policy files, for editors
    Schema,
    /// Print the names that ask because they are private or sensitive, in the form of `[[catalogue.add]]`
    Catalogue,
}

impl Config {
    pub(crate) fn run(self, around: &Surroundings) -> Result<u8, Failure> {
        match self.action {
            Action::Show { scene, json } => show(&scene, json, around),
            Action::Check { file, project, json } => check::run(file, project, json, around),
            Action::Schema => print(config::SCHEMA),
            Action::Catalogue => print(CATALOGUE),
        }
    }
}

fn print(text: &str) -> Result<u8, Failure> {
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(DONE)
}

fn show(scene: &SceneArgs, json: bool, around: &Surroundings) -> Result<u8, Failure> {
    let scene = scene.set(around, IfBroken::Tighten, None)?;
    let said = Said {
        user: scene.user.as_ref(),
        run: scene.run.as_ref(),
        projects: &scene.projects,
    };
    let classifier = scene.builder.toolbox(Toolbox::standard()).classifier()?;
    let policy = classifier.policy();
    let mut values = settings(&said, policy, &scene.log);
    values.extend(
        policy
            .broken()
            .map(|(layer, why)| line("broken", layer, json!(why))),
    );
    values.extend(
        policy
            .off()
            .map(|group| line("catalogue.off", Layer::User, json!(group)).from(said.of(Layer::User, group))),
    );
    values.extend(data(&said, policy));
    values.extend(policy.placed_zones().map(|(layer, zone)| {
        line(
            &format!("zones.{}", word(zone.kind)),
            layer,
            json!({"id": zone.id, "path": zone.path.to_string_lossy()}),
        )
        .from(said.of(layer, &zone.id))
    }));
    values.extend(
        policy
            .rules()
            .map(|(layer, rule)| line("rule", layer, rule_value(rule)).from(said.of(layer, &rule.id))),
    );
    let mut stdout = anstream::stdout().lock();
    for value in values {
        if json {
            writeln!(stdout, "{}", value.as_json())?;
        } else {
            let source = value.source.as_deref().map_or(String::new(), |source| {
                format!("  [{}]", portcullis::visible(source, 300))
            });
            let shown = value.shown();
            writeln!(stdout, "{:<9} {:<26} {shown}{source}", value.layer, value.name)?;
        }
    }
    stdout.flush()?;
    Ok(DONE)
}

/// What the layers said, with the places where they said it.
struct Said<'a> {
    user: Option<&'a UserConfig>,
    run: Option<&'a RunConfig>,
    projects: &'a [ProjectConfig],
}

impl Said<'_> {
    /// Where a layer says it: a file and a line, a variable or a flag.
    fn of(&self, layer: Layer, name: &str) -> Option<String> {
        match layer {
            Layer::User => self.user?.origins.shown(name),
            Layer::Run => self.run?.origins.shown(name),
            Layer::Project => self
                .projects
                .iter()
                .find_map(|project| project.origins.shown(name)),
            _ => None,
        }
    }

    /// The first layer, from the ground up, that says exactly this.
    fn first(&self, says: impl Fn(&LayerRules) -> bool) -> Layer {
        let user = self.user.map(|user| &user.rules);
        let projects = self.projects.iter().map(|project| &project.rules);
        let run = self.run.map(|run| &run.rules);
        let mut layers = user.into_iter().chain(projects).chain(run);
        layers
            .find(|rules| says(rules))
            .map_or(Layer::BuiltIn, |rules| rules.layer)
    }
}

/// What is said in the form of the built-in data, and the levels of what is reviewed otherwise than by its effects.
fn data(said: &Said<'_>, policy: &Policy) -> Vec<Line> {
    let added = policy.added_names().map(|(layer, group)| {
        let value = json!({"id": group.id(), "why": group.why(), "names": listed(group)});
        line("catalogue.add", layer, value).from(said.of(layer, group.id()))
    });
    let removed = policy.removed().map(|group| {
        let value = json!({"id": group.id(), "names": listed(group)});
        line("catalogue.remove", Layer::User, value).from(said.of(Layer::User, group.id()))
    });
    let programs = policy.program_entries().map(|(layer, entry)| {
        let name = entry.names().first().map_or("", String::as_str);
        line("program", layer, json!(entry.names())).from(said.of(layer, &format!("program.{name}")))
    });
    added
        .chain(removed)
        .chain(programs)
        .chain(levels(said, policy))
        .collect()
}

/// Every parameter of a tool that is known here, where its level is another than the one that is built in.
fn levels(said: &Said<'_>, policy: &Policy) -> Vec<Line> {
    let toolbox = Toolbox::standard();
    let tools = toolbox.names().filter_map(|name| toolbox.get(name));
    let known = tools.flat_map(|tool| {
        let members = tool.operands().iter().map(|operand| operand.member.to_string());
        members.map(|member| (tool, member)).collect::<Vec<_>>()
    });
    let mut lines: Vec<Line> = known
        .map(|(tool, member)| {
            let (level, layer) = policy.level(tool, &member);
            (format!("{}.{member}", tool.name()), level, layer)
        })
        .filter(|(_, level, layer)| (*level, *layer) != (Level::default(), Layer::BuiltIn))
        .map(|(name, level, layer)| level_line(said, &name, level, layer))
        .collect();
    // Tools of a host are not known here: what is said of them is shown as it is said.
    for (layer, levels) in policy.levels() {
        let others = levels
            .named
            .iter()
            .filter(|((tool, member), _)| !toolbox.get(tool).is_some_and(|tool| has(tool, member)));
        lines.extend(
            others
                .map(|((tool, member), level)| level_line(said, &format!("{tool}.{member}"), *level, layer)),
        );
    }
    lines
}

fn has(tool: &ToolSpec, member: &str) -> bool {
    tool.operands().iter().any(|operand| operand.member == member)
}

fn level_line(said: &Said<'_>, name: &str, level: Level, layer: Layer) -> Line {
    let name = format!("review.levels.{name}");
    let any = name
        .rsplit_once('.')
        .map(|(_, member)| format!("review.levels.*.{member}"));
    let source = [
        Some(name.clone()),
        any,
        Some("review.profile".to_owned()),
        Some("review".to_owned()),
    ]
    .into_iter()
    .flatten()
    .find_map(|name| said.of(layer, &name));
    line(&name, layer, json!(level.word())).from(source)
}

/// The names of a group by the members that they stand under.
fn listed(group: &NameGroup) -> Value {
    let mut members: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (member, name) in group.entries() {
        members.entry(member).or_default().push(name);
    }
    json!(members)
}

/// The values that are no rules and no places.
fn settings(said: &Said<'_>, policy: &Policy, log: &Path) -> Vec<Line> {
    let set = said.user.map(|user| &user.settings);
    let of_user = |is_set: bool| if is_set { Layer::User } else { Layer::BuiltIn };
    let approver = set.and_then(|set| set.approver);
    let allow = set.map(|set| set.claude_code_allow).unwrap_or_default();
    let by_run = said.run.and_then(|run| run.deadline);
    let by_user = set.and_then(|set| set.deadline);
    let deadline = by_run.or(by_user).unwrap_or(Settings::for_user("").deadline);
    let (otherwise, _) = policy.otherwise();
    // Several layers may name one; what they come to is shown for each parameter.
    let profile = policy
        .levels()
        .find_map(|(_, levels)| levels.profile)
        .unwrap_or_default();
    let is = |name: &str, layer: Layer, value: Value| line(name, layer, value).from(said.of(layer, name));
    vec![
        // Of what joins, the layer that made it as strict as it is.
        is(
            "preset",
            said.first(|rules| rules.preset == Some(policy.preset())),
            json!(policy.preset().word()),
        ),
        is(
            "otherwise",
            said.first(|rules| rules.otherwise == Some(otherwise)),
            json!(otherwise.word()),
        ),
        is(
            "review.profile",
            said.first(|rules| rules.levels.profile.is_some()),
            json!(profile.word()),
        ),
        is(
            "approval.deadline_seconds",
            if by_run.is_some() {
                Layer::Run
            } else {
                of_user(by_user.is_some())
            },
            json!(deadline.as_secs()),
        ),
        is(
            "approval.approver",
            of_user(approver.is_some()),
            json!(match approver.unwrap_or_default() {
                WhoIsAsked::Desk => "desk",
                _ => "here",
            }),
        ),
        is(
            "hook.claude-code.allow",
            of_user(said.of(Layer::User, "hook.claude-code.allow").is_some()),
            json!(if allow == HookAllow::Allow {
                "allow"
            } else {
                "silent"
            }),
        ),
        is(
            "audit.path",
            of_user(set.is_some_and(|set| set.audit.is_some())),
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
    /// Where the layer says it; what is built in stands nowhere.
    source: Option<String>,
}

fn line(name: &str, layer: Layer, value: Value) -> Line {
    Line {
        name: name.to_owned(),
        layer: layer.word(),
        value,
        source: None,
    }
}

impl Line {
    fn from(self, source: Option<String>) -> Self {
        Self { source, ..self }
    }

    fn as_json(&self) -> Value {
        json!({"name": self.name, "layer": self.layer, "value": self.value, "source": self.source})
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
        "command": subject.command, "except": subject.except, "because": rule.because,
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
