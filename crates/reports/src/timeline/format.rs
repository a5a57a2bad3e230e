//! Formats values for HTML pages: escaped strings, durations, counts, dates.

use std::time::Duration;

use rusk_base::problem::printable;

/// Escapes untrusted text for HTML: no tags, quotes or characters that change the text direction.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        for character in printable(line).chars() {
            match character {
                '&' => safe.push_str("&amp;"),
                '<' => safe.push_str("&lt;"),
                '>' => safe.push_str("&gt;"),
                '"' => safe.push_str("&quot;"),
                '\'' => safe.push_str("&#39;"),
                _ => safe.push(character),
            }
        }
        safe.push_str(end);
    }
    safe
}

/// `38 µs`, `4.12 ms`, `1.240 s`.
pub fn time(time: Duration) -> String {
    let microseconds = time.as_micros();
    match microseconds {
        0..1000 => format!("{microseconds} µs"),
        1000..1_000_000 => format!("{:.2} ms", microseconds as f64 / 1e3),
        _ => format!("{:.3} s", microseconds as f64 / 1e6),
    }
}

/// `1,240`
pub fn count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `2026-11-21 13:40 UTC`, of seconds since 1970.
pub fn date(seconds: u64) -> String {
    let (days, minutes) = (seconds / 86_400, seconds % 86_400 / 60);
    // Years start in March here, so that a leap day is the last one: Hinnant's `civil_from_days`.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02} {:02}:{:02} UTC", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests;
