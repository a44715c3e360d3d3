//! Tools of others, described by JSON Schema.

use std::borrow::Cow;

use portcullis_classify::{EffectKind, Language, Operand, Role, ToolError, ToolSpec, Toolbox, When};
use portcullis_paths::{Dialect, Operation};
use rstest::rstest;
use serde_json::{Value, json};

fn tool(schema: Value, operands: Vec<Operand>) -> Result<ToolSpec, ToolError> {
    ToolSpec::new("mine", schema, operands)
}

fn path(member: &'static str, when: Option<When>) -> Operand {
    Operand {
        member: Cow::Borrowed(member),
        role: Role::Path {
            operation: Operation::Delete,
            when,
            dialect: &Dialect::NODE,
            cwd_when_missing: false,
        },
        required: true,
    }
}

/// Trap 6: a schema that says nothing validates everything.
#[rstest]
#[case::not_an_object(json!(true), "the schema is not an object")]
#[case::no_type(json!({"properties": {}}), "`\"type\": \"object\"`")]
#[case::other_type(json!({"type": "string"}), "`\"type\": \"object\"`")]
#[case::type_list(json!({"type": ["object", "null"]}), "`\"type\": \"object\"`")]
#[case::misspelt(json!({"type": "object", "propertys": {}}), "unknown keyword `propertys`")]
#[case::misspelt_below(json!({"type": "object", "properties": {"a": {"tpye": "string"}}}), "unknown keyword `tpye`")]
#[case::misspelt_in_a_list(json!({"type": "object", "allOf": [{"requird": ["a"]}]}), "unknown keyword `requird`")]
#[case::misspelt_in_definitions(json!({"type": "object", "$defs": {"a": {"requird": []}}}), "unknown keyword `requird`")]
#[case::older_draft_keyword(json!({"type": "object", "dependencies": {}}), "unknown keyword `dependencies`")]
#[case::older_draft(json!({"type": "object", "$schema": "http://json-schema.org/draft-04/schema#"}), "a draft other than")]
#[case::web_reference(json!({"type": "object", "properties": {"a": {"$ref": "http://h/s.json"}}}), "keyword `$ref`")]
#[case::file_reference(json!({"type": "object", "$ref": "file:///etc/passwd"}), "keyword `$ref`")]
#[case::relative_reference(json!({"type": "object", "$ref": "other.json"}), "keyword `$ref`")]
#[case::reference_to_nowhere(json!({"type": "object", "$ref": "#/$defs/a"}), "leads nowhere")]
#[case::reference_to_data(json!({"type": "object", "default": {"requird": []}, "$ref": "#/default"}), "leads nowhere")]
#[case::named_anchor(json!({"type": "object", "$ref": "#a", "$defs": {"a": {}}}), "leads nowhere")]
#[case::circle(json!({"type": "object", "$ref": "#"}), "leads back to itself")]
#[case::circle_in_parts(json!({"type": "object", "allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}}}), "leads back to itself")]
#[case::base_below(json!({"type": "object", "properties": {"a": {"$id": "http://h/"}}}), "unknown keyword `$id`")]
#[case::dynamic(json!({"type": "object", "$dynamicRef": "#a"}), "unknown keyword `$dynamicRef`")]
#[case::not_a_schema(json!({"type": "object", "properties": {"a": "string"}}), "needs a schema")]
#[case::items_of_draft_7(json!({"type": "object", "properties": {"a": {"items": [{}]}}}), "needs a schema")]
#[case::not_named(json!({"type": "object", "properties": []}), "needs an object of schemas")]
fn a_schema_is_refused(#[case] schema: Value, #[case] because: &str) {
    let error = tool(schema, Vec::new()).unwrap_err().to_string();
    assert!(
        error.contains(because) && error.starts_with("tool `mine`: "),
        "{error}"
    );
}

#[test]
fn a_schema_that_nests_too_deep_is_refused() {
    let deep = (0..1000).fold(json!({}), |inner, _| json!({"not": inner}));
    let error = tool(json!({"type": "object", "not": deep}), Vec::new()).unwrap_err();
    assert!(error.to_string().contains("nests deeper"), "{error}");
}

#[rstest]
#[case::empty("")]
#[case::long(&"x".repeat(257))]
fn a_name_is_bounded(#[case] name: &str) {
    assert!(ToolSpec::new(name, json!({"type": "object"}), Vec::new()).is_err());
}

#[rstest]
#[case::undeclared(json!({"type": "object"}))]
#[case::number(json!({"type": "object", "properties": {"target": {"type": "number"}}}))]
#[case::either(json!({"type": "object", "properties": {"target": {"type": ["string", "object"]}}}))]
#[case::list_of_objects(json!({"type": "object", "properties": {"target": {"type": "array", "items": {"type": "object"}}}}))]
#[case::list_of_anything(json!({"type": "object", "properties": {"target": {"type": "array"}}}))]
fn an_operand_must_be_declared_as_text(#[case] schema: Value) {
    let error = tool(schema, vec![path("target", None)]).unwrap_err();
    assert!(error.to_string().contains("operand `target`"), "{error}");
}

#[test]
fn a_flag_must_be_declared_as_a_boolean() {
    let when = When {
        flag: Cow::Borrowed("all"),
        operation: Operation::DeleteTree,
    };
    let schema = |flag: &str| json!({"type": "object", "properties": {"target": {"type": "string"}, "all": {"type": flag}}});
    assert!(tool(schema("string"), vec![path("target", Some(when.clone()))]).is_err());
    let tool = tool(schema("boolean"), vec![path("target", Some(when))]).unwrap();
    let operation = |arguments: Value| tool.operands()[0].operation(&arguments);
    assert_eq!(operation(json!({"target": "a"})), Some(Operation::Delete));
    assert_eq!(
        operation(json!({"target": "a", "all": false})),
        Some(Operation::Delete)
    );
    assert_eq!(
        operation(json!({"target": "a", "all": true})),
        Some(Operation::DeleteTree)
    );
}

#[test]
fn arguments_are_held_to_the_schema_without_coercion_and_without_echo() {
    let tool = tool(
        json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "$id": "https://example.invalid/mine",
            "type": "object",
            "properties": {
                "target": {"type": "string", "pattern": "^[a-z]+$"},
                "n": {"type": "integer"},
                "more": {"type": "array", "items": {"$ref": "#/definitions/word"}}
            },
            "definitions": {"word": {"type": "string"}},
            "required": ["target"],
            "additionalProperties": false
        }),
        vec![path("target", None)],
    )
    .unwrap();
    tool.check(&json!({"target": "ab", "n": 2, "more": ["x"]}))
        .unwrap();
    for (arguments, place) in [
        (json!({}), "$"),
        (json!({"target": 5}), "$[\"target\"]"),
        (json!({"target": "HUNTER2"}), "$[\"target\"]"),
        (json!({"target": "ab", "n": "2"}), "$[\"n\"]"),
        (json!({"target": "ab", "n": null}), "$[\"n\"]"),
        (json!({"target": "ab", "more": [0]}), "$[\"more\"][\"0\"]"),
        (json!({"target": "ab", "HUNTER2": 1}), "$"),
        (json!(["HUNTER2"]), "$"),
    ] {
        let fault = tool.check(&arguments).unwrap_err();
        assert_eq!(fault.place(), place, "{fault}");
        assert!(!fault.to_string().contains("HUNTER2"), "{fault}");
    }
}

/// A reference that goes into the value before it comes back is how trees are described.
#[test]
fn a_recursive_schema_is_fine() {
    let tree =
        json!({"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#"}}}});
    let tool = tool(tree, Vec::new()).unwrap();
    tool.check(&json!({"children": [{"children": []}]})).unwrap();
    tool.check(&json!({"children": [{"children": 1}]})).unwrap_err();
}

#[test]
fn a_required_operand_is_required_even_when_the_schema_forgets_it() {
    let tool = tool(
        json!({"type": "object", "properties": {"target": {"type": "string"}}}),
        vec![path("target", None)],
    )
    .unwrap();
    let fault = tool.check(&json!({})).unwrap_err();
    assert_eq!(fault.text(), "member `target` is missing");
}

#[test]
fn a_schema_that_cannot_be_compiled_fits_nothing() {
    for broken in [
        json!({"pattern": "("}),
        json!({"type": "strnig"}),
        json!({"minLength": "1"}),
    ] {
        let tool = tool(json!({"type": "object", "properties": {"a": broken}}), Vec::new()).unwrap();
        let fault = tool.check(&json!({"a": "x"})).unwrap_err();
        assert!(fault.text().contains("cannot be compiled"), "{fault}");
    }
}

/// What only a backtracking engine can match is not compiled, so no pattern can take more than linear time.
#[test]
fn patterns_are_matched_without_backtracking() {
    let with = |pattern: &str| {
        tool(
            json!({"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}}),
            Vec::new(),
        )
        .unwrap()
    };
    let text = json!({"a": format!("{}!", "a".repeat(50_000))});
    let fault = with("^(a+)+$").check(&text).unwrap_err();
    assert!(fault.text().contains("`pattern`"), "{fault}");
    for backtracking in ["^(?=a)a", r"^(a+)\1$"] {
        let fault = with(backtracking).check(&json!({"a": "aa"})).unwrap_err();
        assert!(
            fault.text().contains("cannot be compiled"),
            "{backtracking}: {fault}"
        );
    }
}

#[test]
fn lists_of_paths_are_many_operands() {
    let tool = tool(
        json!({"type": "object", "properties": {"target": {"type": "array", "items": {"type": "string"}}}}),
        vec![path("target", None)],
    )
    .unwrap();
    let operand = &tool.operands()[0];
    assert_eq!(operand.texts(&json!({"target": ["a", "b"]})).unwrap(), ["a", "b"]);
    let fault = operand.texts(&json!({"target": ["a", 1]})).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "a string is needed and a number stands here at $[\"target\"][1]"
    );
}

#[test]
fn a_tool_is_registered_once_and_found_by_its_exact_name() {
    let mut toolbox = Toolbox::empty();
    assert_eq!(toolbox.names().count(), 0);
    let make = || {
        tool(json!({"type": "object"}), Vec::new())
            .unwrap()
            .with_inherent(vec![EffectKind::Connect])
    };
    toolbox.register(make()).unwrap();
    let error = toolbox.register(make()).unwrap_err();
    assert_eq!(error.to_string(), "tool `mine` is registered already");
    assert_eq!(toolbox.get("mine").unwrap().inherent(), [EffectKind::Connect]);
    for other in ["Mine", "mine ", "min", "mcp__x__mine", ""] {
        assert!(toolbox.get(other).is_none(), "{other}");
    }
    assert!(
        Toolbox::standard()
            .register(ToolSpec::new("bash", json!({"type": "object"}), Vec::new()).unwrap())
            .is_err()
    );
}

#[test]
fn a_command_operand_of_a_host_is_text_like_any_other() {
    let command = Operand {
        member: Cow::Owned("cmd".to_owned()),
        role: Role::Command {
            language: Language::Shell,
        },
        required: true,
    };
    assert!(
        tool(
            json!({"type": "object", "properties": {"cmd": {"type": "array"}}}),
            vec![command]
        )
        .is_err()
    );
}
