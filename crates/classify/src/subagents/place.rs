use std::fmt::Write;

use serde_json::Value;

/// A step from a container into what it holds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<'a> {
    Member(&'a str),
    Element(usize),
}

/// Writes a place as `$["tasks"][0]["cwd"]`: a name as JSON would write it, so that no name can pretend to be two.
pub(super) fn write<'a>(steps: impl IntoIterator<Item = Step<'a>>) -> String {
    let mut place = String::from("$");
    for step in steps {
        let _infallible = match step {
            Step::Member(name) => write!(place, "[{}]", Value::from(name)),
            Step::Element(index) => write!(place, "[{index}]"),
        };
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_one_name() {
        let steps = [
            Step::Member("tasks"),
            Step::Element(0),
            Step::Member(r#"a"]["b"#),
            Step::Member("cwd"),
        ];
        assert_eq!(write(steps), r#"$["tasks"][0]["a\"][\"b"]["cwd"]"#);
        assert_eq!(write([]), "$");
    }
}
