//! A [`Request`] carried out in the project around the current folder, watched by the screen.

use std::collections::BTreeMap;
use std::path::Path;

use rusk_base::Result;
use rusk_install::request::Edit;
use rusk_install::{Events, Host, Request, Summary};

use crate::screen::Screen;
use crate::{host, problem};

type Install = fn(&Path, &Request, &Host, &mut dyn Events) -> Result<Summary>;

const INSTALL: Install = rusk_install::install;

pub fn run(
    request: Request,
    cwd: Option<&Path>,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<()> {
    let host = host::host(host::current_dir(cwd)?, environment);
    let cache_dir = request.cache_dir.map(|path| host.current_dir.join(path));
    let request = Request { cache_dir, ..request };
    let folder = match (host::find_project(&host.current_dir), &request.edit) {
        (Some(project), _) => project,
        (None, Edit::Add { .. }) => &host.current_dir,
        (None, _) => return Err(problem::no_manifest(&host.current_dir)),
    };
    let summary = INSTALL(folder, &request, &host, screen)?;
    screen.summary(&summary, request.goal)
}
