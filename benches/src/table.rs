use std::fmt;
use std::time::Duration;

/// A table of ratios in Markdown: one row a subject, one column a scene, the first row the floor.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    head: Vec<String>,
    rows: Vec<(String, Vec<f64>)>,
}

impl Table {
    /// A table whose first column has this title.
    #[must_use]
    pub fn new(title: &str) -> Self {
        Self {
            head: vec![title.to_owned()],
            rows: Vec::new(),
        }
    }

    /// Adds a column: the medians of these subjects, the floor first.
    pub fn column(&mut self, title: &str, names: &[String], medians: &[Duration]) {
        self.head.push(title.to_owned());
        let floor = medians.first().copied().unwrap_or_default();
        for (name, median) in names.iter().zip(medians) {
            let ratio = median.as_secs_f64() / floor.as_secs_f64();
            match self.rows.iter_mut().find(|(row, _)| row == name) {
                Some((_, ratios)) => ratios.push(ratio),
                None => self.rows.push((name.clone(), vec![ratio])),
            }
        }
    }

    /// Keeps the lesser ratio of this measurement and another one of the same.
    pub fn least(&mut self, other: &Self) {
        for (name, ratios) in &mut self.rows {
            let others = other.rows.iter().find(|(row, _)| row == name);
            for (ratio, other) in ratios
                .iter_mut()
                .zip(others.iter().flat_map(|(_, ratios)| ratios))
            {
                *ratio = ratio.min(*other);
            }
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| {} |", self.head.join(" | "))?;
        writeln!(f, "|---{}|", "|---:".repeat(self.head.len().saturating_sub(1)))?;
        for (name, ratios) in &self.rows {
            write!(f, "| {name} |")?;
            for ratio in ratios {
                write!(f, " {ratio:.2} |")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Table;

    #[test]
    fn divides_by_the_first_row() {
        let names = ["floor".to_owned(), "ours".to_owned()];
        let mut table = Table::new("what");
        table.column(
            "5",
            &names,
            &[Duration::from_nanos(200), Duration::from_nanos(300)],
        );
        table.column(
            "10",
            &names,
            &[Duration::from_nanos(100), Duration::from_nanos(400)],
        );
        let expected =
            "| what | 5 | 10 |\n|---|---:|---:|\n| floor | 1.00 | 1.00 |\n| ours | 1.50 | 4.00 |\n";
        assert_eq!(table.to_string(), expected);
    }

    #[test]
    fn keeps_the_lesser_of_two() {
        let names = ["floor".to_owned(), "ours".to_owned()];
        let measured = |ours: [u64; 2]| {
            let mut table = Table::new("what");
            for ours in ours {
                table.column(
                    "5",
                    &names,
                    &[Duration::from_nanos(100), Duration::from_nanos(ours)],
                );
            }
            table
        };
        let mut table = measured([150, 200]);
        table.least(&measured([140, 210]));
        assert_eq!(table, measured([140, 200]));
    }
}
