//! `conformance trace`: compares the counts of `rusk trace` with those of `strace -c -f`. In:
//! programs of every kind; those of `conformance/trace` are built by `cc`. Out:
//! `conformance/trace.json`. Both trace each program several times, in turn. How often threads wait
//! for each other varies, so a call agrees if the two ranges of counts overlap; for a deterministic
//! program that means equality.

mod cases;
mod counts;

use crate::report::{self, Json};
use crate::{files, peers, process};
use cases::TracedProgram;
use counts::{CallCounts, Ranges};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const COLLECTORS: [&str; 2] = ["ptrace", "bpf"];
const FILE: &str = "conformance/trace.json";

/// One collector's result for one program.
struct CallComparison {
    case: String,
    collector: &'static str,
    /// Calls of the whole program in the last run.
    calls: u64,
    /// What differs: a call with both ranges, an exit code; or why the program could not be
    /// compared.
    differing: Vec<String>,
}

#[allow(clippy::print_stdout, reason = "the comparison is the output of the task")]
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (mut rounds, mut rusk, mut keep) = (7, None, true);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match (argument.as_str(), rest.as_slice().first()) {
            ("--no-keep", _) => keep = false,
            ("--rounds", Some(number)) => {
                rounds = number.parse().map_err(|_| "expected a number after `--rounds`")?;
                rest.next();
            }
            ("--rusk", Some(program)) => {
                rusk = Some(PathBuf::from(program));
                rest.next();
            }
            (flag, _) => return Err(format!("expected a flag of `conformance trace`, found `{flag}`")),
        }
    }
    let rusk = rusk.map_or_else(peers::rusk, Ok)?;
    // One of the programs runs as an unprivileged user, who must be able to write here.
    let directory = std::env::temp_dir().join(format!("rusk-conformance-{}", std::process::id()));
    files::empty(&directory)?;
    fs::set_permissions(&directory, Permissions::from_mode(0o777)).map_err(|error| error.to_string())?;
    let mut rows = Vec::new();
    for case in cases::all(&directory)? {
        for collector in COLLECTORS.into_iter().filter(|collector| case.suits(collector)) {
            let row = compare(&rusk, &directory, &case, collector, rounds);
            let verdict = if row.differing.is_empty() { "same".to_owned() } else { row.differing.join("; ") };
            println!("{:<12} {collector:<7} {:>6} calls: {verdict}", row.case, row.calls);
            rows.push(row);
        }
    }
    let stored = if keep { store(&rusk, &directory, &rows, rounds) } else { Ok(()) };
    files::remove(&directory)?;
    stored
}

fn compare(
    rusk: &Path,
    directory: &Path,
    case: &TracedProgram,
    collector: &'static str,
    rounds: usize,
) -> CallComparison {
    let mut row = CallComparison { case: case.name.to_owned(), collector, calls: 0, differing: Vec::new() };
    let (mut ours, mut theirs) = (Ranges::default(), Ranges::default());
    for _ in 0..rounds {
        let both = by_rusk(rusk, directory, case, collector)
            .and_then(|own| by_strace(directory, case).map(|other| (own, other)));
        let ((own, own_end), (other, other_end)) = match both {
            Ok(both) => both,
            Err(message) => {
                row.differing = vec![message];
                return row;
            }
        };
        if own_end != other_end {
            row.differing = vec![format!("ended by {own_end}, under strace by {other_end}")];
        }
        row.calls = own.values().map(|[calls, _]| calls).sum();
        ours.add(&own);
        theirs.add(&other);
    }
    row.differing.extend(ours.differing(&theirs));
    row
}

/// How the traced program ended.
fn watched(mut command: Command, case: &TracedProgram) -> Result<String, String> {
    command.args(&case.arguments).current_dir(files::root());
    Ok(process::run(&mut command)?.status.to_string())
}

fn by_rusk(
    rusk: &Path,
    directory: &Path,
    case: &TracedProgram,
    collector: &str,
) -> Result<(CallCounts, String), String> {
    let output = directory.join("rusk.json");
    let mut command = case.starter(rusk);
    command.args(["trace", "--json", "--collector", collector, "--output"]).arg(&output).arg("--");
    let end = watched(command, case)?;
    let text = files::find(&output).ok_or_else(|| format!("no report: {end}"))?;
    files::remove_file(&output)?;
    Ok((counts::of_rusk(&text)?, end))
}

fn by_strace(directory: &Path, case: &TracedProgram) -> Result<(CallCounts, String), String> {
    let output = directory.join("strace.txt");
    let mut command = case.starter(Path::new("strace"));
    command.args(["-c", "-f", "-q", "-o"]).arg(&output);
    let end = watched(command, case)?;
    let text = files::find(&output).ok_or("strace wrote nothing")?;
    files::remove_file(&output)?;
    Ok((counts::of_strace(&text), end))
}

fn store(rusk: &Path, directory: &Path, rows: &[CallComparison], rounds: usize) -> Result<(), String> {
    let version = |program: &Path| {
        process::version(program).map_or_else(|| "absent".to_owned(), |line| line.replace("-- version ", ""))
    };
    let programs = ["strace", "node", "git", "bash"].map(|name| (name, PathBuf::from(name)));
    let programs = [("rusk", rusk.to_owned())].into_iter().chain(programs);
    let versions = programs.map(|(name, program)| (name.to_owned(), Json::text(version(&program)))).collect();
    let rows = rows.iter().map(|row| {
        Json::line([
            ("case", Json::text(&row.case)),
            ("collector", Json::text(row.collector)),
            ("calls", Json::number(row.calls as f64)),
            ("differing", Json::List(row.differing.iter().map(Json::text).collect())),
        ])
    });
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("machine", report::machine(directory)),
        ("versions", Json::Object(versions)),
        ("rounds", Json::number(rounds as f64)),
        ("rows", Json::List(rows.collect())),
    ]);
    files::write(&files::root().join(FILE), &json.render())
}
