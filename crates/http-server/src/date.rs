//! Dates of HTTP: IMF-fixdate (RFC 9110, 5.6.7). In: seconds since 1970. Out: text, and back.
//! Absent: the two obsolete formats.

use rusk_base::CivilDate;

const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY_SECONDS: u64 = 24 * 60 * 60;

/// The `Date` field, rendered once a second.
#[derive(Default)]
pub(crate) struct DateField {
    second: u64,
    line: Vec<u8>,
}

impl DateField {
    /// `Date: ...` with its line end.
    pub fn update(&mut self, second: u64) {
        if self.line.is_empty() || self.second != second {
            self.second = second;
            self.line = format!("Date: {}\r\n", http_date(second)).into_bytes();
        }
    }

    pub fn line(&self) -> &[u8] {
        &self.line
    }
}

/// `Tue, 15 Nov 1994 12:45:26 GMT`.
pub fn http_date(seconds: u64) -> String {
    let (days, second) = (seconds / DAY_SECONDS, seconds % DAY_SECONDS);
    let CivilDate { year, month, day } = CivilDate::of_days(days);
    format!(
        "{}, {day:02} {} {year:04} {:02}:{:02}:{:02} GMT",
        DAYS[(days % 7) as usize],
        MONTHS[month as usize - 1],
        second / 3600,
        second / 60 % 60,
        second % 60,
    )
}

/// Seconds since 1970; `None`: not an IMF-fixdate, or before 1970.
pub fn parse_http_date(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let (day_name, rest) = text.split_once(", ")?;
    if !DAYS.contains(&day_name) {
        return None;
    }
    let mut words = rest.split(' ');
    let day: u64 = words.next()?.parse().ok()?;
    let month_name = words.next()?;
    let month = MONTHS.iter().position(|name| *name == month_name)? as u64 + 1;
    let year: u64 = words.next().filter(|year| year.len() == 4)?.parse().ok()?;
    let mut time = words.next()?.splitn(3, ':').map(|part| part.parse::<u64>().ok());
    let (hour, minute, second) = (time.next()??, time.next()??, time.next()??);
    if words.next() != Some("GMT") || words.next().is_some() {
        return None;
    }
    if !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let days = CivilDate { year, month, day }.days()?;
    Some(days * DAY_SECONDS + hour * 3600 + minute * 60 + second)
}

#[cfg(test)]
mod tests;
