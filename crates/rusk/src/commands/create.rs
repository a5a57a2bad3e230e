//! `rusk create NAME`: a project from a template. A local directory or a repository at GitHub is
//! copied; any other name is that of a package `create-NAME`, whose program `rusk x` runs.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_configuration::request::Edit;
use rusk_scripts::Exit;
use rusk_templates::CreateArguments;

use super::{problem, request, x};
use crate::host;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;

mod setup;

pub fn run(
    invocation: &Invocation,
    variables: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let word = &invocation.operands[0];
    let current_dir = host::current_dir(invocation.path(Flag::Cwd))?;
    let project = host::find_project(&current_dir).unwrap_or(&current_dir);
    if let Some(template) = rusk_templates::find(word, &current_dir, project, &variables)? {
        let arguments = CreateArguments::parse(&invocation.arguments)?;
        let request = request::with_edit(invocation, Edit::None);
        let host = host::host(current_dir, variables);
        let created = rusk_templates::create(&template, word, &arguments, &request, &host)?;
        return setup::run(&created, &arguments, screen);
    }
    let package = package_of(word).ok_or_else(|| problem::bad_template(word))?;
    x::run_named(&package, &without_separator(invocation), variables, screen)
}

/// The first `--` is not for the program, as with npm.
fn without_separator(invocation: &Invocation) -> Invocation {
    let mut invocation = invocation.clone();
    if let Some(at) = invocation.arguments.iter().position(|argument| argument == "--") {
        invocation.arguments.remove(at);
    }
    invocation
}

/// As npm and bun map it: `vite` is `create-vite`, `@scope` is `@scope/create`, `@scope/name` is
/// `@scope/create-name`. As with pnpm, `create-vite` is itself.
fn package_of(template: &str) -> Option<String> {
    let at = template.rfind('@').filter(|&at| at > 0);
    let (name, version) = template.split_at(at.unwrap_or(template.len()));
    let create = |name: &str| match name.starts_with("create-") {
        true => name.to_owned(),
        false => format!("create-{name}"),
    };
    let package = match name.strip_prefix('@').map(|scoped| scoped.split_once('/').unwrap_or((scoped, ""))) {
        Some((scope, "")) => format!("@{scope}/create"),
        Some((scope, name)) => format!("@{scope}/{}", create(name)),
        None => create(name),
    };
    rusk_npm::name::PackageName::parse(&package).ok()?;
    Some(format!("{package}{version}"))
}

#[cfg(test)]
mod tests;
