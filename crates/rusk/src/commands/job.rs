//! Runs an install in the project of the current directory. Events go to the screen and,
//! where a timeline is context for, by a recorder.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use rusk_base::Result;
use rusk_base::timeline::phase;
use rusk_configuration::request::Edit;
use rusk_install::{HostEnvironment, InstallEvent, InstallRequest, Reporter, Summary};
use rusk_reports::timeline::{InstallContext, TimelineRecording};

use super::request;
use crate::{host, problem};
use rusk_command_line::flags::{Flag, Invocation, table};
use rusk_screen::Screen;

type Install = fn(&Path, &InstallRequest, &HostEnvironment, &mut dyn Reporter) -> Result<Summary>;

const INSTALL: Install = rusk_install::install;

/// `started`: when the program was.
pub fn run(
    request: InstallRequest,
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    started: Instant,
    screen: &mut Screen,
) -> Result<()> {
    let host = phase("find directory", || {
        Result::Ok(host::host(host::current_dir(invocation.path(Flag::Cwd))?, environment))
    })?;
    let cache_dir = request.cache_dir.map(|path| host.current_dir.join(path));
    let request = InstallRequest { cache_dir, ..request };
    let dir = match (host::find_project(&host.current_dir), &request.edit) {
        (Some(project), _) => project,
        (None, Edit::Add { .. }) => &host.current_dir,
        (None, Edit::None) => return Err(problem::no_manifest(&host.current_dir)),
        (None, _) => return Err(problem::no_package(&host.current_dir)),
    };
    let page = invocation.path(Flag::Timeline).map(|file| host.current_dir.join(file));
    let watch = page.map(|page| TimelineRecording::start(page, started)).transpose()?;
    let outcome = INSTALL(dir, &request, &host, screen);
    if let Some(watch) = watch {
        let command = invocation.command.map_or("install", |command| table::command(command).name);
        let context = InstallContext { command, dir, goal: request.goal };
        match (watch.write(&context, &host, outcome.as_ref()), &outcome) {
            // Why the install went wrong is the more important answer.
            (Err(problem), Err(_)) => screen.on_event(InstallEvent::Warning(problem.message())),
            (Err(problem), Ok(_)) => return Err(problem.note("the install itself is done")),
            (Ok(()), _) => {}
        }
    }
    phase("print", || screen.summary(&outcome?, request.goal, request::approve(invocation)))
}
