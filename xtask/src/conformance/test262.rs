//! `conformance test262`: runs the tests of ECMAScript modules and of `import()` with rusk, node
//! and bun. In: a checkout of test262, given by its path; none of it is stored. Out:
//! `conformance/test262.txt` and `conformance/test262.json`. Scripts run as CommonJS modules, in
//! sloppy and in strict mode. Tests of proposals that are in no release of the language are
//! skipped.

mod front_matter;

use super::flags::ConformanceFlags;
use super::summary::ConformanceSummary;
use super::test_runner::{self, Test, TestOutcome, TestRunner, TestedRuntime};
use crate::files;
use front_matter::FrontMatter;
use rusk_testkit::bounded_process;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub const SUMMARY: &str = "conformance/test262.json";
const FOLDERS: &[&str] = &["module-code", "expressions/dynamic-import", "expressions/import.meta"];
/// Features that are not in the language yet.
const PROPOSALS: &[&str] = &[
    "source-phase-imports",
    "source-phase-imports-module-source",
    "import-defer",
    "import-text",
    "import-bytes",
];
const LIMIT: Duration = Duration::from_secs(30);

/// A copy of the tests in which scripts and modules can be in one directory.
struct Harness {
    /// Of `test/language`.
    tests: PathBuf,
    harness: PathBuf,
    driver: PathBuf,
}

struct Test262Case<'g> {
    name: String,
    matter: FrontMatter,
    ground: &'g Harness,
}

pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = ConformanceFlags::read("test262", arguments)?;
    if let Some(word) = flags.areas.first() {
        return Err(format!("expected a flag of `conformance test262`, found `{word}`"));
    }
    let ground = Harness::prepare(flags.tests()?)?;
    let cases = ground.cases()?;
    let proposal = |case: &Test262Case<'_>| {
        let found = case.matter.features.iter().find(|feature| PROPOSALS.contains(&feature.as_str()));
        found.map(|feature| format!("a proposal: {feature}"))
    };
    let (mut tests, mut skipped): (Vec<&dyn Test>, Vec<_>) = (Vec::new(), Vec::new());
    for case in &cases {
        match proposal(case) {
            Some(reason) => skipped.push((case.name.clone(), reason)),
            None => tests.push(case),
        }
    }
    let run = TestRunner::new(flags.jobs);
    let mut summary = ConformanceSummary::read(SUMMARY)?;
    summary.note_versions(flags.programs());
    let area = test_runner::TestArea {
        name: "modules",
        file: "test262.txt".to_owned(),
        target: Some(95),
        runs_node: true,
    };
    let regressions = run.keep(&area, &tests, skipped, &flags, &mut summary)?;
    run.end()?;
    test_runner::verdict_of(&regressions, &flags)
}

impl Harness {
    /// In a directory whose files are modules, each script gets a copy that is not a module, and
    /// one in strict mode.
    fn prepare(checkout: &Path) -> Result<Harness, String> {
        let top = files::target().join("test262");
        files::empty(&top)?;
        let tests = top.join("language");
        for directory in FOLDERS {
            files::copy(&checkout.join("test/language").join(directory), &tests.join(directory))?;
        }
        files::write(&tests.join("package.json"), "{ \"type\": \"module\" }\n")?;
        let driver = top.join("driver.cjs");
        files::write(&driver, include_str!("test262.cjs"))?;
        Ok(Harness { tests, harness: checkout.join("harness"), driver })
    }

    /// All tests, by name.
    fn cases(&self) -> Result<Vec<Test262Case<'_>>, String> {
        let mut files = Vec::new();
        collect(&self.tests, &mut files)?;
        files.sort();
        let mut cases = Vec::new();
        for file in files {
            let text = files::find(&file).ok_or_else(|| format!("{}: no text", file.display()))?;
            let matter =
                FrontMatter::read(&text).map_err(|message| format!("{}: {message}", file.display()))?;
            if !matter.is_module {
                files::write(&file.with_extension("cjs"), &text)?;
                files::write(&file.with_extension("strict.cjs"), &format!("\"use strict\";{text}"))?;
            }
            let name =
                file.strip_prefix(&self.tests).expect("it was found there").to_string_lossy().into_owned();
            cases.push(Test262Case { name, matter, ground: self });
        }
        Ok(cases)
    }
}

/// Files that are tests themselves.
fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    for entry in
        std::fs::read_dir(directory).map_err(|error| format!("{}: {error}", directory.display()))?.flatten()
    {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() {
            collect(&path, files)?;
        } else if name.ends_with(".js") && !name.contains("_FIXTURE") {
            files.push(path);
        }
    }
    Ok(())
}

impl Test262Case<'_> {
    /// The files to load, and how.
    fn goals(&self) -> Vec<(&'static str, PathBuf)> {
        let file = self.ground.tests.join(&self.name);
        if self.matter.is_module {
            return vec![("module", file)];
        }
        let ends = [(self.matter.is_sloppy, "cjs"), (self.matter.is_strict, "strict.cjs")];
        ends.iter()
            .filter(|(is_wanted, _)| *is_wanted)
            .map(|(_, end)| ("script", file.with_extension(end)))
            .collect()
    }

    fn command(&self, program: TestedRuntime<'_>, goal: &str, file: &Path) -> Command {
        let mut command = Command::new(program.path);
        let negative = self.matter.negative.as_deref().unwrap_or("-");
        let ending = if self.matter.is_async { "async" } else { "sync" };
        command.arg(&self.ground.driver).args([goal, negative, ending]).arg(file);
        if !self.matter.is_raw {
            let done = self.matter.is_async.then_some("doneprintHandle.js");
            let always = ["assert.js", "sta.js"].into_iter().chain(done);
            let names = always.chain(self.matter.includes.iter().map(String::as_str));
            command.args(names.map(|name| self.ground.harness.join(name)));
        }
        command
    }
}

impl Test for Test262Case<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, program: TestedRuntime<'_>, directory: &Path) -> TestOutcome {
        for (goal, file) in self.goals() {
            let ended = files::empty(directory).and_then(|()| {
                bounded_process::run(&mut self.command(program, goal, &file), directory, LIMIT)
            });
            let _ = files::remove(directory);
            match ended {
                Ok(ended) if ended.is_success() => {}
                Ok(ended) => {
                    let tests = self.ground.tests.to_string_lossy();
                    let reason = ended.map_output(|message| message.replace(&*tests, "TEST")).reason(LIMIT);
                    return TestOutcome::Failed(reason.trim_start_matches("Error: ").to_owned());
                }
                Err(message) => return TestOutcome::Failed(message),
            }
        }
        TestOutcome::Passed
    }
}
