//! The process table, from `/proc`. In: nothing, or a pid. Out: [`ProcEntry`]s. A listing is not
//! atomic: processes come and go while it is read.

use std::fs::{self, File};
use std::io::{self, Read};

use crate::kernel::Errno;

/// One process. Its pid and start time together are unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcEntry {
    pub pid: i32,
    pub parent: i32,
    pub group: i32,
    pub session: i32,
    /// The state character of `proc_pid_stat(5)`.
    pub state: u8,
    /// In clock ticks since boot.
    pub started: u64,
}

impl ProcEntry {
    /// Exited; at most it waits to be reaped.
    pub fn has_ended(&self) -> bool {
        matches!(self.state, b'Z' | b'X' | b'x')
    }

    /// Stopped, by a signal or a tracer: it cannot fork.
    pub fn is_stopped(&self) -> bool {
        self.has_ended() || matches!(self.state, b'T' | b't')
    }
}

pub fn list() -> Result<Vec<ProcEntry>, Errno> {
    let code = |error: io::Error| error.raw_os_error().unwrap_or(libc::EIO);
    let mut entries = Vec::new();
    for dir in fs::read_dir("/proc").map_err(code)? {
        let name = dir.map_err(code)?.file_name();
        let pid = name.to_str().and_then(|name| name.parse().ok());
        entries.extend(pid.and_then(find));
    }
    Ok(entries)
}

/// A name, and 52 numbers of up to 20 digits; the needed ones are in the first half.
const STAT_BYTES_MAX: usize = 1024;

/// None if the process is gone.
pub fn find(pid: i32) -> Option<ProcEntry> {
    // The kernel returns all of it in one read.
    let mut stat = [0; STAT_BYTES_MAX];
    let bytes = File::open(format!("/proc/{pid}/stat")).ok()?.read(&mut stat).ok()?;
    parse(pid, &stat[..bytes])
}

/// The program's name is in parentheses, and may contain anything.
fn parse(pid: i32, stat: &[u8]) -> Option<ProcEntry> {
    /// From the state, which is field 3 of `proc_pid_stat(5)`; the start time is field 22.
    const STARTED_AT: usize = 19;
    let name_end = stat.iter().rposition(|byte| *byte == b')')?;
    let text = std::str::from_utf8(stat.get(name_end + 1..)?).ok()?;
    let mut fields = text.split_ascii_whitespace();
    let state = *fields.next()?.as_bytes().first()?;
    let mut number = || fields.next()?.parse::<i32>().ok();
    let (parent, group, session) = (number()?, number()?, number()?);
    let started = fields.nth(STARTED_AT - 4)?.parse().ok()?;
    Some(ProcEntry { pid, parent, group, session, state, started })
}

/// Whether a process was started with this mark in an environment variable, whose parts `/`
/// separates. None for processes that have exited, that are in exec, and of other users.
pub fn has_mark(pid: i32, variable: &str, mark: &str) -> Option<bool> {
    let environ = fs::read(format!("/proc/{pid}/environ")).ok().filter(|environ| !environ.is_empty())?;
    Some(environ.split(|byte| *byte == 0).any(|entry| {
        let value = entry.strip_prefix(variable.as_bytes()).and_then(|rest| rest.strip_prefix(b"="));
        value.is_some_and(|value| value.split(|byte| *byte == b'/').any(|part| part == mark.as_bytes()))
    }))
}
