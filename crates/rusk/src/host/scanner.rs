//! Runs security scanners in a process of their own: this program with a script that imports the
//! scanner. Standard output of the scanner goes to standard error, as ours may have to be JSON.

use std::fs::File;
use std::io::{BufRead, IsTerminal, Read, Seek, SeekFrom, Write, stderr, stdin};
use std::time::{Duration, Instant};

use rusk_base::Result;
use rusk_configuration::request::{Interaction, ScannerRun};
use rusk_spawn::{Child, Command, Stdio};
use rustix::fs::{MemfdFlags, memfd_create};

use super::program;
use crate::problem;

pub const INTERACTION: Interaction = Interaction { run_scanner, confirm };

const SCRIPT: &str = include_str!("scanner/run.js");

/// The file descriptor that the script writes its answer to.
const ANSWER_FD: i32 = 3;

/// A longer answer is refused: 10,000 advisories have some megabytes.
const ANSWER_BYTES_MAX: u64 = 64 << 20;

/// Longer answers of the user are no answers.
const LINE_BYTES_MAX: u64 = 1024;

/// A scanner that has not answered by then never does.
const LIMIT: Duration = Duration::from_secs(300);

/// Between two messages about the wait.
const WAIT_STEP: Duration = Duration::from_secs(5);

/// The answer is in memory, where the child can write any amount without a reader.
fn run_scanner(scan: &ScannerRun<'_>, on_wait: &mut dyn FnMut(Duration)) -> Result<String> {
    let failed = |error: std::io::Error| problem::scanner_process(error);
    let answer = memfd_create("scanner", MemfdFlags::CLOEXEC).map_err(|error| failed(error.into()))?;
    let mut answer = File::from(answer);
    let mut command = Command::new(program()?);
    command.arg0("rusk").arg("-e").arg(SCRIPT).current_dir(scan.dir);
    command.stdin(Stdio::bytes(scan.input.as_bytes()).map_err(failed)?);
    command.stdout(Stdio::copy_of(stderr()).map_err(failed)?);
    command.fd(answer.try_clone().map_err(failed)?, ANSWER_FD);
    let of_spawn = |error: rusk_spawn::Error| failed(std::io::Error::from_raw_os_error(error.errno()));
    let mut child = command.spawn().map_err(of_spawn)?;
    if !has_ended(&mut child, LIMIT, WAIT_STEP, on_wait).map_err(of_spawn)? {
        return Err(problem::scanner_limit(LIMIT));
    }
    answer.seek(SeekFrom::Start(0)).map_err(failed)?;
    let mut text = String::new();
    answer.take(ANSWER_BYTES_MAX).read_to_string(&mut text).map_err(failed)?;
    Ok(text)
}

/// Waits for a child up to a limit, and kills it then.
fn has_ended(
    child: &mut Child,
    limit: Duration,
    step: Duration,
    on_wait: &mut dyn FnMut(Duration),
) -> rusk_spawn::Result<bool> {
    let start = Instant::now();
    loop {
        let left = limit.saturating_sub(start.elapsed());
        if child.wait_for(step.min(left))?.is_some() {
            return Ok(true);
        }
        if start.elapsed() >= limit {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        on_wait(start.elapsed());
    }
}

/// `None` without a terminal.
fn confirm(question: &str) -> Option<bool> {
    if !stdin().is_terminal() || !stderr().is_terminal() {
        return None;
    }
    let mut stderr = stderr().lock();
    stderr.write_all(question.as_bytes()).and_then(|()| stderr.flush()).ok()?;
    let mut line = String::new();
    Read::take(stdin().lock(), LINE_BYTES_MAX).read_line(&mut line).ok()?;
    Some(matches!(line.trim(), "y" | "Y" | "yes"))
}

#[cfg(test)]
mod tests;
