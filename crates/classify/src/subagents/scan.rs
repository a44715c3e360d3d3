use serde_json::Value;

use super::place::{self, Step};
use crate::show;

/// Containers within containers that are looked into; the arguments object counts as one.
pub const DEPTH_LIMIT: usize = 10;

/// Values that are looked at in one call.
pub const NODE_LIMIT: usize = 100_000;

/// The member that names a working directory, wherever it stands.
const MEMBER: &str = "cwd";

/// Parts of a tool's name, in any letter case.
const NAMES: [&str; 4] = ["subagent", "delegate", "spawn", "agent"];

/// A working directory that is not the current one, or a value that is no directory at all.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Where it stands in the arguments, as `$["tasks"][0]["cwd"]`; escaped and bounded.
    pub place: String,
    /// What stands there: the text, or which kind of value it is; escaped and bounded.
    pub seen: String,
}

/// Why arguments cannot be looked through safely. Such a call is denied, and nobody can approve it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unscannable {
    /// More than [`DEPTH_LIMIT`] containers within each other.
    TooDeep,
    /// More than [`NODE_LIMIT`] values.
    TooLarge,
}

impl std::fmt::Display for Unscannable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooDeep => write!(f, "more than {DEPTH_LIMIT} containers stand within each other"),
            Self::TooLarge => write!(f, "they hold more than {NODE_LIMIT} values"),
        }
    }
}

impl std::error::Error for Unscannable {}

/// Whether a tool of this name may start a sub-agent: it contains `subagent`, `delegate`, `spawn` or `agent`, in any
/// letter case.
#[must_use]
pub fn may_start(tool: &str) -> bool {
    let tool = tool.to_ascii_lowercase();
    NAMES.iter().any(|part| tool.contains(part))
}

/// Finds every member `cwd`, at any depth, that is neither missing, `null`, empty nor byte for byte the current
/// directory. Nothing is trimmed or normalised on either side: only the tool knows how it reads the text. Without a
/// current directory every text is another one.
///
/// The walk is not recursive, and its work is bounded by [`NODE_LIMIT`] and [`DEPTH_LIMIT`], not by time. The arguments
/// come from a strict reader ([`Call::read`](crate::Call::read)), which refuses what JSON does not define, such as a
/// member that stands twice.
///
/// ```
/// use portcullis_classify::subagents::scan;
///
/// let arguments = serde_json::json!({"tasks": [{"cwd": "/work"}, {"cwd": "/work/"}]});
/// let found = scan(&arguments, Some(b"/work"))?;
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].place, r#"$["tasks"][1]["cwd"]"#);
/// # Ok::<(), portcullis_classify::subagents::Unscannable>(())
/// ```
///
/// # Errors
/// The arguments are too deep or too large to be looked through.
pub fn scan(arguments: &Value, cwd: Option<&[u8]>) -> Result<Vec<Finding>, Unscannable> {
    let mut found = Vec::new();
    let mut nodes = 1_usize;
    let mut open: Vec<Level<'_>> = Level::of(arguments).into_iter().collect();
    while let Some(level) = open.last_mut() {
        let Some((step, value)) = level.next() else {
            open.pop();
            continue;
        };
        nodes += 1;
        if nodes > NODE_LIMIT {
            return Err(Unscannable::TooLarge);
        }
        level.at = Some(step);
        if matches!(step, Step::Member(MEMBER)) && !passes(value, cwd) {
            found.push(Finding {
                place: show::operand(&place::write(open.iter().filter_map(|level| level.at))),
                seen: seen(value),
            });
        }
        if let Some(below) = Level::of(value) {
            if open.len() == DEPTH_LIMIT {
                return Err(Unscannable::TooDeep);
            }
            open.push(below);
        }
    }
    Ok(found)
}

fn passes(value: &Value, cwd: Option<&[u8]>) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty() || cwd == Some(text.as_bytes()),
        _ => false,
    }
}

fn seen(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{}`", show::operand(text)),
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "a boolean".to_owned(),
        Value::Number(_) => "a number".to_owned(),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// A container that is being looked through.
struct Level<'a> {
    rest: Rest<'a>,
    /// The step that was taken last.
    at: Option<Step<'a>>,
}

enum Rest<'a> {
    Members(serde_json::map::Iter<'a>),
    Elements(std::iter::Enumerate<std::slice::Iter<'a, Value>>),
}

impl<'a> Level<'a> {
    fn of(value: &'a Value) -> Option<Self> {
        let rest = match value {
            Value::Object(members) => Rest::Members(members.iter()),
            Value::Array(elements) => Rest::Elements(elements.iter().enumerate()),
            _ => return None,
        };
        Some(Self { rest, at: None })
    }

    fn next(&mut self) -> Option<(Step<'a>, &'a Value)> {
        match &mut self.rest {
            Rest::Members(members) => members.next().map(|(name, value)| (Step::Member(name), value)),
            Rest::Elements(elements) => elements
                .next()
                .map(|(index, value)| (Step::Element(index), value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    const CWD: &[u8] = b"/work/app";

    fn places(arguments: &Value) -> Vec<String> {
        let found = scan(arguments, Some(CWD)).unwrap();
        found.into_iter().map(|finding| finding.place).collect()
    }

    #[rstest]
    #[case("subagent", true)]
    #[case("SubAgent_run", true)]
    #[case("DELEGATE", true)]
    #[case("respawn", true)]
    #[case("list_agents", true)]
    #[case("read", false)]
    #[case("age", false)]
    #[case("", false)]
    fn names_are_matched_loosely(#[case] tool: &str, #[case] expected: bool) {
        assert_eq!(may_start(tool), expected);
    }

    #[rstest]
    #[case::missing(json!({"prompt": "x"}))]
    #[case::null(json!({"cwd": null}))]
    #[case::empty(json!({"cwd": ""}))]
    #[case::equal(json!({"cwd": "/work/app"}))]
    #[case::as_a_value(json!({"name": "cwd", "list": ["cwd", "/x"]}))]
    #[case::another_case(json!({"CWD": "/x", "cwd_": "/x"}))]
    #[case::no_container(json!("cwd"))]
    fn passes_without_a_word(#[case] arguments: Value) {
        assert_eq!(places(&arguments), Vec::<String>::new());
    }

    /// The arguments, the lists within each other and the member make ten; one list more is too much.
    #[test]
    fn ten_containers_are_looked_into_and_not_eleven() {
        let nested = |lists: usize| (0..lists).fold(json!({"cwd": "/x"}), |inner, _| json!([inner]));
        let eight = json!({"a": nested(8)});
        assert_eq!(scan(&eight, None).unwrap().len(), 1);
        let nine = json!({"a": nested(9)});
        assert_eq!(scan(&nine, None).unwrap_err(), Unscannable::TooDeep);
    }

    #[rstest]
    #[case::trailing(json!("/work/app/"))]
    #[case::doubled(json!("/work//app"))]
    #[case::dot(json!("/work/./app"))]
    #[case::dots(json!("/work/app/../app"))]
    #[case::relative(json!("."))]
    #[case::case_differs(json!("/work/App"))]
    #[case::blank(json!(" "))]
    #[case::blank_around(json!("/work/app "))]
    #[case::backslash(json!("\\work\\app"))]
    #[case::number(json!(0))]
    #[case::boolean(json!(false))]
    #[case::object(json!({}))]
    #[case::array(json!([]))]
    fn asks(#[case] value: Value) {
        assert_eq!(places(&json!({"cwd": value})), [r#"$["cwd"]"#]);
    }

    /// Nothing is made of the current directory either: its own spelling passes, and no other.
    #[rstest]
    #[case::trailing("/work/app/", "/work/app")]
    #[case::doubled("/work//app", "/work/app")]
    #[case::dot("/work/./app", "/work/app")]
    #[case::dots("/work/x/../app", "/work/app")]
    #[case::blank("/work/app ", "/work/app")]
    fn the_current_directory_is_as_it_is_spelled(#[case] cwd: &str, #[case] plain: &str) {
        let found = |text: &str| scan(&json!({ "cwd": text }), Some(cwd.as_bytes())).unwrap();
        assert_eq!((found(cwd).len(), found(plain).len()), (0, 1));
    }

    #[test]
    fn each_is_listed_with_its_place() {
        let arguments = json!({
            "cwd": "/a", "tasks": [{"cwd": "/work/app"}, {"deep": {"cwd": "/b"}}, [{"cwd": 1}]],
        });
        let expected = [
            r#"$["cwd"]"#,
            r#"$["tasks"][1]["deep"]["cwd"]"#,
            r#"$["tasks"][2][0]["cwd"]"#,
        ];
        assert_eq!(places(&arguments), expected);
    }

    #[test]
    fn without_a_current_directory_every_text_is_another() {
        assert_eq!(scan(&json!({"cwd": "/work/app"}), None).unwrap().len(), 1);
        assert_eq!(scan(&json!({"cwd": ""}), None).unwrap().len(), 0);
    }

    fn nested(containers: usize) -> Value {
        (1..containers).fold(json!({"cwd": "/work/app"}), |inner, at| match at % 2 {
            0 => json!({ "a": inner }),
            _ => json!([inner]),
        })
    }

    #[test]
    fn depth_ends_at_its_limit() {
        assert_eq!(scan(&nested(DEPTH_LIMIT), Some(CWD)), Ok(Vec::new()));
        assert_eq!(
            scan(&nested(DEPTH_LIMIT + 1), Some(CWD)),
            Err(Unscannable::TooDeep)
        );
        assert_eq!(scan(&nested(100), Some(CWD)), Err(Unscannable::TooDeep));
    }

    #[test]
    fn an_empty_container_counts_too() {
        let mut arguments = json!([]);
        for _ in 0..DEPTH_LIMIT {
            arguments = json!([arguments]);
        }
        assert_eq!(scan(&arguments, None), Err(Unscannable::TooDeep));
    }

    #[test]
    fn width_ends_at_its_limit() {
        let fits = Value::from(vec![0; NODE_LIMIT - 1]);
        assert_eq!(scan(&fits, None), Ok(Vec::new()));
        let more = Value::from(vec![0; NODE_LIMIT]);
        assert_eq!(scan(&more, None), Err(Unscannable::TooLarge));
    }

    #[test]
    fn what_is_shown_is_safe_and_bounded() {
        let name = "x\u{1b}[2J\u{202e}".repeat(100);
        let found = scan(&json!({ name: {"cwd": "\u{1b}]0;x\u{7}".repeat(100)} }), None).unwrap();
        let finding = found.first().unwrap();
        for text in [&finding.place, &finding.seen] {
            assert!(text.chars().count() <= show::OPERAND_LIMIT + 2, "{text}");
            assert!(!text.chars().any(|c| c.is_control() || c == '\u{202e}'), "{text}");
        }
    }

    /// Few names and few texts, so that directories are common.
    fn any_arguments() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!(null)),
            Just(json!("/work/app")),
            Just(json!("")),
            Just(json!("/x")),
            Just(json!(7)),
        ];
        leaf.prop_recursive(5, 60, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(prop::sample::select(vec!["cwd", "a", "b"]), inner, 0..4)
                    .prop_map(|members| json!(members)),
            ]
        })
    }

    /// The same rule, written as plainly as it can be.
    fn plainly(value: &Value, cwd: &str) -> usize {
        match value {
            Value::Array(elements) => elements.iter().map(|element| plainly(element, cwd)).sum(),
            Value::Object(members) => members
                .iter()
                .map(|(name, value)| {
                    let fine = value.is_null() || value == "" || value == cwd;
                    usize::from(name == "cwd" && !fine) + plainly(value, cwd)
                })
                .sum(),
            _ => 0,
        }
    }

    proptest! {
        #[test]
        fn finds_what_a_plain_walk_finds(arguments in any_arguments()) {
            let found = scan(&arguments, Some(CWD)).unwrap();
            prop_assert_eq!(found.len(), plainly(&arguments, "/work/app"));
            let places: std::collections::BTreeSet<_> = found.iter().map(|finding| &finding.place).collect();
            prop_assert_eq!(places.len(), found.len());
        }
    }
}
