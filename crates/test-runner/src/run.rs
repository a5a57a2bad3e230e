//! One run of tests: files are found, ordered and handed to worker processes; what these send is
//! reported in order. In: [`TestOptions`] and a [`Host`]. Out: an [`Outcome`]. Each file has a
//! global object of its own, so a file can neither change nor end another one.

mod lane;
mod printer;
mod scheduler;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusk_base::{Result, files};

use crate::affected::ImportGraph;
use crate::coverage::{CoverageCounts, CoverageOptions, CoverageReporter, CoverageSums, html, lcov, table};
use crate::discovery::{self, Search};
use crate::obsolete_snapshots::ObsoleteSnapshots;
use crate::options::TestOptions;
use crate::pool::WorkerProgram;
use crate::problem;
use crate::report::RunReport;
use crate::reporter::ReportStreams;
use crate::reporter::paint::Paint;
use crate::timings::Timings;
use crate::{schedule, settings};
use printer::Printer;
use scheduler::Scheduler;

/// What a run needs of the process that it is in.
pub struct Host<'a> {
    pub worker: WorkerProgram,
    pub stdout: &'a mut dyn Write,
    pub stderr: &'a mut dyn Write,
    pub has_colors: bool,
    /// Processors that this process may use.
    pub processors: usize,
    /// Directory for what runs remember; `None`: they remember nothing.
    pub cache_dir: Option<PathBuf>,
    /// Called with each file that the tests consist of; `None`: nothing watches them.
    pub on_file: Option<&'a dyn Fn(&str)>,
    /// Called when the first worker was started: in watch mode, waits for a change.
    pub wait: Option<&'a dyn Fn()>,
    /// Name and value, for JUnit.
    pub properties: Vec<(String, String)>,
    /// The first line of the report.
    pub title: String,
}

/// How a run ended.
#[derive(Debug)]
pub enum Outcome {
    Done(Box<RunReport>),
    /// No test file was found, or none has a test that matches; the message for the user.
    Nothing(NothingFound),
}

/// Why nothing ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NothingFound {
    NoFiles,
    /// Of this number of files none matches the filters.
    NoMatch(usize),
    /// None of this number of files depends on a change.
    Unaffected(usize),
    /// The name pattern matches no test of this number of files.
    NoTestNamed(usize),
}

/// A file that is to run.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// Absolute.
    pub path: PathBuf,
    /// Relative to the current directory.
    pub shown: String,
}

pub fn run(options: &TestOptions, host: &mut Host<'_>) -> Result<Outcome> {
    let mut scheduler = Scheduler::start(options, host)?;
    if let Some(wait) = host.wait {
        wait();
    }
    let started = Instant::now();
    let found = discovery::find(&Search {
        root: options.root.clone(),
        current_dir: options.current_dir.clone(),
        filters: options.filters.clone(),
        ignored: options.path_ignore_patterns.clone(),
    });
    if found.files.is_empty() {
        let nothing = match found.searched {
            0 => NothingFound::NoFiles,
            searched => NothingFound::NoMatch(searched),
        };
        return Ok(Outcome::Nothing(nothing));
    }
    let files = affected(options, host, found.files);
    if files.is_empty() {
        return Ok(Outcome::Nothing(NothingFound::Unaffected(found.searched)));
    }
    let remembered = host.cache_dir.as_ref().map(|cache| cache.join(remembered_name(&options.root)));
    let PlannedRun { jobs, expected, has_run_before } = plan(options, files, remembered.as_deref())?;
    let concurrent = concurrent_jobs(options, &jobs);
    if let Some(expected) = expected {
        scheduler.expect(expected);
    }
    let mut printer = Printer::new(options, host, jobs.len(), scheduler.lanes());
    printer.title(&host.title, &mut ReportStreams { stdout: host.stdout, stderr: host.stderr })?;
    if has_run_before {
        scheduler.cache_bytecode(&options.root);
    }
    scheduler.run(jobs, &settings::render(options, host.has_colors, &concurrent), &mut printer, host)?;
    let report = printer.report_mut();
    report.duration = started.elapsed();
    report.seed = options.seed;
    remember(options, report, remembered.as_deref())?;
    let is_whole = report.bailed_after.is_none() && report.interrupted_by.is_none();
    if runs_all(options) && is_whole {
        report.obsolete_snapshots =
            ObsoleteSnapshots::of(&found.snapshots, &options.current_dir, options.updates_snapshots);
    }
    if let Some(coverage) = &options.coverage {
        report.uncovered = report_coverage(coverage, &options.root, report, host)?;
    }
    if options.name_pattern.is_some() && report.counts.total() == 0 && report.has_passed() {
        return Ok(Outcome::Nothing(NothingFound::NoTestNamed(report.files.len())));
    }
    let report = printer.finish(&mut ReportStreams { stdout: host.stdout, stderr: host.stderr })?;
    scheduler.finish();
    Ok(Outcome::Done(Box::new(report)))
}

/// Whether all test files of the root run, whole.
fn runs_all(options: &TestOptions) -> bool {
    options.filters.is_empty()
        && options.name_pattern.is_none()
        && options.changes.is_none()
        && options.shard.is_none()
}

/// The files that depend on a change, if only those are to run. In watch mode, all that they import
/// is reported.
fn affected(options: &TestOptions, host: &Host<'_>, files: Vec<PathBuf>) -> Vec<PathBuf> {
    if options.changes.is_none() && host.on_file.is_none() {
        return files;
    }
    let preloads = options.preloads.iter().map(|name| options.current_dir.join(name));
    let preloads: Vec<PathBuf> = preloads.filter(|path| path.is_file()).collect();
    let graph = ImportGraph::of(&[&files[..], &preloads[..]].concat());
    if let Some(on_file) = host.on_file {
        graph.files().filter_map(Path::to_str).for_each(on_file);
    }
    let Some(changes) = &options.changes else { return files };
    let affected = graph.affected(changes);
    if preloads.iter().any(|preload| affected.contains(preload)) {
        return files;
    }
    files.into_iter().filter(|file| affected.contains(file)).collect()
}

/// What is to run, in the order in which it starts.
struct PlannedRun {
    jobs: Vec<Job>,
    /// How long all files together took the last time; `None`: that is not known.
    expected: Option<Duration>,
    /// Tests of this project have run here: they will run again, so that bytecode is worth writing.
    /// On a machine of a CI system they often run once.
    has_run_before: bool,
}

/// The files of this shard.
fn plan(options: &TestOptions, files: Vec<PathBuf>, remembered: Option<&Path>) -> Result<PlannedRun> {
    let shown =
        |path: &PathBuf| path.strip_prefix(&options.current_dir).unwrap_or(path).display().to_string();
    let given = Timings::read(&options.timings)?;
    let mut names: Vec<String> = files.iter().map(shown).collect();
    if let Some(shard) = options.shard {
        names = schedule::shard(names, shard, &given);
    }
    // A file that another program wrote there is not worth a failure.
    let last = remembered.and_then(|path| Timings::read(&[path]).ok()).unwrap_or_default();
    let has_run_before = !last.times.is_empty();
    let timings = if given.times.is_empty() { last } else { given };
    match options.seed {
        Some(seed) => schedule::shuffle(&mut names, seed),
        None if !timings.times.is_empty() => schedule::longest_first(&mut names, &timings),
        None => {}
    }
    let job = |shown: &String| Job { path: options.current_dir.join(shown), shown: shown.clone() };
    let jobs: Vec<Job> = names.iter().map(job).collect();
    let total: Option<u64> = names.iter().map(|name| timings.times.get(name)).sum();
    let runs = options.rerun_each.max(1);
    Ok(PlannedRun {
        jobs: (0..runs).flat_map(|_| jobs.iter().cloned()).collect(),
        expected: total.map(|total| Duration::from_millis(total) * runs),
        has_run_before,
    })
}

fn concurrent_jobs(options: &TestOptions, jobs: &[Job]) -> Vec<usize> {
    let is_concurrent =
        |job: &Job| options.concurrent_test_glob.iter().any(|glob| discovery::matches_path(glob, &job.shown));
    jobs.iter().enumerate().filter(|(_, job)| is_concurrent(job)).map(|(index, _)| index).collect()
}

/// Shows and writes coverage. Out: what is below its threshold.
fn report_coverage(
    options: &CoverageOptions,
    root: &Path,
    report: &RunReport,
    host: &mut Host<'_>,
) -> Result<Vec<(&'static str, f64, f64)>> {
    let mut counts = CoverageCounts::default();
    report.files.iter().for_each(|file| counts.add(&file.summary.coverage));
    let files = counts.files(root, options);
    for reporter in &options.reporters {
        let (name, text) = match reporter {
            CoverageReporter::Text => {
                let table = table::render(&files, options.threshold, paint(host));
                host.stderr.write_all(table.as_bytes()).map_err(problem::output_closed)?;
                continue;
            }
            CoverageReporter::Lcov => (lcov::FILE_NAME, lcov::render(&files)),
            CoverageReporter::Html => (html::FILE_NAME, html::render(&files)),
        };
        let path = options.dir.join(name);
        crate::reporter::write_file(&path, &text)
            .map_err(|error| problem::report_not_written(&path, error))?;
    }
    Ok(CoverageSums::all(&files).below(options.threshold))
}

/// Writes timings: to the first file that flags name, and for the next run of this project.
fn remember(options: &TestOptions, report: &RunReport, remembered: Option<&Path>) -> Result<()> {
    let milliseconds = |duration: Duration| duration.as_micros().div_ceil(1000) as u64;
    let whole = report.files.iter().filter(|file| !file.is_unfinished);
    let ran = whole.map(|file| (file.path.clone(), milliseconds(file.duration)));
    if let (true, Some(path)) = (options.updates_timings, options.timings.first()) {
        // Each shard writes only its own files, so that the shards' outputs are disjoint.
        let mut timings = match options.shard {
            Some(_) => Timings::default(),
            None => Timings::read(&options.timings)?,
        };
        timings.times.extend(ran.clone());
        crate::reporter::write_file(path, &timings.render())
            .map_err(|error| problem::report_not_written(path, error))?;
    }
    if let Some(path) = remembered {
        let mut timings = Timings::read(&[path]).unwrap_or_default();
        timings.times.extend(ran);
        for file in &report.files {
            match file.summary.has_changed_global {
                Some(true) => _ = timings.changed.insert(file.path.clone()),
                Some(false) => _ = timings.changed.remove(&file.path),
                None => {}
            }
        }
        timings.changed.extend(report.changed.iter().cloned());
        // The next run only starts in another order without it.
        let _ = path.parent().map(std::fs::create_dir_all);
        let _ = files::write_atomically(path, timings.render().as_bytes());
    }
    Ok(())
}

/// One name for each project.
fn remembered_name(root: &Path) -> String {
    let hash = root.as_os_str().as_encoded_bytes().iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    });
    format!("{hash:016x}.json")
}

pub(crate) fn paint(host: &Host<'_>) -> Paint {
    Paint { has_colors: host.has_colors }
}
