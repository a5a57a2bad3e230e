//! Run of a program with the memory of it and of all its descendants: the largest sum of their
//! proportional set sizes (PSS), in which a page that several processes share counts once. In: a
//! command, a limit. Out: mebibytes, wall time, output. Sampled, because a test runner does not
//! wait for its workers.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(5);
const MIB: f64 = 1024.0;

pub struct TreeRun {
    pub peak_mib: f64,
    pub wall: Duration,
    pub status: ExitStatus,
    /// It was killed at the limit.
    pub is_over_limit: bool,
    /// Both streams.
    pub output: String,
}

/// In a process group of its own, which is killed at the limit.
pub fn run(command: &mut Command, limit: Duration) -> Result<TreeRun, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let io = |error: std::io::Error| format!("{name}: {error}");
    let (mut reader, writer) = std::io::pipe().map_err(io)?;
    command.stdin(Stdio::null()).stdout(writer.try_clone().map_err(io)?).stderr(writer).process_group(0);
    let (began, mut child, mut peak_kib) = (Instant::now(), command.spawn().map_err(io)?, 0);
    // `command` has the write ends of the pipe, which must be closed for the output to end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let output = thread::spawn(move || {
        let mut output = Vec::new();
        let _ = reader.read_to_end(&mut output);
        String::from_utf8_lossy(&output).into_owned()
    });
    let mut is_over_limit = false;
    let status = loop {
        peak_kib = peak_kib.max(proportional_kib(child.id()));
        if let Some(status) = child.try_wait().map_err(io)? {
            break status;
        }
        if began.elapsed() > limit {
            is_over_limit = true;
            let _ = Command::new("kill").args(["-9", "--", &format!("-{}", child.id())]).status();
        }
        thread::sleep(INTERVAL);
    };
    let wall = began.elapsed();
    let output = output.join().expect("reading a pipe does not panic");
    Ok(TreeRun { peak_mib: peak_kib as f64 / MIB, wall, status, is_over_limit, output })
}

/// Of a process and its descendants; one that has ended meanwhile counts nothing.
fn proportional_kib(process: u32) -> u64 {
    let rollup = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap_or_default();
    let own =
        rollup.lines().find_map(|line| line.strip_prefix("Pss:")?.split_whitespace().next()?.parse().ok());
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let children: Vec<u32> = lists
        .flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>())
        .collect();
    own.unwrap_or(0_u64) + children.into_iter().map(proportional_kib).sum::<u64>()
}
