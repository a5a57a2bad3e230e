//! Recording of a fixture: every tool installs it once with the recorder as fallback of nginx, so
//! that everything any tool requests is stored. In: a fixture. Out: files in `target/recorded`, and
//! a line for each install that failed.

use super::fixture::{self, Fixture};
use super::plan;
use super::recorder::Recorder;
use super::registry::{OnMissing, PORT, Registry};
use super::scenario;
use super::tool::{self, Tool};
use super::work_directory::WorkDirectory;
use crate::{files, peers, process};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Records the fixture if needed, in a separate process: the memory it uses would count toward the
/// peak memory of the programs that this process starts.
pub fn find(fixture: &Fixture) -> Result<(), String> {
    if !fixture.is_recorded() || files::find(&mark(fixture)).is_some_and(|text| text == inputs(fixture)) {
        return Ok(());
    }
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut record = Command::new(own);
    record.args(["bench", "record", &fixture.name]);
    // It prints its progress, and takes longer than an install may.
    match record.status() {
        Ok(status) if status.success() => Ok(()),
        ended => Err(format!("{}: {ended:?}", process::line(&record))),
    }
}

/// `bench record`: records these fixtures again.
pub fn run(names: &[String]) -> Result<(), String> {
    let tools = Tool::all(&peers::release(), &peers::install()?);
    for name in names {
        make(&Fixture::find(name)?, &tools)?;
    }
    Ok(())
}

fn make(fixture: &Fixture, tools: &[Tool]) -> Result<(), String> {
    let _recorder = Recorder::start()?;
    let _registry = Registry::start(PORT, OnMissing::Record)?;
    let update = scenario::find("update").expect("it is one of the nine");
    let work = WorkDirectory::new(Path::new(plan::MEMORY), fixture, None, &[update])?;
    for tool in tools.iter().filter(|tool| !tool::is_variant(tool.name)) {
        print_progress(&fixture.name, tool.name, &work.prepare(tool));
        work.forget(tool)?;
    }
    work.remove()?;
    files::write(&mark(fixture), &inputs(fixture))
}

/// The marker of a complete recording.
fn mark(fixture: &Fixture) -> PathBuf {
    files::target().join("recorded.of").join(&fixture.name)
}

/// Everything that decides what tools request: the manifests, and the tools' versions.
fn inputs(fixture: &Fixture) -> String {
    let directories = std::iter::once(&fixture.project).chain(&fixture.update);
    let manifests = directories.flat_map(|directory| fixture::manifests(directory));
    let texts = manifests.map(|manifest| files::find(&manifest).unwrap_or_default());
    texts.chain([include_str!("../../../peers.json").to_owned()]).collect()
}

#[allow(clippy::print_stderr, reason = "a recording takes minutes, and prints its progress")]
fn print_progress(fixture: &str, tool: &str, done: &Result<(), String>) {
    match done {
        Ok(()) => eprintln!("recorded {fixture} as {tool} wants it"),
        Err(message) => eprintln!("recorded {fixture} as far as {tool} went: {message}"),
    }
}
