//! `conformance node`: Node's own tests, run by rusk, and beside it by node and bun. In: a checkout of the tests, given by its path; nothing
//! of it is kept. Out: `conformance/node/AREA.txt`, a verdict for each file, and `conformance/node.json`, the counts. What passed
//! once and fails now is an error. A file that node itself fails or skips here judges nobody.

mod area;
mod file;
pub mod summary;

use super::list::{List, Verdict};
use crate::{peers, place};
use area::Area;
use file::{Outcome, Program, TestFile};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use summary::{Row, Summary};

/// What was lost is tried so often again, alone, before it counts.
const SECOND_CHANCES: usize = 2;

struct Flags {
    tests: PathBuf,
    rusk: PathBuf,
    node: Option<PathBuf>,
    bun: Option<PathBuf>,
    jobs: usize,
    accept: bool,
    areas: Vec<String>,
}

/// A program with the tests before it.
struct Judge<'f> {
    tests: &'f Path,
    jobs: usize,
    work: PathBuf,
}

#[allow(clippy::print_stdout, reason = "the verdicts are what was asked for")]
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = Flags::read(arguments)?;
    let areas = area::chosen(&flags.areas)?;
    let work = std::env::temp_dir().join(format!("rusk-conformance-{}", std::process::id()));
    let judge = Judge { tests: &flags.tests, jobs: flags.jobs, work };
    let mut summary = Summary::read()?;
    summary.note_versions([
        ("rusk", Some(&flags.rusk)),
        ("node", flags.node.as_ref()),
        ("bun", flags.bun.as_ref()),
    ]);
    let mut lost = Vec::new();
    for area in areas {
        let file = place::root().join("conformance/node").join(format!("{}.txt", area.name));
        let before = List::read(&file)?;
        let (list, bun) = judge.area(area, &before, &flags)?;
        let counts = list.counts();
        println!("{:<20} {:>4} of {:>4}", area.name, counts.passed, counts.counted());
        let gone = list.lost(&before);
        lost.extend(gone.iter().map(|name| lost_line(&list, name)));
        if gone.is_empty() || flags.accept {
            place::write(&file, &list.render())?;
            summary.put(Row::new(area.name, area.target, counts, bun));
            summary.write()?;
        }
    }
    place::remove(&judge.work)?;
    match lost.len() {
        0 => Ok(()),
        _ if flags.accept => Ok(()),
        count => {
            Err(format!("{count} passed before (--accept takes that for granted):\n  {}", lost.join("\n  ")))
        }
    }
}

fn lost_line(list: &List, name: &str) -> String {
    match list.0.get(name) {
        Some(Verdict::Fail(reason)) => format!("{name}: {reason}"),
        _ => format!("{name}: it is no longer there"),
    }
}

impl Flags {
    fn read(arguments: &[String]) -> Result<Flags, String> {
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        let (mut tests, mut rusk, mut node, mut bun) = (None, None, None, None);
        let (mut jobs, mut accept, mut areas) = (jobs, false, Vec::new());
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().ok_or_else(|| format!("expected a value after `{argument}`"));
            // Programs and tests are found from other folders.
            let path =
                |text: &String| Path::new(text).canonicalize().map_err(|error| format!("{text}: {error}"));
            match argument.as_str() {
                "--tests" => tests = Some(path(value()?)?),
                "--rusk" => rusk = Some(path(value()?)?),
                "--node" => node = Some(path(value()?)?),
                "--bun" => bun = Some(path(value()?)?),
                "--jobs" => jobs = value()?.parse().map_err(|_| "expected a number after `--jobs`")?,
                "--accept" => accept = true,
                flag if flag.starts_with('-') => {
                    return Err(format!("expected a flag of `conformance node`, found `{flag}`"));
                }
                area => areas.push(area.to_owned()),
            }
        }
        let tests = tests.ok_or("expected `--tests` with the folder `test` of a checkout of Node")?;
        let rusk = rusk.map_or_else(peers::rusk, Ok)?;
        Ok(Flags { tests, rusk, node, bun, jobs: jobs.max(1), accept, areas })
    }
}

impl Judge<'_> {
    /// The list of an area, and how many of the files that count bun passes, where it was asked.
    fn area(&self, area: &Area, before: &List, flags: &Flags) -> Result<(List, Option<usize>), String> {
        let files = area.files(self.tests)?;
        let skipped = self.skipped(&files, before, flags.node.as_deref())?;
        let counted: Vec<&TestFile> = files
            .iter()
            .zip(&skipped)
            .filter(|(_, skipped)| skipped.is_none())
            .map(|(file, _)| file)
            .collect();
        let rusk = Program { path: &flags.rusk, globals: "Bun" };
        let mut list = List::default();
        for (file, outcome) in counted.iter().zip(self.all(rusk, &counted)) {
            list.0.insert(file.name.clone(), verdict(file, outcome));
        }
        for (file, skipped) in files.iter().zip(skipped) {
            list.0.extend(skipped.map(|why| (file.name.clone(), Verdict::Skip(why))));
        }
        self.try_again(&mut list, before, &counted, rusk);
        list.keep_reasons(before);
        let bun = flags.bun.as_deref().map(|path| {
            let bun = Program { path, globals: "0" };
            self.all(bun, &counted).into_iter().filter(|outcome| *outcome == Outcome::Passed).count()
        });
        Ok((list, bun))
    }

    /// Why a file judges nobody: what node made of it, now or when it was last asked.
    fn skipped(
        &self,
        files: &[TestFile],
        before: &List,
        node: Option<&Path>,
    ) -> Result<Vec<Option<String>>, String> {
        let Some(node) = node else {
            let known = |file: &TestFile| match before.0.get(&file.name) {
                Some(Verdict::Skip(why)) => Ok(Some(why.clone())),
                Some(_) => Ok(None),
                None => Err(format!("expected `--node`: nobody knows what it makes of {}", file.name)),
            };
            return files.iter().map(known).collect();
        };
        let all: Vec<&TestFile> = files.iter().collect();
        let node = Program { path: node, globals: "" };
        Ok(self
            .all(node, &all)
            .into_iter()
            .map(|outcome| match outcome {
                Outcome::Passed => None,
                Outcome::Skipped(why) => Some(format!("node skips it: {why}")),
                Outcome::Failed(why) => Some(format!("node fails it here: {why}")),
            })
            .collect())
    }

    /// A busy machine makes slow tests fail.
    fn try_again(&self, list: &mut List, before: &List, files: &[&TestFile], rusk: Program<'_>) {
        for name in list.lost(before) {
            let Some(file) = files.iter().find(|file| file.name == name) else { continue };
            let passes = |_| self.one(rusk, file, 0) == Outcome::Passed;
            if (0..SECOND_CHANCES).any(passes) {
                list.0.insert(name, Verdict::Pass);
            }
        }
    }

    /// The outcome of each file; those that disturb others come last, one by one.
    fn all(&self, program: Program<'_>, files: &[&TestFile]) -> Vec<Outcome> {
        let outcomes: Vec<Mutex<Option<Outcome>>> = files.iter().map(|_| Mutex::new(None)).collect();
        let put = |index: usize| {
            let outcome = self.one(program, files[index], index);
            *outcomes[index].lock().expect("nobody panics with it") = Some(outcome);
        };
        let (together, alone): (Vec<usize>, Vec<usize>) =
            (0..files.len()).partition(|&index| !files[index].serial);
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(|| {
                    while let Some(&index) = together.get(next.fetch_add(1, Ordering::Relaxed)) {
                        put(index);
                    }
                });
            }
        });
        alone.into_iter().for_each(put);
        let outcome = |cell: Mutex<Option<Outcome>>| cell.into_inner().expect("nobody panicked with it");
        outcomes.into_iter().map(|cell| outcome(cell).expect("every file was run")).collect()
    }

    fn one(&self, program: Program<'_>, file: &TestFile, index: usize) -> Outcome {
        file.judge(program, self.tests, &self.work.join(index.to_string()))
    }
}

fn verdict(file: &TestFile, outcome: Outcome) -> Verdict {
    match outcome {
        Outcome::Passed => Verdict::Pass,
        Outcome::Failed(_) if file.needs_internals() => {
            Verdict::Fail("asks for Node's own internals".to_owned())
        }
        Outcome::Failed(why) => Verdict::unseen(&why),
        Outcome::Skipped(why) => Verdict::unseen(&format!("skips itself: {why}")),
    }
}
