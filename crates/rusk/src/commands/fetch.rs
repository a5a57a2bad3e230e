//! `rusk fetch`: downloads the packages of the lockfile into the store. Nothing in the project
//! changes; a later install needs no network.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_configuration::request::{Edit, Goal};
use rusk_install::{InstallRequest, fetch_locked};
use rusk_scripts::Exit;

use super::request::{self, ProjectRequest};
use rusk_command_line::flags::{Flag, Invocation};
use rusk_reports::text::bytes_text;
use rusk_screen::Screen;
use rusk_screen::json::line;

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let ProjectRequest { host, dir, request } = request::in_project(invocation, environment, Edit::None)?;
    let request = InstallRequest { goal: Goal::Frozen, ..request };
    let fetched = fetch_locked(&dir, &request, &host, screen)?;
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
