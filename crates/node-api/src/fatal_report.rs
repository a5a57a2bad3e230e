//! Report of a fatal error (`--report-on-fatalerror`). In: a report that JavaScript rendered when
//! addons were loaded, the message. Out: a file, as Node writes it for a thread without an engine.
//! Such a thread cannot run JavaScript, so only what the message and the time change is filled in
//! here. Absent: the stacks.

use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// A report with placeholders: `%EVENT%`, `%FILENAME%`, `%TIME%` and `%TIMESTAMP%`.
pub struct FatalReport {
    pub text: String,
    pub directory: PathBuf,
    /// With a placeholder for the date and time, `%DATE%`.
    pub name: String,
}

static REPORT: Mutex<Option<FatalReport>> = Mutex::new(None);

/// Sets the report that a fatal error writes; `None`: it writes none.
pub fn set_fatal_report(report: Option<FatalReport>) {
    *REPORT.lock().unwrap_or_else(PoisonError::into_inner) = report;
}

/// Writes the report, once.
pub fn write(message: &str) {
    let Some(report) = REPORT.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
    let now = now();
    let name = report.name.replace("%DATE%", &now.name);
    let filled = report.text.replace("%EVENT%", &escaped(message)).replace("%FILENAME%", &escaped(&name));
    let filled = filled.replace("%TIMESTAMP%", &now.timestamp_ms).replace("%TIME%", &now.text);
    crate::write_error(&format!("\nWriting Node.js report to file: {name}\n"));
    let path = report.directory.join(&name);
    match fs::write(&path, filled) {
        Ok(()) => crate::write_error("Node.js report completed\n"),
        Err(error) => {
            crate::write_error(&format!("\nFailed to open Node.js report file: {name} ({error})\n"));
        }
    }
}

/// The time in the forms of a report.
struct ReportTime {
    /// `20260131.235959`, local time.
    name: String,
    /// ISO 8601, UTC.
    text: String,
    timestamp_ms: String,
}

fn now() -> ReportTime {
    let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let seconds = since_epoch.as_secs() as libc::time_t;
    let (local, utc) = (broken_down(seconds, libc::localtime_r), broken_down(seconds, libc::gmtime_r));
    let date = |time: &libc::tm, separator: &str| {
        format!("{}{separator}{:02}{separator}{:02}", time.tm_year + 1900, time.tm_mon + 1, time.tm_mday)
    };
    let clock = |time: &libc::tm, separator: &str| {
        format!("{:02}{separator}{:02}{separator}{:02}", time.tm_hour, time.tm_min, time.tm_sec)
    };
    ReportTime {
        name: format!("{}.{}", date(&local, ""), clock(&local, "")),
        text: format!("{}T{}Z", date(&utc, "-"), clock(&utc, ":")),
        timestamp_ms: since_epoch.as_millis().to_string(),
    }
}

type BreakDown = unsafe extern "C" fn(*const libc::time_t, *mut libc::tm) -> *mut libc::tm;

fn broken_down(seconds: libc::time_t, break_down: BreakDown) -> libc::tm {
    // SAFETY: all fields may be zero, and the function fills them in.
    unsafe {
        let mut time = std::mem::zeroed();
        break_down(&raw const seconds, &raw mut time);
        time
    }
}

/// The inside of a JSON string.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' | '\\' => escaped.extend(['\\', character]),
            '\0'..='\x1f' => escaped.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
