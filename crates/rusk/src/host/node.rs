//! Version of the `node` on PATH. In: PATH, and the cache, which stores the version: to start node
//! takes longer than most small installs. Out: its version without `v`, or nothing. `node
//! --version` runs again when the fingerprint of the file changes, and every time for launchers,
//! whose version may depend on the directory.

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

/// File in the cache: the fingerprint of a program and its version.
const NAME: &str = "node-version";

/// Node is one file of 60 MB and more. Smaller ones are launchers that choose a version by the
/// directory they are in, or depend on a library that changes independently.
const PROGRAM_BYTES_MIN: u64 = 32 << 20;

/// `node --version` takes 10 ms; one that takes this long is stuck, and is ignored.
const WAIT_MAX: Duration = Duration::from_secs(2);

/// Interval at which its end is polled.
const POLL: Duration = Duration::from_millis(1);

/// A version is a dozen bytes; a program that prints more is not Node.
const ANSWER_BYTES_MAX: u64 = 256;

/// Paths have 4096 bytes at most.
const ENTRY_BYTES_MAX: u64 = 8 << 10;

pub fn version(environment: &BTreeMap<String, String>, cache_dir: &Path) -> Option<String> {
    let node = env::split_paths(environment.get("PATH")?)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join("node"))
        .find(|path| files::is_file(path))?;
    let run = || parse_version(&output_of(Command::new(&node).arg("--version"), WAIT_MAX)?);
    let Some(fingerprint) = fingerprint(&node) else { return run() };
    let entry = cache_dir.join(NAME);
    if let Ok(Some(text)) = files::find_string(&entry, ENTRY_BYTES_MAX)
        && let Some(version) = text.strip_prefix(&fingerprint).and_then(parse_version)
    {
        return Some(version);
    }
    let version = run()?;
    // If it cannot be stored, node runs again next time.
    let _ = files::write_atomically(&entry, format!("{fingerprint}v{version}\n").as_bytes());
    Some(version)
}

/// The fingerprint of the program; `None` if its version must not be cached.
fn fingerprint(node: &Path) -> Option<String> {
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

fn parse_version(output: &str) -> Option<String> {
    let version = output.trim().strip_prefix('v')?;
    let plain = !version.is_empty()
        && version.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-+".contains(&byte));
    plain.then(|| version.to_owned())
}

/// What a program prints, if it ends well and in time; it has ended in any case.
fn output_of(command: &mut Command, limit: Duration) -> Option<String> {
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
    let mut output = String::new();
    child.stdout.take()?.take(ANSWER_BYTES_MAX).read_to_string(&mut output).ok()?;
    Some(output)
}

#[cfg(test)]
mod tests;
