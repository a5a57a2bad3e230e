//! `rusk update --interactive`: the direct dependencies with newer versions, as a list of which
//! some are picked.

use std::collections::BTreeMap;
use std::time::Instant;

use rusk_base::Result;
use rusk_configuration::request::{Edit, PickedUpdate, UpdateReach};
use rusk_query::members::path_of_member;
use rusk_query::outdated::OutdatedDependency;
use rusk_scripts::Exit;
use rusk_terminal::picker::{Pick, Picker, PickerRow, PickerState};

use super::queries::{installed_project::InstalledProject, outdated};
use super::registry::session::Session;
use super::{job, members, request};
use crate::picker;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    started: Instant,
    screen: &mut Screen,
) -> Result<Exit> {
    picker::check_terminal(invocation)?;
    let project = InstalledProject::open(invocation, screen)?;
    let members = project.selected(invocation, screen)?.unwrap_or_else(|| vec![project.member]);
    let has_members = members.len() > 1;
    let session = Session::open(invocation, environment.clone(), screen)?;
    let known = outdated::KnownPackuments::new();
    let found = outdated::find(&project, &members, invocation, &session, &known, screen)?;
    let mut outdated = found.dependencies;
    outdated.sort_by_key(|found| group_of(&project, found, has_members));
    if outdated.is_empty() {
        return screen.page(outdated::UP_TO_DATE).map(|()| Exit::DONE);
    }
    let rows = outdated.iter().map(|found| row(&project, found, has_members)).collect();
    let mut list = Picker::new(rows, invocation.is_on(Flag::Latest));
    match picker::show(&mut list, screen)? {
        PickerState::Interrupted => return Ok(Exit::Signal(rustix::process::Signal::INT.as_raw())),
        PickerState::Confirmed => {}
        PickerState::Open | PickerState::Cancelled => return Ok(Exit::Code(1)),
    }
    let picks: Vec<PickedUpdate> = outdated
        .iter()
        .zip(list.picks())
        .filter_map(|(found, pick)| picked(&project, found, *pick))
        .collect();
    if picks.is_empty() {
        return screen.page("nothing picked\n").map(|()| Exit::DONE);
    }
    let mut request = request::with_edit(invocation, Edit::UpdatePicked { picks });
    request.selection = members::selection(invocation)?;
    job::run(request, invocation, environment, started, screen).map(|()| Exit::DONE)
}

fn picked(project: &InstalledProject, found: &OutdatedDependency, pick: Pick) -> Option<PickedUpdate> {
    let reach = match pick {
        Pick::Nothing => return None,
        Pick::Target => UpdateReach::InRange,
        Pick::Latest => UpdateReach::ToLatest,
    };
    let dependency = project.graph.dependency(found.dependency);
    let member = path_of_member(&project.graph, found.member).unwrap_or_default().to_owned();
    Some(PickedUpdate { member, name: project.graph.name(dependency.name).to_string(), reach })
}

fn row(project: &InstalledProject, found: &OutdatedDependency, has_members: bool) -> PickerRow {
    let dependency = project.graph.dependency(found.dependency);
    PickerRow {
        group: group_of(project, found, has_members).2,
        name: project.graph.name(dependency.name).to_string(),
        current: found.current.to_string(),
        target: found.update.to_string(),
        latest: found.latest.to_string(),
    }
}

/// Position of the member and of the group, and the heading.
fn group_of(project: &InstalledProject, found: &OutdatedDependency, has_members: bool) -> (u32, u8, String) {
    let role = project.graph.dependency(found.dependency).role;
    let (position, group) = outdated::group_name(role);
    let heading = match has_members {
        true => format!("{group} ({})", project.member_name(found.member)),
        false => group.to_owned(),
    };
    (found.member.0, position, heading)
}
