//! `rusk rebuild`: runs the install scripts of the project, its workspaces, and approved
//! dependencies again.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_configuration::request::{DependencyScriptFlags, Edit, Goal, Reruns, Scripts};
use rusk_install::project::{FoundLockfile, find_root, read_members};
use rusk_install::scripts::{self, ScriptContext, Stage};
use rusk_install::{HostEnvironment, InstallRequest, install, review_scripts};
use rusk_npm::script_approvals::ApprovalState;
use rusk_resolver::members::ProjectMember;
use rusk_scripts::Exit;

use super::{problem, request};
use crate::host;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;
use rusk_screen::json::{array, line, string};

/// With names, only those packages.
pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let host = host::host(host::current_dir(invocation.path(Flag::Cwd))?, environment);
    let dir = host::find_project(&host.current_dir);
    let project_dir = find_root(dir.ok_or_else(|| crate::problem::no_package(&host.current_dir))?)?;
    let members = read_members(&project_dir)?;
    let name = |member: &ProjectMember| member.manifest.name.clone();
    let given = request::with_edit(invocation, Edit::None);
    if request::ignores_scripts(&given, &project_dir, &host)? {
        return ignored(invocation, screen);
    }
    let approvals = &members.project.manifest.script_approvals;
    for wanted in &invocation.operands {
        let is_member = members.all().any(|member| name(member).as_ref() == Some(wanted));
        if !is_member && !approvals.mentions_package(wanted) {
            let review = review_scripts(&project_dir, &given, &host, screen).ok();
            let found = review.as_ref().and_then(|review| review.named(wanted).first().copied());
            return Err(match found {
                Some(package) if package.verdict == ApprovalState::Refused => {
                    problem::refused_scripts(&package.name)
                }
                Some(_) => problem::unapproved_scripts(wanted),
                None => problem::nothing_to_rebuild(wanted),
            });
        }
    }
    let is_wanted = |member: &&ProjectMember| {
        invocation.operands.is_empty() || name(member).is_some_and(|name| invocation.operands.contains(&name))
    };
    let (mut rebuilt, mut missed) = (Vec::new(), Vec::new());
    let names: Vec<String> =
        invocation.operands.iter().filter(|name| approvals.mentions_package(name)).cloned().collect();
    if !approvals.is_empty() && (invocation.operands.is_empty() || !names.is_empty()) {
        let summary = install(&project_dir, &request_of(given, names), &host, screen)?;
        (rebuilt, missed) = (summary.scripts_run, summary.scripts_not_rerun);
    }
    let format = FoundLockfile::find(&project_dir, &members)?.format();
    let named_tool = members.project.manifest.package_manager.as_deref();
    let user_agent = format.script_user_agent(named_tool, &host.user_agent);
    let host = HostEnvironment { user_agent, ..host };
    // Members first: they may build what the project needs.
    for member in members.workspaces.iter().chain([&members.project]).filter(is_wanted) {
        let context = ScriptContext {
            project_dir: &project_dir,
            member_dir: &project_dir.join(&member.path),
            manifest: &member.manifest,
            host: &host,
            output: host.script_output,
        };
        scripts::run(Stage::Before, &context, screen)?;
        scripts::run(Stage::After, &context, screen)?;
        let has_any =
            [Stage::Before, Stage::After].iter().any(|stage| scripts::has_scripts(*stage, &member.manifest));
        if has_any {
            rebuilt.push(name(member).unwrap_or_else(|| "the project".to_owned()));
        }
    }
    missed.retain(|wanted| !rebuilt.contains(wanted));
    let text = match (invocation.is_on(Flag::Json), rebuilt.as_slice()) {
        (true, rebuilt) => line(&[("rebuilt", array(rebuilt.iter().map(|name| string(name))))]),
        (false, []) if missed.is_empty() => {
            "nothing to rebuild: no package has install scripts that may run\n".to_owned()
        }
        (false, []) => String::new(),
        (false, rebuilt) => format!("rebuilt {}\n", rebuilt.join(", ")),
    };
    // Silent is how `rusk approve --record` calls it: with an output of its own.
    if !invocation.is_on(Flag::Silent) || invocation.is_on(Flag::Json) {
        screen.page(&text)?;
    }
    if missed.is_empty() { Ok(Exit::DONE) } else { Err(problem::not_rebuilt(&missed)) }
}

/// `ignore-scripts`: an error only where packages were named.
fn ignored(invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    if !invocation.operands.is_empty() {
        return Err(problem::scripts_ignored());
    }
    let text = match invocation.is_on(Flag::Json) {
        true => line(&[("rebuilt", array([].into_iter()))]),
        false => format!("nothing to rebuild: {}\n", problem::SCRIPTS_IGNORED),
    };
    screen.page(&text).map(|()| Exit::DONE)
}

/// A frozen install that does nothing but run the scripts of dependencies.
fn request_of(given: InstallRequest, names: Vec<String>) -> InstallRequest {
    let reruns = Reruns::Packages(names);
    let dependency_scripts = DependencyScriptFlags { reruns, ..given.dependency_scripts };
    InstallRequest { goal: Goal::Frozen, scripts: Scripts::OfDependencies, dependency_scripts, ..given }
}
