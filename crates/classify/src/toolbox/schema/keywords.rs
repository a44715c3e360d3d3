//! The keywords of JSON Schema 2020-12 that a tool's schema may use. A misspelt keyword validates everything,
//! so what is not here is an error. Left out on purpose: `$id` below the top, `$anchor`, `$dynamicRef`,
//! `$dynamicAnchor` and `$vocabulary`, which change what a reference or a keyword means.

/// What stands behind a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// One schema.
    Schema,
    /// An array of schemas.
    Schemas,
    /// An object whose values are schemas.
    Named,
    /// A reference, which must stay within the schema.
    Reference,
    /// No schema; checked when the schema is compiled.
    Data,
}

/// What stands behind this keyword; `None` for a keyword that tools may not use.
pub(super) fn holds(keyword: &str) -> Option<Holds> {
    let holds = match keyword {
        "additionalProperties"
        | "contains"
        | "contentSchema"
        | "else"
        | "if"
        | "items"
        | "not"
        | "propertyNames"
        | "then"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Holds::Schema,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::Schemas,
        "$defs" | "definitions" | "dependentSchemas" | "patternProperties" | "properties" => Holds::Named,
        "$ref" => Holds::Reference,
        "$comment" | "const" | "contentEncoding" | "contentMediaType" | "default" | "dependentRequired"
        | "deprecated" | "description" | "enum" | "examples" | "exclusiveMaximum" | "exclusiveMinimum"
        | "format" | "maxContains" | "maxItems" | "maxLength" | "maxProperties" | "maximum"
        | "minContains" | "minItems" | "minLength" | "minProperties" | "minimum" | "multipleOf"
        | "pattern" | "readOnly" | "required" | "title" | "type" | "uniqueItems" | "writeOnly" => Holds::Data,
        _ => return None,
    };
    Some(holds)
}

/// Whether the keyword's schemas judge the same value as the schema around them.
pub(super) fn is_in_place(keyword: &str) -> bool {
    matches!(
        keyword,
        "allOf" | "anyOf" | "oneOf" | "not" | "if" | "then" | "else" | "dependentSchemas"
    )
}
