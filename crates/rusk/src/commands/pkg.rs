//! `rusk pkg`: reads and changes fields of package.json, of the package or of selected members.

use std::path::Path;

use rusk_base::{Result, files};
use rusk_npm::edit::fields;
use rusk_npm::manifest::MANIFEST_BYTES_MAX;
use rusk_scripts::Exit;

use super::context::{RunContext, lock_project};
use super::{members, problem};
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;
use rusk_screen::json::line;

pub fn run(invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let context = RunContext::find(invocation, "pkg")?;
    let Some(dirs) = members::directories(invocation, &context, screen)? else {
        let text = run_at(&context.package()?.dir, invocation, screen)?;
        return screen.page(&text).map(|()| Exit::DONE);
    };
    let mut answers = Vec::with_capacity(dirs.len());
    for dir in dirs {
        let text = run_at(&dir, invocation, screen).map_err(|error| problem::in_package(error, &dir))?;
        let package = RunContext::at(dir, "pkg")?;
        answers.push((package.package()?.scripts.package_name.clone().unwrap_or_default(), text));
    }
    answers.retain(|(_, text)| !text.is_empty());
    let members: Vec<_> =
        answers.iter().map(|(name, text)| (name.as_str(), text.trim().to_owned())).collect();
    let text = if members.is_empty() { String::new() } else { line(&members) };
    screen.page(&text).map(|()| Exit::DONE)
}

/// What `get` prints; the others print nothing.
fn run_at(dir: &Path, invocation: &Invocation, screen: &mut Screen) -> Result<String> {
    let is_edit = invocation.operands.first().is_some_and(|verb| verb != "get");
    let _lock = if is_edit { lock_project(dir, invocation, screen)? } else { None };
    let file = dir.join("package.json");
    let text = files::read_to_string(&file, MANIFEST_BYTES_MAX as u64)?;
    let mut new = text.clone();
    match invocation.operands.split_first() {
        Some((verb, paths)) if verb == "get" => return Ok(format!("{}\n", fields::get(&text, paths)?)),
        Some((verb, pairs)) if verb == "set" && !pairs.is_empty() => {
            for pair in pairs {
                let (path, value) = pair.split_once('=').ok_or_else(problem::pkg_usage)?;
                let value = fields::value_of(value, invocation.is_on(Flag::Json))?;
                new = fields::set(&new, path, &value)?;
            }
        }
        Some((verb, paths)) if ["delete", "rm"].contains(&verb.as_str()) && !paths.is_empty() => {
            for path in paths {
                new = fields::delete(&new, path)?;
            }
        }
        _ => return Err(problem::pkg_usage()),
    }
    if new != text {
        files::write_atomically(&file, new.as_bytes())?;
    }
    Ok(String::new())
}
