/// Most alternatives and steps of one pattern.
const ALTERNATIVES: usize = 256;

/// The alternatives of a pattern with braces. `None` when the braces are not balanced, when there are too many, or
/// when other grammar is mixed in, where readers differ on what a brace is.
pub(super) fn expand(pattern: &str) -> Option<Vec<String>> {
    if pattern.contains(['\\', '[', ']', '(', ')']) {
        return None;
    }
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    let mut steps = 0;
    while let Some(text) = open.pop() {
        steps += 1;
        if steps > ALTERNATIVES {
            return None;
        }
        // The first closing brace ends an innermost pair.
        let Some((before, after)) = text.split_once('}') else {
            if text.contains('{') {
                return None;
            }
            done.push(text);
            continue;
        };
        let (before, within) = before.rsplit_once('{')?;
        open.extend(
            within
                .split(',')
                .map(|alternative| format!("{before}{alternative}{after}")),
        );
    }
    Some(done)
}
