//! Runner of the examples in Markdown pages. In: pages, the program, a registry's URL. Out: how
//! many examples ran, which blocks are marked `no-run`, and every difference where the printed
//! output differs from the page; with [`Mode::Rewrite`] the pages are rewritten.
//!
//! The blocks below one heading share a temporary project:
//!
//! | block | meaning |
//! |---|---|
//! | `js`, `ts`, `tsx` ... | a program; its first line may be `// name.ts`, which names the file |
//! | `output` | what the program above prints; `output exit=1` if it fails |
//! | `console` | `$ command` lines for `/bin/sh`, each with its output; `# exit code 2` may end one |
//! | `json package.json`, `toml` with `# bunfig.toml` first ... | a file |
//! | anything with `no-run` | shown only |
//!
//! A line `...` of an output matches any lines. A comment `<!-- same project -->` below a
//! heading continues with the project of the section before. Absent: a terminal, the network.

mod example;
mod page;

use crate::specs::Mode;
use page::Page;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The program under test and the registry that its home directory names.
pub struct Runner {
    /// Called `rusk` and `ruskx` in commands.
    pub program: PathBuf,
    /// Shown as `http://registry.test/` in pages.
    pub registry_url: String,
}

/// What running a page showed.
#[derive(Debug, Default)]
pub struct Report {
    /// Relative to the directory that was run.
    pub path: String,
    /// Blocks that were run.
    pub runnable_blocks: usize,
    /// Commands and programs that were run.
    pub examples: usize,
    /// Blocks marked `no-run`.
    pub blocks_not_run: usize,
    /// Each begins with the page and the line.
    pub failures: Vec<String>,
}

/// A replacement of lines of a page: `begin..end`, counted from 0.
struct Edit {
    begin: usize,
    end: usize,
    lines: Vec<String>,
}

/// The result of one scenario.
#[derive(Default)]
struct Outcome {
    examples: usize,
    failures: Vec<String>,
    edits: Vec<Edit>,
}

impl Runner {
    /// Runs every example of the pages, given relative to `root`, as many scenarios at once as
    /// there are processors.
    pub fn run(&self, root: &Path, pages: &[String], mode: Mode) -> Result<Vec<Report>, String> {
        let pages = pages.iter().map(|path| Page::read(root, path)).collect::<Result<Vec<Page>, _>>()?;
        let jobs: Vec<(usize, usize)> = pages
            .iter()
            .enumerate()
            .flat_map(|(page, parsed)| (0..parsed.scenarios.len()).map(move |scenario| (page, scenario)))
            .collect();
        let next = AtomicUsize::new(0);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let outcomes: Vec<(usize, Outcome)> = std::thread::scope(|scope| {
            let work = || {
                let take = || jobs.get(next.fetch_add(1, Ordering::Relaxed));
                let run = |&(page, scenario): &(usize, usize)| {
                    (page, example::run(self, &pages[page].scenarios[scenario]))
                };
                std::iter::from_fn(take).map(run).collect::<Vec<_>>()
            };
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers.into_iter().flat_map(|worker| worker.join().expect("a worker only collects")).collect()
        });
        let mut reports: Vec<Report> = pages.iter().map(Page::report).collect();
        let mut edits: Vec<Vec<Edit>> = pages.iter().map(|_| Vec::new()).collect();
        for (index, outcome) in outcomes {
            let path = &pages[index].path;
            let failures = outcome.failures.into_iter().map(|failure| format!("{path}:{failure}"));
            reports[index].failures.extend(failures);
            reports[index].examples += outcome.examples;
            edits[index].extend(outcome.edits);
        }
        if mode == Mode::Rewrite {
            for (page, edits) in pages.iter().zip(edits) {
                page.rewrite(root, edits)?;
            }
        }
        Ok(reports)
    }
}

#[cfg(test)]
mod tests;
