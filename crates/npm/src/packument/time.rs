//! Times as registries write them, `2020-01-31T12:00:00.000Z` or another form of RFC 3339, as
//! seconds since 1970.

use rusk_base::CivilDate;

const DAY_S: u64 = 86_400;

/// Bytes of `2020-01-31T12:00:00`.
const DATE_TIME_BYTES: usize = 19;

/// A date, a time and an offset from UTC as in RFC 3339; the colon of the offset may be missing.
/// `None` for any other form, and for times before 1970.
pub fn unix_seconds(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    let separators = [(4, b'-'), (7, b'-'), (13, b':'), (16, b':')];
    if separators.iter().any(|&(at, byte)| bytes.get(at) != Some(&byte))
        || !matches!(bytes.get(10), Some(b'T' | b't' | b' '))
    {
        return None;
    }
    let number = |from: usize, to: usize| digits(bytes.get(from..to)?);
    let date = CivilDate { year: number(0, 4)?, month: number(5, 7)?, day: number(8, 10)? };
    let days = date.days().filter(|_| date.day <= 31)?;
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    // A leap second counts as the one after it.
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let local_s = days * DAY_S + hour * 3600 + minute * 60 + second;
    match offset(without_fraction(bytes.get(DATE_TIME_BYTES..)?)?)? {
        Offset::Ahead(seconds) => local_s.checked_sub(seconds),
        Offset::Behind(seconds) => Some(local_s + seconds),
    }
}

/// The local time's distance from UTC, in seconds.
enum Offset {
    Ahead(u64),
    Behind(u64),
}

fn offset(bytes: &[u8]) -> Option<Offset> {
    let (&sign, rest) = bytes.split_first()?;
    let (hours, minutes) = match *rest {
        [] if matches!(sign, b'Z' | b'z') => return Some(Offset::Ahead(0)),
        [h1, h2, b':', m1, m2] | [h1, h2, m1, m2] => (digits(&[h1, h2])?, digits(&[m1, m2])?),
        _ => return None,
    };
    let seconds = (hours <= 23 && minutes <= 59).then_some(hours * 3600 + minutes * 60)?;
    match sign {
        b'+' => Some(Offset::Ahead(seconds)),
        b'-' => Some(Offset::Behind(seconds)),
        _ => None,
    }
}

/// What follows a fraction of a second, which is dropped.
fn without_fraction(bytes: &[u8]) -> Option<&[u8]> {
    let Some(fraction) = bytes.strip_prefix(b".") else { return Some(bytes) };
    let end = fraction.iter().position(|byte| !byte.is_ascii_digit())?;
    (end > 0).then_some(&fraction[end..])
}

fn digits(bytes: &[u8]) -> Option<u64> {
    bytes.iter().try_fold(0, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + u64::from(digit - b'0')))
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
