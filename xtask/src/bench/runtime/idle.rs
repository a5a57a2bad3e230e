//! Idle program: resource use of a program that waits. In: its command. Out: its resident size, and
//! what it did in ten seconds: processor time, wake-ups of all its threads.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Until it is idle.
const SETTLES: Duration = Duration::from_secs(3);
const WATCHED: Duration = Duration::from_secs(10);

pub fn measure(mut command: Command) -> Result<Vec<(String, f64)>, String> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|_| "it cannot be started")?;
    let watched = watch(&mut child);
    let _ = child.kill();
    let _ = child.wait();
    watched
}

fn watch(child: &mut Child) -> Result<Vec<(String, f64)>, String> {
    let process = format!("/proc/{}", child.id());
    let process = Path::new(&process);
    std::thread::sleep(SETTLES);
    let before = Activity::read(process);
    std::thread::sleep(WATCHED);
    let after = Activity::read(process);
    if let Ok(Some(status)) = child.try_wait() {
        return Err(format!("it ended by itself: {status}"));
    }
    Ok(vec![
        ("resident, MiB".to_owned(), field(&process.join("status"), "VmRSS:") / 1024.0),
        ("proportional, MiB".to_owned(), field(&process.join("smaps_rollup"), "Pss:") / 1024.0),
        ("CPU in 10 s, ms".to_owned(), (after.cpu_ms - before.cpu_ms).max(0.0)),
        ("wake-ups in 10 s".to_owned(), (after.wakeups - before.wakeups).max(0.0)),
    ])
}

/// Totals of all current threads; those of a thread that exits are lost.
struct Activity {
    cpu_ms: f64,
    /// Each voluntary context switch follows a wake-up.
    wakeups: f64,
}

impl Activity {
    fn read(process: &Path) -> Activity {
        let threads = std::fs::read_dir(process.join("task")).into_iter().flatten().flatten();
        let mut work = Activity { cpu_ms: 0.0, wakeups: 0.0 };
        for thread in threads.map(|entry| entry.path()) {
            work.wakeups += field(&thread.join("status"), "voluntary_ctxt_switches:");
            // The first number: nanoseconds on a processor.
            let text = std::fs::read_to_string(thread.join("schedstat")).unwrap_or_default();
            let ns: f64 = text.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or_default();
            work.cpu_ms += ns / 1e6;
        }
        work
    }
}

/// The number after a name at the start of a line; 0 if there is none.
fn field(file: &Path, name: &str) -> f64 {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let value = text.lines().find_map(|line| line.strip_prefix(name));
    value.and_then(|value| value.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}
