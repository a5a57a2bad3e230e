//! `rusk dedupe`: fewer versions of a package, where the ranges allow it. Versions that are in the
//! lockfile already are kept; nothing is updated.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_configuration::request::{Edit, Goal};
use rusk_install::summary::LockfileOutcome;
use rusk_install::{InstallRequest, install};
use rusk_scripts::Exit;

use super::request::{self, ProjectRequest};
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;

/// Exit code of `--check` where the lockfile has duplicates.
const DUPLICATES_FOUND: u8 = 1;

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let ProjectRequest { host, dir, request } =
        request::in_project(invocation, environment, Edit::Deduplicate)?;
    // `--dry-run` is a goal of every request; `--check` also has an exit code.
    let goal = if invocation.is_on(Flag::Check) { Goal::DryRun } else { request.goal };
    let summary = install(&dir, &InstallRequest { goal, ..request }, &host, screen)?;
    let finds_any = summary.lockfile == LockfileOutcome::Withheld;
    screen.summary(&summary, goal, request::approve(invocation))?;
    Ok(match invocation.is_on(Flag::Check) && finds_any {
        true => Exit::Code(DUPLICATES_FOUND),
        false => Exit::DONE,
    })
}
