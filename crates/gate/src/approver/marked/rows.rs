use unicode_width::UnicodeWidthChar as _;

use super::Marked;

/// Fewest columns of a row.
const FEWEST: usize = 16;

pub(super) fn of(marked: &Marked, columns: usize) -> Vec<String> {
    let columns = columns.max(FEWEST);
    let mut rows = Rows::default();
    for (at, c) in marked.text.char_indices() {
        let width = c.width().unwrap_or(0);
        if rows.used + width > columns {
            rows.end();
        }
        rows.row.push(c);
        rows.used += width;
        let sign = if marked.is_marked(at) { "^" } else { " " };
        rows.signs.push_str(&sign.repeat(width));
    }
    rows.end();
    rows.done
}

#[derive(Default)]
struct Rows {
    done: Vec<String>,
    row: String,
    signs: String,
    used: usize,
}

impl Rows {
    fn end(&mut self) {
        self.done.push(std::mem::take(&mut self.row));
        let signs = std::mem::take(&mut self.signs);
        if signs.contains('^') {
            self.done.push(signs.trim_end().to_owned());
        }
        self.used = 0;
    }
}
