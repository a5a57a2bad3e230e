//! Memory of a program and of all its descendants: the largest sum of their resident sizes. In: a
//! command. Out: mebibytes. Sampled, because a test runner does not wait for its workers.

use crate::process;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(5);
const MIB: f64 = 1024.0;

pub fn peak_mib(command: &mut Command) -> Result<f64, String> {
    let io = |error: std::io::Error| error.to_string();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let (began, mut child, mut peak_kib) = (Instant::now(), command.spawn().map_err(io)?, 0);
    loop {
        peak_kib = peak_kib.max(resident_kib(child.id()));
        if let Some(status) = child.try_wait().map_err(io)? {
            let ended = if status.success() { Ok(peak_kib as f64 / MIB) } else { Err(status.to_string()) };
            return ended.map_err(|status| format!("{}: {status}", process::line(command)));
        }
        if began.elapsed() > process::LIMIT {
            let _ = child.kill();
        }
        thread::sleep(INTERVAL);
    }
}

/// Of a process and its descendants; one that has ended meanwhile counts nothing.
fn resident_kib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let own =
        status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse().ok());
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let children: Vec<u32> = lists
        .flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>())
        .collect();
    own.unwrap_or(0_u64) + children.into_iter().map(resident_kib).sum::<u64>()
}
