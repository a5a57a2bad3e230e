//! `rusk rebuild`: runs the install scripts of the project and its workspaces again. Scripts of
//! dependencies are never run.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_install::project::{find_root, read_members};
use rusk_install::scripts::{self, ScriptContext, Stage};
use rusk_resolver::members::ProjectMember;
use rusk_scripts::Exit;

use super::problem;
use crate::host;
use crate::screen::Screen;
use crate::screen::json::{array, line, string};
use rusk_command_line::flags::{Flag, Invocation};

/// With names, only those packages of the project.
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
    for wanted in &invocation.operands {
        if !members.all().any(|member| name(member).as_ref() == Some(wanted)) {
            return Err(problem::no_member(wanted));
        }
    }
    let is_wanted = |member: &&ProjectMember| {
        invocation.operands.is_empty() || name(member).is_some_and(|name| invocation.operands.contains(&name))
    };
    let mut rebuilt = Vec::new();
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
    let text = match (invocation.is_on(Flag::Json), rebuilt.as_slice()) {
        (true, rebuilt) => line(&[("rebuilt", array(rebuilt.iter().map(|name| string(name))))]),
        (false, []) => "nothing to rebuild: no package of the project has install scripts\n".to_owned(),
        (false, rebuilt) => format!("rebuilt {}\n", rebuilt.join(", ")),
    };
    screen.page(&text).map(|()| Exit::DONE)
}
