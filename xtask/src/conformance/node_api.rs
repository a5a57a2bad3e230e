//! `conformance node-api`: runs Node's own tests of Node-API with rusk, node and bun. In: a
//! checkout of Node's tests, given by its path; none of it is stored. Out:
//! `conformance/node-api.txt`, a verdict for each file, and `conformance/node-api.json`, the
//! counts. The addons are compiled by the machine's compiler, in a copy, with the headers of
//! `crates/node-api`. Those that need libuv take its headers from the distribution. A file that
//! node fails or skips does not count.

mod gyp;

use super::flags::ConformanceFlags;
use super::node::{self, file::TestFile};
use super::summary::ConformanceSummary;
use super::test_runner::{self, Test, TestArea, TestRunner};
use crate::files;
use gyp::GypTarget;
use std::path::{Path, PathBuf};
use std::process::Command;

pub const SUMMARY: &str = "conformance/node-api.json";
const LIST: &str = "node-api.txt";
/// Of those that node passes, in percent.
const TARGET_PERCENT: u32 = 95;
/// Directories of the tests.
const SUITES: &[&str] = &["js-native-api", "node-api"];
/// Where distributions have Node's headers, libuv's among them.
const SYSTEM_HEADERS: &str = "/usr/include/node";

pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = ConformanceFlags::read("node-api", arguments)?;
    let tests = copy(flags.tests()?)?;
    let run = TestRunner::new(flags.jobs);
    let directories = directories(&tests)?;
    let built = run.in_parallel(directories.len(), |index| build(&directories[index]));
    built.into_iter().collect::<Result<Vec<()>, String>>()?;
    let mut all = Vec::new();
    for directory in &directories {
        all.extend(test_files(directory, &tests)?);
    }
    let reasons = node::reasons(&run, &all, LIST, &flags)?;
    let (mut counted, mut skipped): (Vec<&dyn Test>, Vec<_>) = (Vec::new(), Vec::new());
    for (file, reason) in all.iter().zip(reasons) {
        match reason {
            Some(reason) => skipped.push((file.name().to_owned(), reason)),
            None => counted.push(file),
        }
    }
    let mut summary = ConformanceSummary::read(SUMMARY)?;
    summary.note_versions(flags.programs());
    let area =
        TestArea { name: "node-api", file: LIST.to_owned(), target: Some(TARGET_PERCENT), runs_node: false };
    let regressions = run.keep(&area, &counted, skipped, &flags, &mut summary)?;
    run.end()?;
    test_runner::verdict_of(&regressions, &flags)
}

/// A directory like that of the tests, whose suites are copies and whose other entries are links.
fn copy(tests: &Path) -> Result<PathBuf, String> {
    let copy = files::target().join("conformance/node-api/test");
    files::empty(&copy)?;
    let fail = |error: std::io::Error| format!("{}: {error}", tests.display());
    for entry in std::fs::read_dir(tests).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let to = copy.join(entry.file_name());
        match SUITES.iter().any(|suite| entry.file_name() == **suite) {
            true => files::copy(&entry.path(), &to)?,
            false => std::os::unix::fs::symlink(entry.path(), to).map_err(fail)?,
        }
    }
    Ok(copy)
}

/// The directories of the suites, in order.
fn directories(tests: &Path) -> Result<Vec<PathBuf>, String> {
    let mut all = Vec::new();
    for suite in SUITES {
        let suite = tests.join(suite);
        let entries = std::fs::read_dir(&suite).map_err(|error| format!("{}: {error}", suite.display()))?;
        all.extend(entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()));
    }
    all.sort();
    Ok(all)
}

/// Compiles the addons of a directory.
fn build(directory: &Path) -> Result<(), String> {
    let Some(text) = files::find(&directory.join("binding.gyp")) else { return Ok(()) };
    let output = directory.join("build/Release");
    files::empty(&output)?;
    for target in gyp::targets(&text) {
        compile(directory, &output, &target)?;
    }
    Ok(())
}

fn compile(directory: &Path, output: &Path, target: &GypTarget) -> Result<(), String> {
    let sources: Vec<&String> = target.sources.iter().filter(|source| !source.ends_with(".h")).collect();
    let is_cpp = sources.iter().any(|source| source.ends_with(".cc"));
    let mut command = Command::new(if is_cpp { "c++" } else { "cc" });
    command.current_dir(directory).args(["-shared", "-fPIC", "-w", "-pthread", "-I"]);
    command.arg(files::root().join("crates/node-api/include")).args(["-I", SYSTEM_HEADERS]);
    command.arg(format!("-DNODE_GYP_MODULE_NAME={}", target.name)).arg("-DBUILDING_NODE_EXTENSION");
    command.args(target.defines.iter().map(|define| format!("-D{define}"))).args(sources).arg("-o");
    let compiled = command.arg(output.join(format!("{}.node", target.name))).output();
    let compiled = compiled.map_err(|error| format!("{}: {error}", target.name))?;
    match compiled.status.success() {
        true => Ok(()),
        false => Err(format!("{}: {}", target.name, String::from_utf8_lossy(&compiled.stderr))),
    }
}

/// The tests of a directory, in order.
fn test_files(directory: &Path, tests: &Path) -> Result<Vec<TestFile>, String> {
    let entries =
        std::fs::read_dir(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "js"));
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.strip_prefix(tests).unwrap_or(&path).to_string_lossy().into_owned();
        TestFile::read(name, path, false, tests)
    };
    paths.into_iter().map(read).collect()
}
