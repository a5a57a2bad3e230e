//! `bench soak`: whether a long-running program keeps its size. In: minutes; one of the programs
//! `bench/*/soak*`. Out: the resident size over time, in `bench/results`; an error if the
//! program fails, or if it grows too much after the first sixth of the time.

use super::flags::BenchFlags;
use super::median::median;
use crate::report::{self, Json};
use crate::{files, peers, process, test_addons};
use rusk_testkit::bounded_process;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Samples over the whole time.
const SAMPLES: usize = 600;
/// The share of the time that counts as warm-up.
const WARM: f64 = 1.0 / 6.0;
/// Maximal growth after the warm-up, as a share.
const GROWTH_MAX: f64 = 0.05;
/// The size at a time is the median of so many samples: garbage that is not collected yet is not
/// growth.
const WINDOW: usize = SAMPLES / 12;
/// A program that runs so much longer than requested hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program to run.
struct Workload {
    /// The flag that selects it.
    flag: &'static str,
    /// Below `bench`.
    script: &'static str,
    /// Below `bench/results`.
    result: &'static str,
}

/// Timers, files, streams, children and garbage.
const FILES: Workload = Workload { flag: "--files", script: "runtime/soak.cjs", result: "soak.json" };

/// Needs addons, which are compiled first.
const ADDONS: Workload =
    Workload { flag: "--addons", script: "runtime/soak_addons.cjs", result: "soak-addons.json" };

const WORKLOADS: &[Workload] = &[
    FILES,
    Workload { flag: "--workers", script: "runtime/soak_workers.cjs", result: "soak-workers.json" },
    Workload { flag: "--servers", script: "runtime/soak_servers.mjs", result: "soak-servers.json" },
    ADDONS,
    Workload { flag: "--tls", script: "tls/soak.cjs", result: "soak-tls.json" },
];

/// Runs, samples, stores, checks.
#[allow(clippy::print_stdout, reason = "the verdict is the output of the task")]
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (minutes, mut rest) = minutes(arguments)?;
    let selected = rest
        .iter()
        .enumerate()
        .find_map(|(at, word)| Some((at, WORKLOADS.iter().find(|work| work.flag == word)?)));
    let work = match selected {
        Some((at, work)) => {
            rest.remove(at);
            work
        }
        None => &FILES,
    };
    let flags = BenchFlags { rounds: 1, rusk: None, store: true }.read("soak", &rest)?;
    let rusk = flags.rusk.map_or_else(peers::rusk, Ok)?;
    let rusk = rusk.canonicalize().map_err(|error| format!("{}: {error}", rusk.display()))?;
    let directory = files::target().join(format!("bench-soak{}", &work.flag[1..]));
    files::empty(&directory)?;
    let output = directory.join("output");
    let message = std::fs::File::create(&output).map_err(|error| error.to_string())?;
    let mut command = Command::new(&rusk);
    command
        .arg(files::root().join("bench").join(work.script))
        .arg(minutes.to_string())
        .arg(directory.join("files"));
    if work.flag == ADDONS.flag {
        let addons = directory.join("addons");
        test_addons::compile(&["misbehaves", "threads", "values"], &addons)?;
        command.env("ADDONS", addons);
    }
    command
        .stdin(Stdio::null())
        .stdout(message.try_clone().map_err(|error| error.to_string())?)
        .stderr(message);
    let mut child = command.spawn().map_err(|error| format!("{}: {error}", rusk.display()))?;
    let sizes = watch(&mut child, Duration::from_secs_f64(minutes * 60.0));
    let output = files::find(&output).unwrap_or_default();
    let sizes = sizes.map_err(|message| format!("{message}: {}", output.trim()))?;
    let growth = growth(&sizes);
    let last = output.lines().last().unwrap_or_default();
    println!(
        "{minutes} minutes, {last}: from {:.1} MiB, at most {:+.1} %",
        growth.from_mib,
        growth.most * 100.0
    );
    if flags.store {
        let json = Json::object([
            ("date", Json::text(report::today())),
            ("machine", report::machine(&directory)),
            ("versions", Json::object([("rusk", Json::text(process::version(&rusk).unwrap_or_default()))])),
            ("minutes", Json::number(minutes)),
            ("did", Json::text(last)),
            ("growth", Json::number(growth.most)),
            ("resident_mib", Json::List(sizes.into_iter().map(Json::number).collect())),
        ]);
        files::write(&files::root().join("bench/results").join(work.result), &json.render())?;
    }
    match growth.most <= GROWTH_MAX {
        true => Ok(()),
        false => {
            Err(format!("it grew by {:.1} %, allowed are {:.0} %", growth.most * 100.0, GROWTH_MAX * 100.0))
        }
    }
}

/// The number after `--minutes`, and the other arguments.
fn minutes(arguments: &[String]) -> Result<(f64, Vec<String>), String> {
    let at =
        arguments.iter().position(|word| word == "--minutes").ok_or("expected `--minutes` and a number")?;
    let number = arguments.get(at + 1).and_then(|number| number.parse().ok()).filter(|number| *number > 0.0);
    let number = number.ok_or("expected a number above 0 after `--minutes`")?;
    Ok((number, [&arguments[..at], &arguments[at + 2..]].concat()))
}

/// Samples the resident size in MiB until the program exits; an error if it fails or hangs.
fn watch(child: &mut Child, works: Duration) -> Result<Vec<f64>, String> {
    let pid = i32::try_from(child.id()).map_err(|error| error.to_string())?;
    let (began, pause) = (Instant::now(), works / SAMPLES as u32);
    let mut sizes = Vec::new();
    loop {
        std::thread::sleep(pause);
        let size = bounded_process::resident_bytes(pid);
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) if status.success() => return Ok(sizes),
            Some(status) => return Err(status.to_string()),
            None if began.elapsed() > works + PATIENCE => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("it did not end".to_owned());
            }
            None => sizes.push(size as f64 / f64::from(1 << 20)),
        }
    }
}

struct Growth {
    /// The size after the warm-up.
    from_mib: f64,
    /// The largest growth, as a share.
    most: f64,
}

fn growth(sizes: &[f64]) -> Growth {
    let warm = &sizes[(sizes.len() as f64 * WARM) as usize..];
    let windows: Vec<f64> = warm
        .chunks(WINDOW)
        .filter(|chunk| chunk.len() == WINDOW.min(warm.len()))
        .map(|chunk| median(chunk.to_vec()))
        .collect();
    let from_mib = windows.first().copied().unwrap_or_default();
    let largest = windows.iter().copied().fold(from_mib, f64::max);
    Growth { from_mib, most: if from_mib > 0.0 { largest / from_mib - 1.0 } else { f64::INFINITY } }
}

#[cfg(test)]
mod tests;
