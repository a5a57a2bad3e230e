//! `cargo xtask interop ipc`: exchanges messages between rusk and bun and between rusk and node,
//! each once as the parent and once as the child. In: the two programs of `fixtures/ipc`, which all
//! of them can run. Out: a line for each pair, and `fixtures/ipc/results.json`. Absent: pairs
//! without rusk.

use crate::report::{self, Json};
use crate::{files, peers, process};
use rusk_testkit::bounded_process;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The longest case sends for a second; one that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(60);

/// Valid behavior of either end; rusk must handle it on the other end.
const FAIR: &[&str] = &["values", "many", "large", "parentLeaves", "childLeaves", "parentSleeps"];
const OF_CHILD: &[&str] = &["childDies", "childLies", "childSleeps"];
const OF_PARENT: &[&str] = &["parentDies", "parentLies"];

const FORMS: [&str; 2] = ["json", "advanced"];

/// A runtime, and its name in the results.
struct Peer {
    name: &'static str,
    program: PathBuf,
    /// The APIs by which it starts a child with a channel.
    ways: &'static [&'static str],
}

/// A parent and a child, one of them rusk.
struct PeerPair<'a> {
    parent: &'a Peer,
    child: &'a Peer,
    /// Misbehavior of the end that is not rusk.
    unfair: &'static [&'static str],
}

/// The number of failures of each case, for one pair, API and form.
struct ExchangeResult {
    name: String,
    cases: Vec<(&'static str, usize)>,
}

/// Runs `[--node program] [--rusk program]`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let mut given = [None, None];
    for words in arguments.chunks(2) {
        match words {
            [flag, program] if flag == "--node" => given[0] = Some(PathBuf::from(program)),
            [flag, program] if flag == "--rusk" => given[1] = Some(PathBuf::from(program)),
            words => {
                return Err(format!("expected --node or --rusk and a program, found `{}`", words.join(" ")));
            }
        }
    }
    let [node, rusk] = given;
    let rusk = rusk.map_or_else(peers::rusk, Ok)?;
    let rusk = rusk.canonicalize().map_err(|error| format!("{}: {error}", rusk.display()))?;
    let bun = peers::install()?.join("bun");
    let runtime = |name, program, ways| Peer { name, program, ways };
    let rusk = runtime("rusk", rusk, &["fork", "Bun.spawn"]);
    let bun = runtime("bun", bun, &["fork", "Bun.spawn"]);
    let node = runtime("node", node.unwrap_or_else(|| PathBuf::from("node")), &["fork"]);
    let found = compare(&rusk, [&bun, &node])?;
    files::write(&fixtures().join("results.json"), &rendered(&[&rusk, &bun, &node], &found))?;
    match found.iter().flat_map(|found| &found.cases).filter(|(_, count)| *count > 0).count() {
        0 => Ok(()),
        failed => Err(format!("{failed} cases were not as they should be")),
    }
}

fn compare(rusk: &Peer, others: [&Peer; 2]) -> Result<Vec<ExchangeResult>, String> {
    let mut all = Vec::new();
    for other in others {
        for pair in [
            PeerPair { parent: rusk, child: other, unfair: OF_CHILD },
            PeerPair { parent: other, child: rusk, unfair: OF_PARENT },
        ] {
            for direction in pair.parent.ways {
                for form in FORMS {
                    all.push(pair.compare_form(direction, form)?);
                }
            }
        }
    }
    Ok(all)
}

impl PeerPair<'_> {
    /// Runs every case and prints each as it ends.
    #[allow(clippy::print_stdout, reason = "the comparison is the output of the task")]
    fn compare_form(&self, direction: &str, form: &str) -> Result<ExchangeResult, String> {
        let name = format!("{} > {}, {direction}, {form}", self.parent.name, self.child.name);
        let mut cases = Vec::new();
        for case in FAIR.iter().chain(self.unfair) {
            let lines = self.attempt(direction, form, case)?;
            for line in &lines {
                println!("{name}, {case}: {line}");
            }
            cases.push((*case, lines.len()));
        }
        println!(
            "{name}: {} cases, {} as they should be",
            cases.len(),
            cases.iter().filter(|(_, count)| *count == 0).count()
        );
        Ok(ExchangeResult { name, cases })
    }

    /// Returns the failures of one case.
    fn attempt(&self, direction: &str, form: &str, case: &str) -> Result<Vec<String>, String> {
        let work = files::target().join("interop/ipc");
        files::empty(&work)?;
        let mut command = Command::new(&self.parent.program);
        command.arg(fixtures().join("parent.mjs")).args([direction, form, case]).arg(&self.child.program);
        let ended = bounded_process::run(&mut command, &work, LIMIT)?;
        let mut lines: Vec<String> = ended.stdout.lines().map(str::to_owned).collect();
        if !ended.is_success() {
            lines.push(format!(
                "{}: {}",
                ended.reason(LIMIT),
                ended.stderr.lines().next().unwrap_or_default()
            ));
        }
        Ok(lines)
    }
}

fn fixtures() -> PathBuf {
    files::root().join("fixtures/ipc")
}

fn rendered(runtimes: &[&Peer], found: &[ExchangeResult]) -> String {
    let version = |program: &Path| Json::text(process::version(program).unwrap_or_default());
    let versions = runtimes.iter().map(|runtime| (runtime.name.to_owned(), version(&runtime.program)));
    let pairs = found.iter().map(|found| {
        let cases = found.cases.iter().map(|(case, count)| ((*case).to_owned(), Json::number(*count as f64)));
        (found.name.clone(), Json::Object(cases.collect()))
    });
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("machine", report::machine(&files::target())),
        ("versions", Json::Object(versions.collect())),
        ("differences", Json::Object(pairs.collect())),
    ]);
    json.render()
}
