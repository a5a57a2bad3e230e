//! `cargo xtask interop verdaccio`: rusk publishes to a real Verdaccio on loopback, as two users.
//! In: the cases of `verdaccio/cases.rs`. Out: a line for each case, and
//! `conformance/verdaccio.json`. Needs the network to install Verdaccio, from the npm registry.

mod cases;
pub mod results;
mod server;
mod terminal;

use crate::{files, peers, process};
use cases::{CASES, Case};
use results::CaseResult;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One run of rusk.
struct Ended {
    code: Option<i32>,
    output: String,
}

struct Runner<'a> {
    rusk: &'a Path,
    /// Contains the homes of the users and their directories.
    work: PathBuf,
    registry: String,
}

/// Runs `[--rusk program]`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let rusk = match arguments {
        [] => peers::rusk()?,
        [flag, program] if flag == "--rusk" => {
            Path::new(program).canonicalize().map_err(|error| format!("{program}: {error}"))?
        }
        _ => return Err("`interop verdaccio` takes `--rusk PROGRAM` only".to_owned()),
    };
    let work = files::target().join("interop-verdaccio");
    let server = server::Server::start(&work)?;
    let runner = Runner { rusk: &rusk, work, registry: server.url.clone() };
    runner.write_projects()?;
    let results: Vec<CaseResult> = CASES.iter().map(|case| runner.result(case)).collect();
    results::write(&results, server::VERDACCIO, &rusk)?;
    match results.iter().filter(|result| result.difference.is_some()).count() {
        0 => Ok(()),
        failed => Err(format!("{failed} cases are not as expected")),
    }
}

impl Runner<'_> {
    fn write_projects(&self) -> Result<(), String> {
        for user in cases::USERS {
            let npmrc = format!("registry={}\n", self.registry);
            files::write(&self.home(user).join(".npmrc"), &npmrc)?;
        }
        for (path, text) in cases::FILES {
            files::write(&self.work.join("files").join(path), text)?;
        }
        Ok(())
    }

    fn home(&self, user: &str) -> PathBuf {
        self.work.join("homes").join(user)
    }

    #[allow(clippy::print_stdout, reason = "the comparison is the output of the task")]
    fn result(&self, case: &Case) -> CaseResult {
        let difference = match self.run(case) {
            Ok(ended) => case.difference(&ended),
            Err(message) => Some(message),
        };
        let command = format!("rusk {}", case.arguments.join(" "));
        println!("{}: {command}: {}", case.name, difference.as_deref().unwrap_or("yes"));
        let difference = difference.map(|text| text.replace(&self.registry, "REGISTRY"));
        CaseResult { name: case.name.to_owned(), user: case.user.to_owned(), command, difference }
    }

    fn run(&self, case: &Case) -> Result<Ended, String> {
        let directory = self.work.join("files").join(case.directory);
        let home = self.home(case.user);
        if !case.keys.is_empty() {
            return terminal::run(self.rusk, case.arguments, &directory, &home, case.keys);
        }
        let mut command = Command::new(self.rusk);
        command.args(case.arguments).current_dir(&directory).env("HOME", &home).env("CI", "1");
        let ended = process::run(&mut command)?;
        Ok(Ended { code: ended.status.code(), output: ended.output })
    }
}

impl Case {
    /// What is not as expected.
    fn difference(&self, ended: &Ended) -> Option<String> {
        if ended.code != Some(self.exit_code) {
            let output = ended.output.trim();
            return Some(format!("exit code {:?}, expected {}: {output}", ended.code, self.exit_code));
        }
        let missing = self.output.iter().find(|text| !ended.output.contains(**text))?;
        Some(format!("`{missing}` was not printed: {}", ended.output.trim()))
    }
}

#[cfg(test)]
mod tests;
