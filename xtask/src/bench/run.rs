//! `bench run`: the overhead of a tool before a script of package.json starts. In: a project whose
//! scripts run one small program, which records the clock at its first instruction. Out: a table,
//! targets, `bench/results/run.json`. The overhead is the time from the tool's start to the
//! recorded time, minus the time of the same program started directly, per round.

pub mod row;

use super::c;
use super::flags::BenchFlags;
use super::spawn::results::load_average;
use crate::report::{self, Json};
use crate::{files, peers, process};
use row::{RunRow, RunSample, ScriptCase};
use rustix::time::{ClockId, clock_gettime};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A way to run a script; the last argument is the script's name.
struct ScriptRunner {
    name: &'static str,
    program: PathBuf,
    arguments: &'static [&'static str],
}

/// The project, and a home for the tools' caches.
struct RunBench {
    project: PathBuf,
    home: PathBuf,
}

/// The program that scripts run, and the file in which it records the time.
const STAMP: &str = "stamp";
const NOTE: &str = "stamped";

/// Measures all installed tools, prints, stores the results. A missed target is reported, and is
/// not an error.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = BenchFlags { rounds: 20, rusk: None, store: true }.read("run", arguments)?;
    let bench = RunBench::new()?;
    let tools = tools(flags.rusk.clone().map_or_else(peers::rusk, Ok)?);
    let load = load_average();
    let mut rows = Vec::new();
    for &case in ScriptCase::ALL {
        rows.extend(measure(&bench, &tools, case, flags.rounds));
    }
    row::print(&rows);
    if flags.store {
        store(&bench, &tools, &load, &rows)?;
    }
    Ok(())
}

/// The program itself, then rusk, then the others.
fn tools(rusk: PathBuf) -> Vec<ScriptRunner> {
    let peers = peers::find();
    let tool = |name, program, arguments| ScriptRunner { name, program, arguments };
    vec![
        tool(row::DIRECT, PathBuf::from("./").join(STAMP), &[]),
        tool("rusk", rusk, &["run"]),
        tool("bun", peers.join("bun"), &["run"]),
        tool("npm", peers.join("npm"), &["run"]),
        tool("pnpm", peers.join("pnpm"), &["run"]),
        tool("node", "node".into(), &["--run"]),
        tool("deno", peers.join("deno"), &["task"]),
    ]
}

/// One row for each tool. Each round runs every tool once and starts with the next tool; a first
/// round is not counted. A tool that fails gets no more samples; its error is stored.
fn measure(bench: &RunBench, tools: &[ScriptRunner], case: ScriptCase, rounds: usize) -> Vec<RunRow> {
    let mut rows: Vec<RunRow> = tools.iter().map(|tool| RunRow::new(case, tool.name)).collect();
    for round in 0..=rounds {
        for index in 0..tools.len() {
            let index = (index + round) % tools.len();
            if rows[index].failure.is_some() {
                continue;
            }
            match bench.sample(&tools[index], case) {
                Ok(sample) if round > 0 => rows[index].samples.push(sample),
                Ok(_) => {}
                Err(message) => rows[index].failure = Some(message),
            }
        }
    }
    rows
}

impl RunBench {
    fn new() -> Result<RunBench, String> {
        let top = files::target().join("bench-run");
        let [project, home] = ["project", "home"].map(|name| top.join(name));
        files::empty(&top)?;
        files::empty(&home)?;
        files::empty(&project.join("node_modules/.bin"))?;
        files::write(&project.join("package.json"), &manifest())?;
        c::compile(&files::root().join("bench/stamp.c"), &project.join(STAMP), c::BARE)?;
        Ok(RunBench { project, home })
    }

    fn sample(&self, tool: &ScriptRunner, case: ScriptCase) -> Result<RunSample, String> {
        files::remove_file(&self.project.join(NOTE))?;
        let mut command = Command::new(&tool.program);
        match tool.name {
            row::DIRECT => command.arg(NOTE),
            _ => command.args(tool.arguments).arg(case.script()),
        };
        command.current_dir(&self.project).env_clear().env("HOME", &self.home);
        command.env("DENO_NO_UPDATE_CHECK", "1").env("NPM_CONFIG_UPDATE_NOTIFIER", "false");
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        let began = monotonic();
        // The error of the harness has a local path in it.
        let ended = process::run(&mut command).map_err(|_| "it cannot be started")?;
        let last = ended.output.lines().last().unwrap_or_default();
        if !ended.status.success() {
            return Err(format!("{}: {last}", ended.status));
        }
        let read_stamp = read_stamp(&self.project.join(NOTE)).ok_or("the script did not run")?;
        // Rounded as stored, so that a ratio is the same before and after.
        let micros = |time: Duration| Duration::from_micros(time.as_micros() as u64);
        let began = micros(read_stamp.saturating_sub(began));
        Ok(RunSample { began, ended: micros(ended.cost.wall), cpu: micros(ended.cost.cpu()) })
    }
}

/// Both scripts do the same; the second one needs a shell.
fn manifest() -> String {
    let script = |case: ScriptCase| {
        let arguments = format!("./{STAMP} {NOTE}");
        match case {
            ScriptCase::Words => (case.script(), arguments),
            ScriptCase::Shell => (case.script(), format!("test -n \"$HOME\" && {arguments}")),
        }
    };
    let scripts = ScriptCase::ALL.iter().map(|&case| script(case));
    let scripts = scripts.map(|(name, text)| (name.to_owned(), Json::text(text))).collect();
    let name = Json::text("app");
    Json::object([("name", name), ("version", Json::text("1.0.0")), ("scripts", Json::Object(scripts))])
        .render()
}

fn monotonic() -> Duration {
    let time = clock_gettime(ClockId::Monotonic);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// The time that the program wrote: two numbers of eight bytes.
fn read_stamp(file: &Path) -> Option<Duration> {
    let bytes = std::fs::read(file).ok()?;
    let number = |at: usize| Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
    Some(Duration::new(number(0)?, u32::try_from(number(8)?).ok()?))
}

/// Writes `bench/results/run.json`.
fn store(bench: &RunBench, tools: &[ScriptRunner], load: &str, rows: &[RunRow]) -> Result<(), String> {
    let others = tools.iter().filter(|tool| tool.name != row::DIRECT);
    let version =
        |tool: &ScriptRunner| process::version(&tool.program).unwrap_or_else(|| "absent".to_owned());
    let versions = others.map(|tool| (tool.name.to_owned(), Json::text(version(tool)))).collect();
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("machine", report::machine(&bench.project)),
        ("versions", Json::Object(versions)),
        ("load_before", Json::text(load)),
        ("rows", Json::List(rows.iter().map(|row| row.json(rows)).collect())),
    ]);
    files::write(&files::root().join("bench/results/run.json"), &json.render())
}
