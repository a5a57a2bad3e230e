//! `bench run`: what a tool adds before a script of package.json begins. In: a project whose
//! scripts are one small program, which notes the clock at its first instruction. Out: a table,
//! targets, `bench/results/run.json`. From the time between the start of the tool and that note,
//! what the same program takes when it is started directly is taken off, round by round.

pub mod row;

use super::c;
use super::flags::Flags;
use super::spawn::results::load_average;
use crate::report::{self, Json};
use crate::{peers, place, process};
use row::{Case, Row, Sample};
use rustix::time::{ClockId, clock_gettime};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A way to run a script; the last word is the script's name.
struct Tool {
    name: &'static str,
    program: PathBuf,
    words: &'static [&'static str],
}

/// The project, and a home for what tools keep.
struct Bench {
    project: PathBuf,
    home: PathBuf,
}

/// What a script calls, and the file in which it notes the time.
const STAMP: &str = "stamp";
const NOTE: &str = "stamped";

/// Measures all tools that are there, prints, keeps the results. A missed target is said, and is no
/// error.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = Flags { rounds: 20, rusk: None, keep: true }.read("run", arguments)?;
    let bench = Bench::new()?;
    let tools = tools(flags.rusk.clone().map_or_else(peers::rusk, Ok)?);
    let load = load_average();
    let mut rows = Vec::new();
    for &case in Case::ALL {
        rows.extend(measure(&bench, &tools, case, flags.rounds));
    }
    row::print(&rows);
    if flags.keep {
        keep(&bench, &tools, &load, &rows)?;
    }
    Ok(())
}

/// The program itself, then rusk, then the others.
fn tools(rusk: PathBuf) -> Vec<Tool> {
    let peers = peers::find();
    let tool = |name, program, words| Tool { name, program, words };
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

/// One row for each tool. A round has every tool once, and each round begins with another one; a
/// first round is not counted. A tool that fails has no samples from then on, but says why.
fn measure(bench: &Bench, tools: &[Tool], case: Case, rounds: usize) -> Vec<Row> {
    let mut rows: Vec<Row> = tools.iter().map(|tool| Row::new(case, tool.name)).collect();
    for round in 0..=rounds {
        for index in 0..tools.len() {
            let index = (index + round) % tools.len();
            if rows[index].failure.is_some() {
                continue;
            }
            match bench.sample(&tools[index], case) {
                Ok(sample) if round > 0 => rows[index].samples.push(sample),
                Ok(_) => {}
                Err(said) => rows[index].failure = Some(said),
            }
        }
    }
    rows
}

impl Bench {
    fn new() -> Result<Bench, String> {
        let top = place::target().join("bench-run");
        let [project, home] = ["project", "home"].map(|name| top.join(name));
        place::empty(&top)?;
        place::empty(&home)?;
        place::empty(&project.join("node_modules/.bin"))?;
        place::write(&project.join("package.json"), &manifest())?;
        c::compile(&place::root().join("bench/stamp.c"), &project.join(STAMP), c::BARE)?;
        Ok(Bench { project, home })
    }

    fn sample(&self, tool: &Tool, case: Case) -> Result<Sample, String> {
        place::remove_file(&self.project.join(NOTE))?;
        let mut command = Command::new(&tool.program);
        match tool.name {
            row::DIRECT => command.arg(NOTE),
            _ => command.args(tool.words).arg(case.script()),
        };
        command.current_dir(&self.project).env_clear().env("HOME", &self.home);
        command.env("DENO_NO_UPDATE_CHECK", "1").env("NPM_CONFIG_UPDATE_NOTIFIER", "false");
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        let began = monotonic();
        // What the harness would say of it names a folder of this machine.
        let ended = process::run(&mut command).map_err(|_| "it cannot be started")?;
        let last = ended.output.lines().last().unwrap_or_default();
        if !ended.status.success() {
            return Err(format!("{}: {last}", ended.status));
        }
        let noted = noted(&self.project.join(NOTE)).ok_or("the script did not run")?;
        // As fine as it is stored, so that a ratio is the same before and after.
        let micros = |time: Duration| Duration::from_micros(time.as_micros() as u64);
        let began = micros(noted.saturating_sub(began));
        Ok(Sample { began, ended: micros(ended.cost.wall), cpu: micros(ended.cost.cpu()) })
    }
}

/// Both scripts do the same; the second one cannot be done without a shell.
fn manifest() -> String {
    let script = |case: Case| {
        let words = format!("./{STAMP} {NOTE}");
        match case {
            Case::Words => (case.script(), words),
            Case::Shell => (case.script(), format!("test -n \"$HOME\" && {words}")),
        }
    };
    let scripts = Case::ALL.iter().map(|&case| script(case));
    let scripts = scripts.map(|(name, text)| (name.to_owned(), Json::text(text))).collect();
    let name = Json::text("app");
    Json::object([("name", name), ("version", Json::text("1.0.0")), ("scripts", Json::Object(scripts))])
        .render()
}

fn monotonic() -> Duration {
    let time = clock_gettime(ClockId::Monotonic);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// What the script's program wrote: two numbers of eight bytes.
fn noted(file: &Path) -> Option<Duration> {
    let bytes = std::fs::read(file).ok()?;
    let number = |at: usize| Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
    Some(Duration::new(number(0)?, u32::try_from(number(8)?).ok()?))
}

/// Writes `bench/results/run.json`.
fn keep(bench: &Bench, tools: &[Tool], load: &str, rows: &[Row]) -> Result<(), String> {
    let others = tools.iter().filter(|tool| tool.name != row::DIRECT);
    let version = |tool: &Tool| process::version(&tool.program).unwrap_or_else(|| "absent".to_owned());
    let versions = others.map(|tool| (tool.name.to_owned(), Json::text(version(tool)))).collect();
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("machine", report::machine(&bench.project)),
        ("versions", Json::Object(versions)),
        ("load_before", Json::text(load)),
        ("rows", Json::List(rows.iter().map(|row| row.json(rows)).collect())),
    ]);
    place::write(&place::root().join("bench/results/run.json"), &json.render())
}
