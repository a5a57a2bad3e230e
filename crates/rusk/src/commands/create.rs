//! `rusk create NAME`: runs the program of the package `create-NAME`, as `rusk x` does.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_scripts::Exit;

use super::{problem, x};
use crate::screen::Screen;
use rusk_command_line::flags::Invocation;

pub fn run(
    invocation: &Invocation,
    variables: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let template = &invocation.operands[0];
    let package = package_of(template).ok_or_else(|| problem::bad_template(template))?;
    x::run_named(&package, invocation, variables, screen)
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
