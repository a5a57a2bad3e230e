//! The recording of a fixture: every tool installs it once while the recorder stands behind nginx,
//! so that all that any of them asks for is there afterwards. In: a fixture. Out: files in
//! `target/recorded`, and what could not be installed, said.

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

/// Sees to it that a fixture is recorded. That is work for a process of its own: what it holds in
/// memory would count for the programs that this one starts.
pub fn find(fixture: &Fixture) -> Result<(), String> {
    if !fixture.is_recorded() || files::find(&mark(fixture)).is_some_and(|text| text == inputs(fixture)) {
        return Ok(());
    }
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut record = Command::new(own);
    record.args(["bench", "record", &fixture.name]);
    // It says how far it is, and takes longer than any install may.
    match record.status() {
        Ok(status) if status.success() => Ok(()),
        ended => Err(format!("{}: {ended:?}", process::line(&record))),
    }
}

/// `bench record`: records these fixtures, again if they were.
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

/// What was recorded stands there.
fn mark(fixture: &Fixture) -> PathBuf {
    files::target().join("recorded.of").join(&fixture.name)
}

/// All that decides what tools ask for: the manifests, and the tools' versions.
fn inputs(fixture: &Fixture) -> String {
    let directories = std::iter::once(&fixture.project).chain(&fixture.update);
    let manifests = directories.flat_map(|directory| fixture::manifests(directory));
    let texts = manifests.map(|manifest| files::find(&manifest).unwrap_or_default());
    texts.chain([include_str!("../../../peers.json").to_owned()]).collect()
}

#[allow(clippy::print_stderr, reason = "a recording takes minutes, and says how far it is")]
fn print_progress(fixture: &str, tool: &str, done: &Result<(), String>) {
    match done {
        Ok(()) => eprintln!("recorded {fixture} as {tool} wants it"),
        Err(message) => eprintln!("recorded {fixture} as far as {tool} went: {message}"),
    }
}
