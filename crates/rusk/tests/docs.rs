//! Runs the examples of the documentation against the program, with the packages of
//! `fixtures/registry`. `UPDATE=1` rewrites the outputs in the pages; read the change.

use rusk_testkit::docs::{Report, Runner};
use rusk_testkit::registry::Server;
use rusk_testkit::specs::Mode;
use std::path::{Path, PathBuf};

/// Pages with blocks that cannot run in a test, and how many: they need a terminal, root, the
/// network or another system.
const BLOCKS_NOT_RUN: &[(&str, usize)] = &[
    ("docs/bundler/dev-server.md", 1),
    ("docs/bundler/executables.md", 2),
    ("docs/compatibility/guides.md", 3),
    ("docs/getting-started/installation.md", 3),
    ("docs/package-manager/install-scripts.md", 1),
    ("docs/runtime/sqlite.md", 1),
    ("docs/runtime/tls.md", 1),
    ("docs/tools/sysroot.md", 2),
];

/// Directories whose pages have at least two blocks that are run.
const WITH_EXAMPLES: &[&str] = &["docs/package-manager/", "docs/runtime/", "docs/test/"];
const RUNNABLE_BLOCKS_MIN: usize = 2;

#[test]
fn examples_of_the_documentation_print_what_the_pages_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let server = Server::of_directory(&root.join("fixtures/registry"));
    let runner = Runner { program: env!("CARGO_BIN_EXE_rusk").into(), registry_url: server.url().to_owned() };
    let reports = runner.run(&root, &pages(&root), Mode::from_environment()).unwrap();
    let mut wrong: Vec<String> = reports.iter().flat_map(|report| report.failures.clone()).collect();
    wrong.extend(reports.iter().filter_map(blocks_not_run));
    wrong.extend(reports.iter().filter_map(too_few_examples));
    let examples: usize = reports.iter().map(|report| report.examples).sum();
    println!("{examples} examples in {} pages", reports.len());
    assert!(wrong.is_empty(), "{}\nUPDATE=1 rewrites the outputs; read the change.\n", wrong.join("\n"));
}

fn blocks_not_run(report: &Report) -> Option<String> {
    let allowed = BLOCKS_NOT_RUN.iter().find(|(page, _)| *page == report.path).map_or(0, |(_, count)| *count);
    let found = report.blocks_not_run;
    (found != allowed).then(|| format!("{}:1: {found} blocks with `no-run`, expected {allowed}", report.path))
}

fn too_few_examples(report: &Report) -> Option<String> {
    let is_short = WITH_EXAMPLES.iter().any(|directory| report.path.starts_with(directory))
        && report.runnable_blocks < RUNNABLE_BLOCKS_MIN;
    let found = report.runnable_blocks;
    is_short.then(|| format!("{}:1: {found} runnable blocks, expected {RUNNABLE_BLOCKS_MIN}", report.path))
}

/// README.md and every page below `docs`, relative to the repository; `DOCS=name` chooses those
/// whose path has the name in it.
fn pages(root: &Path) -> Vec<String> {
    let mut pages = vec!["README.md".to_owned()];
    let mut directories: Vec<PathBuf> = vec!["docs".into()];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(root.join(&directory)).expect("a page's directory").flatten() {
            let path = directory.join(entry.file_name());
            if entry.path().is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path.display().to_string());
            }
        }
    }
    pages.sort();
    if let Ok(chosen) = std::env::var("DOCS") {
        pages.retain(|page| page.contains(&chosen));
    }
    pages
}
