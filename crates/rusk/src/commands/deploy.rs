//! `rusk deploy`: one member of the project with its production dependencies, in a directory.

use std::collections::BTreeMap;

use rusk_base::{Result, files};
use rusk_configuration::request::{Edit, Reuse};
use rusk_deploy::{DeployRequest, ExistingTarget, deploy};
use rusk_install::InstallRequest;
use rusk_reports::text::counted;
use rusk_scripts::Exit;

use super::context::RunContext;
use super::members::{SelectedMembers, selection};
use super::{problem, request};
use crate::host;
use rusk_command_line::flags::{Flag, Invocation, table};
use rusk_screen::Screen;
use rusk_screen::json::{array, line, string};

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    if let [_, other, ..] = invocation.operands.as_slice() {
        return Err(rusk_command_line::problem::operand_not_taken(
            table::command(table::Command::Deploy),
            other,
        ));
    }
    let context = RunContext::find(invocation, "deploy")?;
    let member = member(invocation, &context, screen)?;
    let host = host::host(context.current_dir.clone(), environment);
    let target = files::normalized(&context.current_dir.join(&invocation.operands[0]));
    let install = request::with_edit(invocation, Edit::None);
    let cache_dir = install.cache_dir.map(|path| host.current_dir.join(path));
    let deployment = deploy(
        &DeployRequest {
            project_dir: &context.project_dir,
            member: &member,
            target: &target,
            existing: match invocation.is_on(Flag::Force) {
                true => ExistingTarget::Replace,
                false => ExistingTarget::Refuse,
            },
            // `--force` is about the directory here.
            install: InstallRequest { cache_dir, reuse: Reuse::InstalledFiles, ..install },
        },
        &host,
        screen,
    )?;
    let packages = deployment.summary.installed;
    let directory = target.display().to_string();
    let text = match invocation.is_on(Flag::Json) {
        true => line(&[
            ("name", string(&deployment.name)),
            ("directory", string(&directory)),
            ("files", deployment.files.to_string()),
            ("members", array(deployment.members.iter().map(|name| string(name)))),
            ("packages", packages.to_string()),
        ]),
        false => {
            let files = counted(deployment.files, "file");
            let others = match deployment.members.len() {
                0 => String::new(),
                count => format!(", {}", counted(count, "other member")),
            };
            let packages = counted(packages, "package");
            format!("deployed {} to {directory}: {files}{others}, {packages}\n", deployment.name)
        }
    };
    screen.page(&text).map(|()| Exit::DONE)
}

/// The path of the member that is selected, or of the package of the current directory.
fn member(invocation: &Invocation, context: &RunContext, screen: &mut Screen) -> Result<String> {
    let selection = selection(invocation)?;
    if selection.is_default() {
        let dir = &context.package()?.dir;
        let inner = dir.strip_prefix(&context.project_dir).unwrap_or(dir);
        return Ok(inner.to_string_lossy().into_owned());
    }
    let found = SelectedMembers::find(&selection, context, screen)?;
    match found.selected.as_slice() {
        [one] => Ok(found.graph.members[*one].path.clone()),
        several => {
            let members = several.iter().map(|&at| &found.graph.members[at]);
            let names = members.map(|member| member.name.clone().unwrap_or_else(|| member.path.clone()));
            Err(problem::one_member_to_deploy(&names.collect::<Vec<_>>()))
        }
    }
}
