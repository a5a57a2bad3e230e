//! `rusk audit signatures`: whether the packages of the lockfile are signed by their registries.

use rusk_base::{Problem, Result};
use rusk_install::{InstallEvent, Reporter};
use rusk_query::members::{members, reachable};
use rusk_scripts::Exit;
use rusk_signatures::audit::{AuditError, LockedRelease, audit};
use rusk_signatures::{Verdict, report};

use super::installed_project::{InstalledProject, omitted};
use super::problem;
use crate::commands::registry::problem::bad_registry_answer;
use crate::commands::registry::session::{Session, refused};
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;

pub fn run(session: &Session, invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let project = InstalledProject::open(invocation, screen)?;
    let graph = &project.graph;
    let from = project.selected(invocation, screen)?.unwrap_or_else(|| members(graph));
    let mut packages: Vec<_> = reachable(graph, &from, omitted(invocation)).into_iter().collect();
    packages.sort_by_key(|id| graph.label(*id));
    let releases = packages.into_iter().filter_map(|id| {
        let version = graph.package(id).source.npm_version()?.to_string();
        let (name, integrity) = (graph.package_name(id).clone(), graph.package(id).integrity);
        Some(LockedRelease { name, version, integrity })
    });
    let mut on_wait = |subject: &str, waited| screen.on_event(InstallEvent::Waiting { subject, waited });
    let audited = audit(&session.client, releases.collect(), &mut on_wait).map_err(problem_of)?;
    if audited.is_empty() {
        return Err(problem::nothing_signed());
    }
    let text = match invocation.is_on(Flag::Json) {
        true => report::json(&audited),
        false => report::text(&audited),
    };
    screen.page(&text)?;
    let is_clean = audited.iter().all(|one| one.verdict == Verdict::Verified);
    Ok(if is_clean { Exit::DONE } else { Exit::Code(1) })
}

fn problem_of(error: AuditError) -> Problem {
    match error {
        AuditError::Refused(both) => refused(&both.0, &both.1),
        AuditError::BadAnswer(subject) => bad_registry_answer(&subject),
        AuditError::Problem(problem) => problem,
    }
}
