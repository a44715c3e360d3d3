use super::job::{Failure, run};
use crate::{Permit, Refusal, ToolResult, shown};

pub(super) const NAME: &str = "edit_file";

/// Replaces one exact piece of a text file. The piece must be there exactly once.
///
/// # Errors
/// As [`super::perform`].
pub fn edit_file(permit: Permit) -> Result<ToolResult, Refusal> {
    run(permit, NAME, |job| {
        let target = job.target("path")?;
        let place = shown::whole_place(target.place());
        let content = job.content(&target)?;
        let edited = edited(&content, job.text("old_text")?, job.text("new_text")?)
            .map_err(|what| Failure::failed(format!("{what} in `{place}`")))?;
        job.fits(&edited)?;
        target
            .replace(edited.as_bytes())
            .map_err(|error| Failure::of_step(&error))?;
        Ok(format!("edited `{place}`"))
    })
}

/// `content` with its only occurrence of `old` replaced. Occurrences that overlap are two.
fn edited(content: &str, old: &str, new: &str) -> Result<String, &'static str> {
    let Some(first) = old.chars().next() else {
        return Err("the old text is empty, so it names no place");
    };
    let Some((before, after)) = content.split_once(old) else {
        return Err("the old text does not occur");
    };
    let rest = content.get(before.len() + first.len_utf8()..).unwrap_or_default();
    if rest.contains(old) {
        return Err("the old text occurs more than once");
    }
    Ok([before, new, after].concat())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::once("a b c", "b", "X", Ok("a X c"))]
    #[case::whole("abc", "abc", "", Ok(""))]
    #[case::missing("abc", "d", "X", Err("the old text does not occur"))]
    #[case::twice("b b", "b", "X", Err("the old text occurs more than once"))]
    #[case::overlapping("aaa", "aa", "X", Err("the old text occurs more than once"))]
    #[case::overlapping_wide("äaäaä", "äaä", "X", Err("the old text occurs more than once"))]
    #[case::empty("abc", "", "X", Err("the old text is empty, so it names no place"))]
    #[case::exact("a\r\nb", "a\nb", "X", Err("the old text does not occur"))]
    fn an_edit_matches_exactly_once(
        #[case] content: &str,
        #[case] old: &str,
        #[case] new: &str,
        #[case] result: Result<&str, &str>,
    ) {
        assert_eq!(edited(content, old, new).as_deref(), result.as_ref().copied());
    }

    proptest! {
        #[test]
        fn an_edit_agrees_with_a_count_of_all_positions(
            content in "[abä]{0,12}", old in "[abä]{0,4}", new in "[xy]{0,3}",
        ) {
            let positions = content
                .char_indices()
                .filter(|(at, _)| content.get(*at..).is_some_and(|rest| rest.starts_with(&old)))
                .count();
            let result = edited(&content, &old, &new);
            prop_assert_eq!(result.is_ok(), positions == 1 && !old.is_empty());
            if let Ok(text) = result {
                prop_assert_eq!(text, content.replacen(&old, &new, 1));
            }
        }
    }
}
