//! Printer: the items of files that run at the same time, shown file by file. In: items of lanes.
//! Out: calls of reporters, and the report of the run. A file that runs alone is shown as it runs;
//! of several each is shown when it has ended, so that none waits for a slower one.

use std::collections::HashSet;

use rusk_base::Result;

use super::{Host, paint};
use crate::options::{ConsoleReporter, TestOptions};
use crate::problem;
use crate::report::{FileReport, RunReport};
use crate::reporter::console::{Console, Detail};
use crate::reporter::github::GitHub;
use crate::reporter::json::Json;
use crate::reporter::junit::JUnit;
use crate::reporter::tap::Tap;
use crate::reporter::{Item, ReportStreams, Reporter};

/// The items of a file that are not shown yet.
#[derive(Default)]
struct Pending {
    path: String,
    items: Vec<Item>,
    /// How many tests and errors have come.
    tests: usize,
    errors: usize,
}

pub struct Printer {
    reporters: Vec<Box<dyn Reporter>>,
    report: RunReport,
    /// By lane, what its file has sent.
    lanes: Vec<Option<Pending>>,
    /// The lane whose file is shown as it runs.
    front: Option<usize>,
    /// Files run in one lane.
    is_sequential: bool,
    /// Files that have not ended.
    left: usize,
    /// Files that ended while another one was shown.
    ended: Vec<(Vec<Item>, Box<FileReport>)>,
    /// Files that have run: a file that runs several times counts once, as in bun.
    paths: HashSet<String>,
    bail: Option<u32>,
    shows_title: bool,
}

impl Printer {
    /// `files`, `lanes`: how many run, and how many at the same time.
    pub fn new(options: &TestOptions, host: &Host<'_>, files: usize, lanes: usize) -> Printer {
        Printer {
            reporters: reporters(options, host),
            report: RunReport::default(),
            lanes: Vec::new(),
            front: None,
            is_sequential: lanes < 2,
            left: files,
            ended: Vec::new(),
            paths: HashSet::new(),
            bail: options.bail,
            shows_title: matches!(options.reporters.console, ConsoleReporter::Lines | ConsoleReporter::Dots)
                && !options.reporters.is_silent,
        }
    }

    pub fn title(&self, title: &str, output: &mut ReportStreams<'_>) -> Result<()> {
        match self.shows_title {
            true => writeln!(output.stderr, "{title}").map_err(problem::output_closed),
            false => Ok(()),
        }
    }

    /// A file begins in a lane.
    pub fn begin(&mut self, lane: usize, path: String) {
        if self.lanes.len() <= lane {
            self.lanes.resize_with(lane + 1, || None);
        }
        self.lanes[lane] = Some(Pending { path, ..Pending::default() });
        if self.is_sequential || self.left < 2 {
            self.front.get_or_insert(lane);
        }
    }

    pub fn item(&mut self, lane: usize, item: Item, output: &mut ReportStreams<'_>) -> Result<()> {
        if self.bails() {
            return Ok(());
        }
        let Some(Some(pending)) = self.lanes.get_mut(lane) else { return Ok(()) };
        match &item {
            Item::Test(result) => {
                self.report.counts.add(result);
                pending.tests += 1;
            }
            Item::Error(_) => {
                self.report.counts.errors += 1;
                pending.errors += 1;
            }
            Item::Output(_) => {}
        }
        if self.front != Some(lane) {
            pending.items.push(item);
            return Ok(());
        }
        for reporter in &mut self.reporters {
            reporter.item(&pending.path, &item, output).map_err(problem::output_closed)?;
        }
        Ok(())
    }

    /// The file of a lane has ended.
    pub fn end(
        &mut self,
        lane: usize,
        mut report: Box<FileReport>,
        output: &mut ReportStreams<'_>,
    ) -> Result<()> {
        let pending = self.lanes.get_mut(lane).and_then(Option::take).unwrap_or_default();
        if self.bails() {
            // What came after the last failure does not count.
            report.tests.truncate(pending.tests);
            report.errors.truncate(pending.errors);
        }
        self.report.counts.add_file(&report.summary);
        if self.paths.insert(report.path.clone()) {
            self.report.counts.files += 1;
        }
        self.left = self.left.saturating_sub(1);
        let items = pending.items;
        match self.front {
            Some(front) if front != lane => {
                self.ended.push((items, report));
                return Ok(());
            }
            _ => self.front = None,
        }
        self.show_items(&report.path, &items, output)?;
        self.show_end(report, output)?;
        for (items, report) in std::mem::take(&mut self.ended) {
            self.show_items(&report.path, &items, output)?;
            self.show_end(report, output)?;
        }
        if self.left > 1 && !self.is_sequential {
            return Ok(());
        }
        // The last one.
        let next =
            self.lanes.iter_mut().enumerate().find_map(|(lane, pending)| Some((lane, pending.as_mut()?)));
        if let Some((lane, pending)) = next {
            self.front = Some(lane);
            let (path, items) = (pending.path.clone(), std::mem::take(&mut pending.items));
            self.show_items(&path, &items, output)?;
        }
        Ok(())
    }

    fn show_items(&mut self, path: &str, items: &[Item], output: &mut ReportStreams<'_>) -> Result<()> {
        for item in items {
            for reporter in &mut self.reporters {
                reporter.item(path, item, output).map_err(problem::output_closed)?;
            }
        }
        Ok(())
    }

    fn show_end(&mut self, report: Box<FileReport>, output: &mut ReportStreams<'_>) -> Result<()> {
        for reporter in &mut self.reporters {
            reporter.file_end(&report, output).map_err(problem::output_closed)?;
        }
        self.report.files.push(*report);
        Ok(())
    }

    /// Whether so many tests have failed that the run ends.
    pub fn bails(&mut self) -> bool {
        let failures = self.report.counts.fail + self.report.counts.errors;
        let bails = self.bail.is_some_and(|limit| failures >= u64::from(limit));
        if bails {
            self.report.bailed_after = self.bail;
        }
        bails
    }

    /// The run was ended: what is left of files that ran is shown. `running`: what the file of each
    /// lane has done so far.
    pub fn stop(
        &mut self,
        running: Vec<(usize, Box<FileReport>)>,
        output: &mut ReportStreams<'_>,
    ) -> Result<()> {
        self.front = None;
        for (items, report) in std::mem::take(&mut self.ended) {
            self.show_items(&report.path, &items, output)?;
            self.show_end(report, output)?;
        }
        for (lane, report) in running {
            self.end(lane, report, output)?;
        }
        Ok(())
    }

    pub fn report_mut(&mut self) -> &mut RunReport {
        &mut self.report
    }

    /// Shows the end of the run.
    pub fn finish(mut self, output: &mut ReportStreams<'_>) -> Result<RunReport> {
        for reporter in &mut self.reporters {
            reporter.run_end(&self.report, output)?;
        }
        output.stderr.flush().map_err(problem::output_closed)?;
        Ok(self.report)
    }
}

/// Reporters that show items; each also shows the end of the run.
fn reporters(options: &TestOptions, host: &Host<'_>) -> Vec<Box<dyn Reporter>> {
    let wanted = &options.reporters;
    let console = |detail| -> Box<dyn Reporter> {
        Box::new(Console::new(paint(host), detail, options.root.clone(), options.current_dir.clone()))
    };
    let mut reporters: Vec<Box<dyn Reporter>> = vec![match wanted.console {
        ConsoleReporter::Lines | ConsoleReporter::Dots if wanted.is_silent => console(Detail::Silent),
        ConsoleReporter::Lines if wanted.only_failures => console(Detail::FailuresOnly),
        ConsoleReporter::Lines => console(Detail::EachTest),
        ConsoleReporter::Dots => console(Detail::Dots),
        ConsoleReporter::Tap => Box::new(Tap::default()),
        ConsoleReporter::Json => Box::new(Json),
    }];
    if wanted.github {
        reporters.push(Box::new(GitHub::new(options.current_dir.clone())));
    }
    if let Some(path) = &wanted.junit {
        reporters.push(Box::new(JUnit::new(path.clone(), host.properties.clone(), options)));
    }
    reporters
}
