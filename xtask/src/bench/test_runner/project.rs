//! Suites of public projects. In: tools that answer `vitest`, a directory, mirrors of repositories.
//! Out: a run for each tool. Needs the network once.

use super::{Run, TestTool, command};
use crate::interop::repositories::checkout::Mirrors;
use crate::interop::repositories::list::Repository;
use crate::peers;
use rusk_testkit::test_projects::{PACKAGES, Project};
use rusk_testkit::test_suites::Dialect;
use std::path::Path;

/// A run for each tool that can run the suite as it is.
pub fn runs(
    project: &Project,
    tools: &[TestTool],
    top: &Path,
    mirrors: &Mirrors,
) -> Result<Vec<Run>, String> {
    let top = top.join("projects");
    let vitest = peers::install_into(&top, "{}", &PACKAGES, "vitest")?.join("vitest");
    let directory = top.join(project.name);
    if !directory.exists() {
        check_out(project, &top, &directory, mirrors)?;
    }
    let directory = directory.join(project.directory);
    let tests = project.tests(&directory.join("src"))?;
    let runs = tools.iter().filter_map(|tool| {
        let mut arguments = tool.arguments.to_vec();
        let program = match tool.dialect {
            // bun does not find files that are called `test.ts`.
            Dialect::Bun => {
                arguments.extend(tests.iter().map(String::as_str));
                &tool.program
            }
            // The others have no DOM, and no test needs it.
            Dialect::Vitest => {
                arguments.push("--environment=node");
                &vitest
            }
            Dialect::Node | Dialect::Jest => return None,
        };
        let mut command = command(program, &directory, &arguments);
        command.env("TZ", "Etc/UTC");
        Some(Run { case: project.case, tool: tool.name, command, may_fail: true })
    });
    Ok(runs.collect())
}

fn check_out(project: &Project, top: &Path, directory: &Path, mirrors: &Mirrors) -> Result<(), String> {
    let [name, repository, commit] = [project.name, project.repository, project.commit].map(str::to_owned);
    let repository = Repository { name, repository, commit, tool: String::new() };
    mirrors.find(&repository, top)?.checkout(directory)
}
