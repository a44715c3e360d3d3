//! The strict reader: one JSON text, bounded, every member once. It builds the value itself because the usual
//! map keeps the last of two equal names without a word.

use std::fmt;

use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use serde_json::{Map, Number, Value};

use super::error::Step;
use super::{CallError, CallErrorKind, Limits, numbers};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads one JSON text with nothing but white space before and after it.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Value, CallError> {
    if bytes.len() > limits.bytes {
        let text = format!("the text has more than {} bytes", limits.bytes);
        return Err(CallError::new(CallErrorKind::Limit, text).at_offset(bytes, limits.bytes));
    }
    if bytes.starts_with(BYTE_ORDER_MARK) {
        return Err(
            CallError::new(CallErrorKind::Json, "the text begins with a byte order mark")
                .at(1, 1)
                .with_hint("write UTF-8 without a byte order mark"),
        );
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let offset = error.valid_up_to();
        let text = format!("byte {offset} is not UTF-8");
        CallError::new(CallErrorKind::Json, text).at_offset(bytes, offset)
    })?;
    numbers::check(text).map_err(|unfit| {
        CallError::new(CallErrorKind::Number, unfit.text)
            .at_offset(bytes, unfit.offset)
            .with_hint("write such a number as a string")
    })?;
    let mut state = State {
        limits,
        members: 0,
        fault: None,
        trail: Vec::new(),
    };
    let mut parser = serde_json::Deserializer::from_str(text);
    let seed = ValueSeed {
        state: &mut state,
        depth: limits.depth,
    };
    seed.deserialize(&mut parser)
        .and_then(|value| parser.end().map(|()| value))
        .map_err(|error| state.explain(&error))
}

/// What the recursion shares.
struct State<'a> {
    limits: &'a Limits,
    members: usize,
    /// Our own reason for stopping; without one the parser stopped.
    fault: Option<(CallErrorKind, String)>,
    /// The way to where reading stopped, innermost first; filled only while an error comes back.
    trail: Vec<Step>,
}

impl State<'_> {
    fn stop<E: serde::de::Error>(&mut self, kind: CallErrorKind, text: impl Into<String>) -> E {
        self.fault = Some((kind, text.into()));
        E::custom("stopped")
    }

    fn count<E: serde::de::Error>(&mut self) -> Result<(), E> {
        if self.members >= self.limits.members {
            let text = format!("there are more than {} members and elements", self.limits.members);
            return Err(self.stop(CallErrorKind::Limit, text));
        }
        self.members += 1;
        Ok(())
    }

    fn bounded<E: serde::de::Error>(&mut self, text: &str) -> Result<(), E> {
        if text.len() > self.limits.string {
            let text = format!("a string has more than {} bytes", self.limits.string);
            return Err(self.stop(CallErrorKind::Limit, text));
        }
        Ok(())
    }

    fn explain(self, error: &serde_json::Error) -> CallError {
        let (kind, text) = self.fault.unwrap_or_else(|| parser_fault(error));
        let explained = CallError::new(kind, text)
            .at(error.line(), error.column())
            .along(&self.trail);
        match kind {
            CallErrorKind::DuplicateMember => explained
                .with_hint("two readers may keep different ones of two members, so neither is believed"),
            _ => explained,
        }
    }
}

/// The parser's sentence without its place. It names what it expected and repeats nothing of the text.
fn parser_fault(error: &serde_json::Error) -> (CallErrorKind, String) {
    let whole = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let text = whole.strip_suffix(&place).unwrap_or(&whole);
    // The parser's own bound, which is met when `Limits::depth` is wider.
    if text == "recursion limit exceeded" {
        return (
            CallErrorKind::Limit,
            "the text nests deeper than the parser allows".to_owned(),
        );
    }
    let text = match error.classify() {
        Category::Eof => format!("the text ends too early: {}", text.to_lowercase()),
        _ => format!("this is not JSON: {text}"),
    };
    (CallErrorKind::Json, text)
}

struct ValueSeed<'s, 'a> {
    state: &'s mut State<'a>,
    /// Containers that may still be opened.
    depth: usize,
}

impl<'s, 'a> ValueSeed<'s, 'a> {
    fn open<E: serde::de::Error>(self) -> Result<(&'s mut State<'a>, usize), E> {
        match self.depth.checked_sub(1) {
            Some(left) => Ok((self.state, left)),
            None => {
                let text = format!("the text nests deeper than {}", self.state.limits.depth);
                Err(self.state.stop(CallErrorKind::Limit, text))
            }
        }
    }
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_, '_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, parser: D) -> Result<Value, D::Error> {
        parser.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_, '_> {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        match Number::from_f64(value) {
            Some(number) => Ok(Value::Number(number)),
            None => Err(self.state.stop(CallErrorKind::Number, "a number is not finite")),
        }
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Value, E> {
        self.state.bounded(value)?;
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E: serde::de::Error>(self, value: String) -> Result<Value, E> {
        self.state.bounded(&value)?;
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let (state, depth) = self.open()?;
        let mut array = Vec::new();
        loop {
            let seed = ValueSeed { state, depth };
            match elements.next_element_seed(seed) {
                Ok(Some(element)) => {
                    array.push(element);
                    state.count()?;
                }
                Ok(None) => return Ok(Value::Array(array)),
                Err(error) => {
                    state.trail.push(Step::Element(array.len()));
                    return Err(error);
                }
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let (state, depth) = self.open()?;
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            state.count()?;
            state.bounded(&name)?;
            if object.contains_key(&name) {
                state.trail.push(Step::Member(name));
                return Err(state.stop(
                    CallErrorKind::DuplicateMember,
                    "a member name stands twice in one object",
                ));
            }
            let seed = ValueSeed { state, depth };
            match members.next_value_seed(seed) {
                Ok(value) => object.insert(name, value),
                Err(error) => {
                    state.trail.push(Step::Member(name));
                    return Err(error);
                }
            };
        }
        Ok(Value::Object(object))
    }
}
