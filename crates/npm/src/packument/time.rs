//! The one form of time a registry writes, `2020-01-31T12:00:00.000Z`, as seconds since 1970.

use rusk_base::CivilDate;

/// `None` for any other form, and for times before 1970.
pub fn unix_seconds(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    let separators = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    if separators.iter().any(|&(at, byte)| bytes.get(at) != Some(&byte)) || !text.ends_with('Z') {
        return None;
    }
    let number = |from: usize, to: usize| -> Option<u64> {
        let digits = bytes.get(from..to)?;
        digits
            .iter()
            .try_fold(0, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + u64::from(digit - b'0')))
    };
    let date = CivilDate { year: number(0, 4)?, month: number(5, 7)?, day: number(8, 10)? };
    let days = date.days().filter(|_| date.day <= 31)?;
    let seconds = number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?;
    Some(days * 86_400 + seconds)
}

/// Seconds since 1970 as a registry writes them: `2020-01-31T12:00:00.000Z`.
pub fn utc_text(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let CivilDate { year, month, day } = CivilDate::of_days(days);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.000Z")
}

#[cfg(test)]
mod tests;
