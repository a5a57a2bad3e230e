//! `cargo xtask fuzz`: runs each target in a process of its own, so that a stack overflow or an
//! endless loop is a finding too and does not end the run.

use crate::coverage;
use crate::record::{self, FuzzTime};
use crate::targets::repository_root;
use crate::{Budget, Finding, FuzzTarget, TARGETS, run as fuzz, save};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time a child may take beyond its budget: the seeds, and the current input.
const GRACE: Duration = Duration::from_secs(30);

struct FuzzFlags {
    targets: Vec<&'static FuzzTarget>,
    seconds: u64,
    jobs: usize,
    seed: u64,
    /// In a child: the file to which each input is written before it runs, if any.
    traced: Option<PathBuf>,
    child: bool,
    /// Whether libFuzzer generates the inputs.
    covers: bool,
    /// Whether the time is added to the record.
    keeps: bool,
    /// In a child of such a run: where it writes how many inputs it ran.
    counted: Option<PathBuf>,
}

/// Runs the selected targets; the error is what was found.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = parse(arguments)?;
    if flags.child { run_here(&flags) } else { run_all(&flags) }
}

impl FuzzFlags {
    fn limit(&self) -> Duration {
        Duration::from_secs(self.seconds) + GRACE
    }
}

fn parse(arguments: &[String]) -> Result<FuzzFlags, String> {
    let mut flags = FuzzFlags {
        targets: Vec::new(),
        seconds: 60,
        jobs: 1,
        seed: 1,
        traced: None,
        child: false,
        covers: false,
        keeps: false,
        counted: None,
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut number = || {
            let value = rest.next().and_then(|value| value.parse().ok());
            value.ok_or_else(|| format!("expected a number after `{argument}`"))
        };
        match argument.as_str() {
            "--seconds" => flags.seconds = number()?,
            "--jobs" => flags.jobs = number()? as usize,
            "--seed" => flags.seed = number()?,
            "--child" => flags.child = true,
            "--coverage" => flags.covers = true,
            "--keep" => flags.keeps = true,
            "--install" => {
                flags.targets.extend(INSTALL_TARGETS.iter().filter_map(|name| FuzzTarget::find(name)));
            }
            "--count" => flags.counted = rest.next().map(PathBuf::from),
            "--trace" => flags.traced = rest.next().map(PathBuf::from),
            name => flags.targets.push(FuzzTarget::find(name).ok_or_else(|| unknown(name))?),
        }
    }
    if flags.targets.is_empty() {
        flags.targets = TARGETS.iter().collect();
    }
    Ok(flags)
}

fn unknown(name: &str) -> String {
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    format!("expected a target, found `{name}`; there are {}", names.join(", "))
}

/// Runs the targets in `jobs` threads.
fn run_all(flags: &FuzzFlags) -> Result<(), String> {
    let guided = if flags.covers { Some(coverage::build()?) } else { None };
    let waiting = Mutex::new(flags.targets.iter());
    let run_next = |target: &FuzzTarget| run_child(target, flags, guided.as_deref()).err();
    let lane = || {
        let next = || waiting.lock().ok()?.next();
        std::iter::from_fn(next).filter_map(|target| run_next(target)).collect::<Vec<String>>()
    };
    let found: Vec<String> = std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..flags.jobs.max(1)).map(|_| scope.spawn(lane)).collect();
        lanes.into_iter().flat_map(|lane| lane.join().expect("a lane only collects")).collect()
    });
    if found.is_empty() { Ok(()) } else { Err(found.join("\n")) }
}

/// What reads a package, a registry's answer, a lockfile or a file of the store.
pub const INSTALL_TARGETS: [&str; 26] = [
    "tarball",
    "inflate",
    "packument",
    "index",
    "inventory",
    "record",
    "manifest",
    "lockfile",
    "bun-binary-lockfile",
    "npm-lockfile",
    "pnpm-lockfile",
    "yarn-lockfile",
    "yarn-berry-lockfile",
    "npmrc",
    "version",
    "range",
    "specifier",
    "git-source",
    "settings",
    "script-output",
    "script-record",
    "gunzip",
    "closure-uses",
    "exec-record",
    "scanner-answer",
    "workspace-globs",
];

/// The record of all runs with `--keep`.
pub fn record_path() -> PathBuf {
    repository_root().join("bench/results/fuzz.json")
}

/// What a run without a finding did.
struct RunCount {
    inputs: u64,
    processor_time: Duration,
}

fn run_child(target: &FuzzTarget, flags: &FuzzFlags, guided: Option<&Path>) -> Result<(), String> {
    let result = match guided {
        Some(program) => run_guided(program, target, flags),
        None => run_mutated(target, flags),
    };
    if flags.keeps {
        let (seconds, inputs) = match &result {
            Ok(count) => (count.processor_time.as_secs(), count.inputs),
            Err(_) => (0, 0),
        };
        let run = FuzzTime {
            target: target.name.to_owned(),
            seconds,
            guided_seconds: if flags.covers { seconds } else { 0 },
            inputs,
            findings: u64::from(result.is_err()),
        };
        static RECORD: Mutex<()> = Mutex::new(());
        let _alone = RECORD.lock();
        record::add(&record_path(), &run)?;
    }
    result.map(|_| ())
}

#[allow(clippy::print_stdout, reason = "one line for each target is the report")]
fn run_guided(program: &Path, target: &FuzzTarget, flags: &FuzzFlags) -> Result<RunCount, String> {
    let io = |error: std::io::Error| format!("{}: {error}", target.name);
    std::fs::create_dir_all(findings()).map_err(io)?;
    let log_path = findings().join(format!("{}-log", target.name));
    let mut command = coverage::command(program, target, flags.seconds, flags.seed).map_err(io)?;
    command.stderr(File::create(&log_path).map_err(io)?);
    let (status, processor_time) = wait(&mut command.spawn().map_err(io)?, flags.limit()).map_err(io)?;
    let log = String::from_utf8_lossy(&std::fs::read(&log_path).map_err(io)?).into_owned();
    match (status, coverage::inputs(&log)) {
        (Some(status), Some(inputs)) if status.success() => {
            println!(
                "fuzz {}: {inputs} inputs guided by coverage in {} s of processor time, seed {}, no finding",
                target.name,
                processor_time.as_secs(),
                flags.seed
            );
            Ok(RunCount { inputs, processor_time })
        }
        _ => Err(format!("{}: {}", target.name, coverage::finding(&log))),
    }
}

fn run_mutated(target: &FuzzTarget, flags: &FuzzFlags) -> Result<RunCount, String> {
    let (status, processor_time) = start(target, flags, None)?;
    match status.and_then(|status| status.code()) {
        Some(0) => {
            let path = count_path(target);
            let text =
                std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let inputs = text.parse().map_err(|_| format!("{}: expected a number", path.display()))?;
            Ok(RunCount { inputs, processor_time })
        }
        // The child has printed its finding.
        Some(_) => Err(format!("{}: a finding", target.name)),
        None => Err(trace(target, flags, status)),
    }
}

fn count_path(target: &FuzzTarget) -> PathBuf {
    findings().join(format!("{}-count", target.name))
}

/// Repeats the run and writes each input to a file before it runs: the last one is the finding.
fn trace(target: &FuzzTarget, flags: &FuzzFlags, ended: Option<ExitStatus>) -> String {
    let path = findings().join(format!("{}-last", target.name));
    let what = ended.map_or("an input that does not end".to_owned(), |status| status.to_string());
    match start(target, flags, Some(&path)) {
        Err(error) => error,
        Ok((Some(status), _)) if status.success() => {
            format!("{}: {what}, once; not again with the same seed", target.name)
        }
        Ok(_) => match std::fs::read(&path) {
            Ok(input) => save(&findings(), target, &Finding { input, what }),
            Err(error) => format!("{}: {what}; {}: {error}", target.name, path.display()),
        },
    }
}

/// Returns the child's status, `None` if it had to be killed, and its processor time.
fn start(
    target: &FuzzTarget,
    flags: &FuzzFlags,
    traced: Option<&Path>,
) -> Result<(Option<ExitStatus>, Duration), String> {
    let io = |error: std::io::Error| format!("{}: {error}", target.name);
    std::fs::create_dir_all(findings()).map_err(io)?;
    let mut command = Command::new(std::env::current_exe().map_err(io)?);
    command.args(["fuzz", "--child", target.name, "--seconds", &flags.seconds.to_string()]);
    command.args(["--seed", &flags.seed.to_string()]);
    if let Some(path) = traced {
        command.arg("--trace").arg(path);
    }
    command.arg("--count").arg(count_path(target));
    wait(&mut command.spawn().map_err(io)?, flags.limit()).map_err(io)
}

fn wait(child: &mut Child, limit: Duration) -> std::io::Result<(Option<ExitStatus>, Duration)> {
    let started = Instant::now();
    let mut used = Duration::ZERO;
    while started.elapsed() < limit {
        used = processor_time_of(child.id()).unwrap_or(used);
        if let Some(status) = child.try_wait()? {
            return Ok((Some(status), used));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill()?;
    child.wait()?;
    Ok((None, used))
}

/// User and system time of a process, with all its threads. The record counts this, not wall time:
/// a busy machine does less in a second.
fn processor_time_of(process: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in parentheses, may contain spaces.
    let (_, after_name) = stat.rsplit_once(") ")?;
    let mut ticks = after_name.split(' ').skip(11).map_while(|field| field.parse::<u64>().ok());
    let ticks = ticks.next()? + ticks.next()?;
    Some(Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second()))
}

#[allow(clippy::print_stdout, reason = "one line for each target is the report")]
fn run_here(flags: &FuzzFlags) -> Result<(), String> {
    for target in &flags.targets {
        let budget = Budget { inputs: u64::MAX, time: Duration::from_secs(flags.seconds) };
        let watch = |input: &[u8]| {
            if let Some(path) = &flags.traced {
                let _ = std::fs::write(path, input);
            }
        };
        let count = fuzz(target, flags.seed, budget, watch);
        let count = count.map_err(|finding| save(&findings(), target, &finding))?;
        if let Some(path) = &flags.counted {
            std::fs::write(path, count.to_string())
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        println!(
            "fuzz {}: {count} inputs in {} s, seed {}, no finding",
            target.name, flags.seconds, flags.seed
        );
    }
    Ok(())
}

/// The directory of findings, ignored by git.
pub(crate) fn findings() -> PathBuf {
    repository_root().join("fuzz/artifacts")
}
