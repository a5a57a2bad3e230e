//! JSON reports that read well in a diff, and the machine that results belong to.

use crate::files;
use rusk_npm::json::quote_into;
use std::path::Path;

/// A value to be written.
pub enum Json {
    Text(String),
    Number(f64),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
    /// An object on one line, for many small ones.
    Line(Vec<(String, Json)>),
}

impl Json {
    pub fn text(text: impl Into<String>) -> Json {
        Json::Text(text.into())
    }

    /// Rounded to three decimals: no clock here is better.
    pub fn number(number: f64) -> Json {
        Json::Number((number * 1000.0).round() / 1000.0)
    }

    pub fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
        Json::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    pub fn line<const N: usize>(members: [(&str, Json); N]) -> Json {
        Json::Line(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    pub fn render(&self) -> String {
        let mut out = String::new();
        self.render_into(&mut out, 0);
        out + "\n"
    }

    fn render_into(&self, out: &mut String, depth: usize) {
        match self {
            Json::Text(text) => quote_into(out, text),
            Json::Number(number) => out.push_str(&number.to_string()),
            Json::List(values) => {
                let flat = values.iter().all(|value| matches!(value, Json::Number(_)));
                render_items(out, depth, ['[', ']'], flat, values, |out, value, depth| {
                    value.render_into(out, depth)
                });
            }
            Json::Object(members) | Json::Line(members) => {
                let flat = matches!(self, Json::Line(_));
                render_items(out, depth, ['{', '}'], flat, members, |out, (key, value), depth| {
                    quote_into(out, key);
                    out.push_str(": ");
                    value.render_into(out, depth);
                });
            }
        }
    }
}

fn render_items<T>(
    out: &mut String,
    depth: usize,
    brackets: [char; 2],
    flat: bool,
    items: &[T],
    render: impl Fn(&mut String, &T, usize),
) {
    out.push(brackets[0]);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push_str(if flat { ", " } else { "," });
        }
        if !flat {
            out.push('\n');
            out.push_str(&"  ".repeat(depth + 1));
        }
        render(out, item, depth + 1);
    }
    if !flat && !items.is_empty() {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    }
    out.push(brackets[1]);
}

/// Processor, cores, memory, kernel, and the file system of a directory.
pub fn machine(directory: &Path) -> Json {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Json::object([
        ("processor", Json::text(field("/proc/cpuinfo", "model name"))),
        ("cores", Json::number(cores as f64)),
        ("memory", Json::text(field("/proc/meminfo", "MemTotal"))),
        (
            "kernel",
            Json::text(files::find(Path::new("/proc/sys/kernel/osrelease")).unwrap_or_default().trim()),
        ),
        ("filesystem", Json::text(filesystem(directory))),
    ])
}

/// The value of the first line of the form `name : value`.
fn field(path: &str, name: &str) -> String {
    let text = files::find(Path::new(path)).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(name)).and_then(|line| line.split_once(':'));
    line.map_or_else(|| "unknown".to_owned(), |(_, value)| value.trim().to_owned())
}

/// The type of a directory's file system: that of the longest mount point that contains it.
pub fn filesystem(directory: &Path) -> String {
    let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    let mounts = files::find(Path::new("/proc/self/mounts")).unwrap_or_default();
    let mounts = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        Some((words.next()?, words.next()?))
    });
    let above = mounts.filter(|(point, _)| directory.starts_with(point));
    above.max_by_key(|(point, _)| point.len()).map_or("unknown", |(_, kind)| kind).to_owned()
}

/// `2026-11-21`, from the system's clock.
pub fn today() -> String {
    date(seconds_since_1970() / 86_400)
}

/// `14:05:59`, UTC.
pub fn time() -> String {
    let seconds = seconds_since_1970();
    format!("{:02}:{:02}:{:02}", seconds / 3600 % 24, seconds / 60 % 60, seconds % 60)
}

fn seconds_since_1970() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}

/// The Gregorian date of a day, counted from 1970-01-01.
fn date(day: u64) -> String {
    // Days are counted from 0000-03-01, so that the leap day ends a year; 400 years are 146,097
    // days.
    let days = day + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + carry)
}

#[cfg(test)]
mod tests;
