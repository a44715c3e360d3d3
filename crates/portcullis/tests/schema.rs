//! The published schema and the reader say the same of every file's shape.
#![expect(clippy::unwrap_used, reason = "a schema that cannot be read fails the test")]

use jsonschema::Validator;
use portcullis::EffectKind;
use portcullis::config::{SCHEMA, parse_user};
use rstest::rstest;
use serde_json::Value;

fn schema() -> Validator {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn as_json(text: &str) -> Value {
    let value: toml::Value = toml::from_str(text).unwrap();
    serde_json::to_value(value).unwrap()
}

/// A file in which everything that can be said is said.
const FULL: &str = r#"
version = 1
preset = "careful"
otherwise = "deny"
[approval]
deadline_seconds = 90
approver = "desk"
[zones]
deny_read = ["~/.ssh", { path = "/etc/keys", id = "keys", because = "they open doors" }]
deny_write = ["/srv"]
confirm_read = ["/a"]
confirm_write = []
[[rule]]
id = "publish-is-visible"
tool = "bash"
command = ["git", "push"]
risk = "confirm"
because = "others will see it"
matches = ["git push origin main"]
spares = ["git status"]
[[rule]]
id = "vendored"
operation = "write"
under = "/srv/vendor"
risk = "deny"
because = "generated"
[catalogue]
off = ["private.environment"]
[[catalogue.add]]
id = "clients"
why = "their papers are nobody's business"
asks = "read"
preset = "everyday"
directories = ["clients"]
stems = ["offer"]
with = [".pdf"]
below = { work = ["private"] }
places = ["/srv/clients"]
home = ["Mail"]
matches = ["~/Mail/a", "/x/Clients/b"]
spares = ["/x/clients.md"]
[[catalogue.remove]]
id = "private.directory"
directories = ["vault"]
[review]
profile = "guardian"
[review.levels]
bash.command = "by-effect"
"*".path = "outside-or-private"
[[program]]
names = ["sheettool"]
alone = ["--version"]
stop = false
options = { "--log" = "write", "-x" = "text" }
when = [{ options = ["-x"], also = ["connects"] }]
matches = ["sheettool set data.xlsx /Sheet1/B1 --value 95"]
spares = ["sheettool drop data.xlsx"]
[[program.sub]]
names = ["set"]
valued = ["--value"]
operands = ["write", "text"]
[hook.claude-code]
allow = "allow"
[audit]
path = "~/audit.jsonl"
"#;

/// Every member of the data's own form, by what it is written back as.
#[test]
fn the_schema_knows_every_member_of_the_data() {
    let config = parse_user(FULL, "full").unwrap();
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let keys = |value: &Value| -> Vec<String> {
        let mut keys: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
        keys.sort();
        keys
    };
    let described = |at: &str| keys(schema.pointer(at).unwrap());
    let program = serde_json::to_value(&config.rules.programs[0]).unwrap();
    assert_eq!(keys(&program), described("/$defs/program/properties"));
    let when = program.pointer("/when/0").unwrap();
    assert_eq!(
        keys(when),
        described("/$defs/program/properties/when/items/properties")
    );
    let names = serde_json::to_value(&config.rules.names[0]).unwrap();
    assert_eq!(keys(&names), described("/$defs/names/properties"));
}

#[test]
fn a_full_file_has_the_shape() {
    parse_user(FULL, "full").unwrap();
    assert!(schema().is_valid(&as_json(FULL)));
}

/// Every table of the full file with one key more.
#[test]
fn an_unknown_key_is_refused_by_both_in_every_table() {
    let full = as_json(FULL);
    let mut places = Vec::new();
    collect(&full, String::new(), &mut places);
    assert!(places.len() >= 9, "{places:?}");
    for place in places {
        let mut changed = full.clone();
        let table = changed.pointer_mut(&place).unwrap().as_object_mut().unwrap();
        table.insert("unheard-of".to_owned(), Value::Bool(true));
        let text = toml::to_string(&changed).unwrap();
        assert!(!schema().is_valid(&changed), "schema, {place}");
        assert!(parse_user(&text, "changed").is_err(), "reader, {place}");
    }
}

fn collect(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, inner) in members {
                collect(inner, format!("{at}/{name}"), places);
            }
            places.push(at);
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                collect(inner, format!("{at}/{index}"), places);
            }
        }
        _ => {}
    }
}

/// Every key that must be there, taken away.
#[rstest]
#[case::version("/version")]
#[case::place("/zones/deny_read/1/path")]
#[case::id("/rule/0/id")]
#[case::risk("/rule/0/risk")]
#[case::because("/rule/0/because")]
#[case::why("/catalogue/add/0/why")]
#[case::group("/catalogue/add/0/id")]
#[case::program("/program/0/names")]
fn a_missing_key_is_refused_by_both(#[case] place: &str) {
    let mut changed = as_json(FULL);
    let (table, key) = place.rsplit_once('/').unwrap();
    let table = changed.pointer_mut(table).unwrap().as_object_mut().unwrap();
    table.remove(key).unwrap();
    assert!(!schema().is_valid(&changed));
    assert!(parse_user(&toml::to_string(&changed).unwrap(), "changed").is_err());
}

#[rstest]
#[case::version("/version", "2")]
#[case::preset("/preset", "\"relaxed\"")]
#[case::deadline("/approval/deadline_seconds", "0")]
#[case::long_deadline("/approval/deadline_seconds", "86401")]
#[case::approver("/approval/approver", "\"nobody\"")]
#[case::zone("/zones/deny_read/0", "7")]
#[case::asks("/catalogue/add/0/asks", "\"write\"")]
#[case::why("/catalogue/add/0/why", "\"\"")]
#[case::name("/catalogue/add/0/directories", "[\"\"]")]
#[case::profile("/review/profile", "\"strict\"")]
#[case::level("/review/levels/bash/command", "\"sometimes\"")]
#[case::fact("/program/0/when/0/also", "[\"conects\"]")]
#[case::roles("/program/0/options", "[]")]
#[case::loose("/program/0/stop", "\"yes\"")]
#[case::loosening("/rule/0/risk", "\"allow\"")]
#[case::words("/rule/0/command", "[]")]
#[case::operation("/rule/1/operation", "\"chmod\"")]
#[case::group("/catalogue/off/0", "\"everything\"")]
#[case::hook("/hook/claude-code/allow", "\"deny\"")]
#[case::log("/audit/path", "\"\"")]
fn a_wrong_value_is_refused_by_both(#[case] place: &str, #[case] value: &str) {
    let mut changed = as_json(FULL);
    *changed.pointer_mut(place).unwrap() = serde_json::from_str(value).unwrap();
    assert!(!schema().is_valid(&changed), "schema");
    assert!(
        parse_user(&toml::to_string(&changed).unwrap(), "changed").is_err(),
        "reader"
    );
}

#[test]
fn a_rule_about_nothing_is_refused_by_both() {
    let text = "version = 1\n[[rule]]\nid = \"a\"\nrisk = \"deny\"\nbecause = \"b\"\n";
    assert!(!schema().is_valid(&as_json(text)));
    assert!(parse_user(text, "x").is_err());
}

#[test]
fn every_kind_of_effect_has_its_word() {
    for kind in EffectKind::ALL {
        let mut changed = as_json(FULL);
        *changed.pointer_mut("/rule/1/operation").unwrap() = Value::from(kind.word());
        assert!(schema().is_valid(&changed), "{}", kind.word());
        parse_user(&toml::to_string(&changed).unwrap(), "changed").unwrap();
    }
}
