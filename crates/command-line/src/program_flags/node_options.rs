//! NODE_OPTIONS. In: its value. Out: the flags that matter before the program starts: preloads and
//! conditions. The JavaScript side of the runtime parses the other flags itself. Absent: flags that
//! only the command line may have.

use rusk_base::Result;
use rusk_runtime::{Preload, PreloadKind};

use super::table::{Action, PERMISSION_FLAGS, PROGRAM_FLAGS};
use super::{check_choice, name_of};
use crate::problem;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct NodeOptions {
    pub preloads: Vec<Preload>,
    pub conditions: Vec<String>,
}

impl NodeOptions {
    /// Refuses what the command line refuses, too.
    pub fn parse(value: &str) -> Result<NodeOptions> {
        let mut options = NodeOptions::default();
        let mut arguments = split(value).into_iter();
        while let Some(argument) = arguments.next() {
            let name = name_of(&argument);
            if PERMISSION_FLAGS.contains(&name) {
                return Err(problem::no_permissions(name));
            }
            let Some(flag) = PROGRAM_FLAGS.iter().find(|flag| flag.names.contains(&name)) else { continue };
            if let Action::PreloadInternal(module) = flag.action {
                options.preloads.push(Preload::new(PreloadKind::Internal, module));
            }
            if flag.value_name.is_none() {
                continue;
            }
            let value = match argument.split_once('=') {
                Some((_, value)) => value.to_owned(),
                None => arguments.next().ok_or_else(|| problem::program_value_missing(&argument))?,
            };
            match flag.action {
                Action::Preload(way) => options.preloads.push(Preload::new(way, value)),
                Action::Condition => options.conditions.push(value),
                Action::Choose(choices) => check_choice(name, choices, &value)?,
                _ => {}
            }
        }
        Ok(options)
    }
}

/// As Node does: spaces separate arguments, double quotes group them, and a backslash within quotes
/// escapes the next character.
fn split(value: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut argument: Option<String> = None;
    let mut is_quoted = false;
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => {
                is_quoted = !is_quoted;
                argument.get_or_insert_default();
            }
            '\\' if is_quoted => argument.get_or_insert_default().extend(characters.next()),
            ' ' if !is_quoted => arguments.extend(argument.take()),
            _ => argument.get_or_insert_default().push(character),
        }
    }
    arguments.extend(argument);
    arguments
}

#[cfg(test)]
mod tests;
