/// The day of a moment in UTC, such as `2026-01-31`. `seconds`: since 1970.
pub(super) fn day(seconds: u64) -> String {
    let mut left = seconds / 86_400;
    let mut year = 1970;
    loop {
        let days = if is_leap(year) { 366 } else { 365 };
        if left < days {
            break;
        }
        left -= days;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if left < days {
            break;
        }
        left -= days;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", left + 1)
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_735_689_599, "2024-12-31"),
            (1_796_040_480, "2026-11-30"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(day(seconds), expected);
        }
    }
}
