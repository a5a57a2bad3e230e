//! Formats values for HTML pages: escaped strings, durations, counts, dates.

use std::time::Duration;

use rusk_base::CivilDate;
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
    let CivilDate { year, month, day } = CivilDate::of_days(days);
    format!("{year}-{month:02}-{day:02} {:02}:{:02} UTC", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests;
