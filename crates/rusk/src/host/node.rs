//! What the `node` on PATH calls itself. In: PATH, and the cache, where the answer is kept:
//! starting node costs more than most installs with little to do. Out: its version without `v`, or
//! nothing. A program is asked again once it is another file, by any of its marks; one that might
//! answer differently elsewhere is asked each time.

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, Metadata};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rusk_base::files;

/// In the cache: the marks of a program, and a line with its answer.
const NAME: &str = "node-version";

/// Node is one file of 60 MB and more. Smaller ones are launchers that choose a version by the
/// folder they are in, or stand on a library that changes without them.
const PROGRAM_BYTES_MIN: u64 = 32 << 20;

/// `node --version` takes 10 ms; one that takes this long is stuck, and is left out of the
/// reckoning.
const WAIT_MAX: Duration = Duration::from_secs(2);

/// How often it is looked for.
const POLL: Duration = Duration::from_millis(1);

/// A version is a dozen bytes; a program that says more is not Node.
const ANSWER_BYTES_MAX: u64 = 256;

/// Paths have 4096 bytes at most.
const NOTE_BYTES_MAX: u64 = 8 << 10;

pub fn version(environment: &BTreeMap<String, String>, cache_dir: &Path) -> Option<String> {
    let node = env::split_paths(environment.get("PATH")?)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join("node"))
        .find(|path| files::is_file(path))?;
    let ask = || version_in(&answer_of(Command::new(&node).arg("--version"), WAIT_MAX)?);
    let Some(marks) = marks(&node) else { return ask() };
    let note = cache_dir.join(NAME);
    if let Ok(Some(text)) = files::find_string(&note, NOTE_BYTES_MAX)
        && let Some(version) = text.strip_prefix(&marks).and_then(version_in)
    {
        return Some(version);
    }
    let version = ask()?;
    // What cannot be kept is asked again.
    let _ = files::write_atomically(&note, format!("{marks}v{version}\n").as_bytes());
    Some(version)
}

/// What tells this program from any other; `None` for one whose answer cannot be kept.
fn marks(node: &Path) -> Option<String> {
    let program = fs::canonicalize(node).ok()?;
    let stat = fs::metadata(&program).ok()?;
    let is_known = is_node_itself(&program, &stat) && !program.to_str()?.contains('\n');
    let (dev, ino, size) = (stat.dev(), stat.ino(), stat.size());
    let modified = format!("{}.{:09}", stat.mtime(), stat.mtime_nsec());
    let changed = format!("{}.{:09}", stat.ctime(), stat.ctime_nsec());
    is_known.then(|| format!("{}\n{dev} {ino} {size} {modified} {changed}\n", program.display()))
}

/// Launchers are links to a program of another name, or small.
fn is_node_itself(program: &Path, stat: &Metadata) -> bool {
    program.file_name().is_some_and(|name| name == "node") && stat.size() >= PROGRAM_BYTES_MIN
}

fn version_in(answer: &str) -> Option<String> {
    let version = answer.trim().strip_prefix('v')?;
    let plain = !version.is_empty()
        && version.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-+".contains(&byte));
    plain.then(|| version.to_owned())
}

/// What a program prints, if it ends well and in time; it has ended in any case.
fn answer_of(command: &mut Command, limit: Duration) -> Option<String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let deadline = Instant::now() + limit;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(POLL),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
        }
    };
    if !status?.success() {
        return None;
    }
    let mut answer = String::new();
    child.stdout.take()?.take(ANSWER_BYTES_MAX).read_to_string(&mut answer).ok()?;
    Some(answer)
}

#[cfg(test)]
mod tests;
