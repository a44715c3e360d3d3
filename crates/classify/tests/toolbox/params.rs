//! The typed tables of the built-in tools against the JSON Schema that is published for them: two judges, one
//! answer.

use portcullis_classify::Toolbox;
use proptest::prelude::*;
use serde_json::{Map, Value};

/// Every member name that any built-in tool declares, nested ones too.
fn member_names(schema: &Value, names: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get("properties") {
                names.extend(properties.keys().cloned());
            }
            members.values().for_each(|value| member_names(value, names));
        }
        Value::Array(elements) => elements.iter().for_each(|value| member_names(value, names)),
        _ => {}
    }
}

fn any_value() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i32..3).prop_map(Value::from),
        Just(Value::from(1.5)),
        "[a-z]{0,3}".prop_map(Value::from),
    ];
    let name = prop::sample::select(vec![
        "old_string",
        "new_string",
        "oldText",
        "newText",
        "replace_all",
        "x",
    ]);
    leaf.prop_recursive(2, 8, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(name.clone().prop_map(str::to_owned), inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
    .boxed()
}

/// A value of the schema's type most of the time, anything otherwise.
fn fitting(schema: &Value) -> BoxedStrategy<Value> {
    let typed = match schema.get("type").and_then(Value::as_str) {
        Some("string") => "[a-z./]{0,4}".prop_map(Value::from).boxed(),
        Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
        Some("number") => prop_oneof![(-3_i32..3).prop_map(Value::from), Just(Value::from(0.5))].boxed(),
        Some("array") => prop::collection::vec(fitting(schema.get("items").unwrap_or(&Value::Null)), 0..3)
            .prop_map(Value::from)
            .boxed(),
        Some("object") => object(schema),
        _ => any_value(),
    };
    prop_oneof![9 => typed, 1 => any_value()].boxed()
}

fn object(schema: &Value) -> BoxedStrategy<Value> {
    let empty = Map::new();
    let properties = schema
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&empty);
    let members: Vec<_> = properties
        .iter()
        .map(|(name, schema)| (Just(name.clone()), prop::option::weighted(0.9, fitting(schema))).boxed())
        .collect();
    let stray = prop::option::weighted(0.2, any_value());
    (members, stray)
        .prop_map(|(members, stray)| {
            let mut object: Map<_, _> = members
                .into_iter()
                .filter_map(|(name, value)| Some((name, value?)))
                .collect();
            object.extend(stray.map(|value| ("stray".to_owned(), value)));
            Value::Object(object)
        })
        .boxed()
}

fn call() -> impl Strategy<Value = (String, Value)> {
    let toolbox = Toolbox::standard();
    let tools: Vec<_> = toolbox
        .names()
        .map(|name| {
            (
                name.to_owned(),
                toolbox.get(name).map(|tool| tool.schema()).unwrap_or_default(),
            )
        })
        .collect();
    prop::sample::select(tools).prop_flat_map(|(name, schema)| (Just(name), fitting(&schema)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn the_table_and_its_schema_agree((name, arguments) in call()) {
        let toolbox = Toolbox::standard();
        let tool = toolbox.get(&name).unwrap();
        let validator = jsonschema::draft202012::new(&tool.schema()).unwrap();
        let fits = tool.check(&arguments);
        prop_assert_eq!(fits.is_ok(), validator.is_valid(&arguments), "{} {} {:?}", name, arguments, fits);
    }
}

#[test]
fn the_random_calls_are_of_both_kinds() {
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;
    let (toolbox, strategy) = (Toolbox::standard(), call());
    let mut runner = TestRunner::deterministic();
    let fitting = (0..500)
        .filter(|_| {
            let (name, arguments) = strategy.new_tree(&mut runner).unwrap().current();
            toolbox.get(&name).unwrap().check(&arguments).is_ok()
        })
        .count();
    assert!((50..450).contains(&fitting), "{fitting} of 500 fit");
}

#[test]
fn a_fault_names_member_and_types_and_no_value() {
    let toolbox = Toolbox::standard();
    let fault = |tool: &str, arguments: Value| {
        toolbox
            .get(tool)
            .unwrap()
            .check(&arguments)
            .unwrap_err()
            .to_string()
    };
    let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert_eq!(fault("read_file", json("{}")), "member `path` is missing at $");
    assert_eq!(
        fault("read_file", json(r#"{"path": 7}"#)),
        "a string is needed and a number stands here at $[\"path\"]"
    );
    assert_eq!(
        fault("read_file", json(r#"{"path": "a", "pa\u001bth": 1}"#)),
        "the tool has no such member at $[\"pa\\u{1b}th\"]"
    );
    assert_eq!(
        fault(
            "edit",
            json(r#"{"path": "a", "edits": [{"oldText": "a", "newText": "b"}, {"oldText": "hunter2"}]}"#)
        ),
        "member `newText` is missing at $[\"edits\"][1]"
    );
    assert_eq!(
        fault("delete_file", json(r#"{"path": "a", "recursive": "true"}"#)),
        "a boolean is needed and a string stands here at $[\"recursive\"]"
    );
}

#[test]
fn every_declared_member_name_is_spelled_once() {
    let toolbox = Toolbox::standard();
    for name in toolbox.names() {
        let mut names = Vec::new();
        let schema = toolbox.get(name).unwrap().schema();
        member_names(&schema, &mut names);
        for operand in toolbox.get(name).unwrap().operands() {
            assert!(
                names.iter().any(|there| *there == operand.member),
                "{name}: {}",
                operand.member
            );
        }
    }
}
