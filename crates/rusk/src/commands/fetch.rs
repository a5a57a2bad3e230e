//! `rusk fetch`: downloads the packages of the lockfile into the store. Nothing in the project
//! changes; a later install needs no network.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_install::request::{Edit, Goal};
use rusk_install::{InstallRequest, fetch_locked};
use rusk_scripts::Exit;

use super::request;
use crate::flags::{Flag, Invocation};
use crate::screen::Screen;
use crate::screen::json::line;
use crate::{host, problem};
use rusk_reports::text::bytes_text;

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let host = host::host(host::current_dir(invocation.path(Flag::Cwd))?, environment);
    let project = host::find_project(&host.current_dir);
    let project = project.ok_or_else(|| problem::no_package(&host.current_dir))?;
    let request = request::with_edit(invocation, Edit::None);
    let cache_dir = request.cache_dir.map(|path| host.current_dir.join(path));
    let request = InstallRequest { goal: Goal::Frozen, cache_dir, ..request };
    let fetched = fetch_locked(project, &request, &host, screen)?;
    let text = match invocation.is_on(Flag::Json) {
        true => line(&[
            ("packages", fetched.installed.to_string()),
            ("fetched", fetched.fetched.to_string()),
            ("bytes", fetched.fetched_bytes.to_string()),
        ]),
        false => {
            let (tarballs, bytes) = (fetched.fetched, bytes_text(fetched.fetched_bytes));
            let noun = if tarballs == 1 { "tarball" } else { "tarballs" };
            format!("fetched {tarballs} {noun}, {bytes}; the lockfile has {}\n", fetched.installed)
        }
    };
    screen.page(&text).map(|()| Exit::DONE)
}
