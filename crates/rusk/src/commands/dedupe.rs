//! `rusk dedupe`: fewer versions of a package, where the ranges allow it. Versions that are in the
//! lockfile already are kept; nothing is updated.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_install::request::{Edit, Goal};
use rusk_install::summary::LockfileOutcome;
use rusk_install::{InstallRequest, install};
use rusk_scripts::Exit;

use super::request;
use crate::flags::{Flag, Invocation};
use crate::screen::Screen;
use crate::{host, problem};

/// Exit code of `--check` where the lockfile has duplicates.
const DUPLICATES_FOUND: u8 = 1;

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let host = host::host(host::current_dir(invocation.path(Flag::Cwd))?, environment);
    let project = host::find_project(&host.current_dir);
    let project = project.ok_or_else(|| problem::no_package(&host.current_dir))?;
    let request = request::with_edit(invocation, Edit::Deduplicate);
    let cache_dir = request.cache_dir.map(|path| host.current_dir.join(path));
    let goal = if invocation.is_on(Flag::Check) { Goal::DryRun } else { request.goal };
    let summary = install(project, &InstallRequest { goal, cache_dir, ..request }, &host, screen)?;
    let finds_any = summary.lockfile == LockfileOutcome::Withheld;
    screen.summary(&summary, goal)?;
    Ok(match invocation.is_on(Flag::Check) && finds_any {
        true => Exit::Code(DUPLICATES_FOUND),
        false => Exit::DONE,
    })
}
