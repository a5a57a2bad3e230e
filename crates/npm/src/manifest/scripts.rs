//! The part of package.json that running scripts needs. It is smaller than [`super::Manifest`], so
//! that an error in another part of the file does not prevent a script from running.

use rusk_base::{Problem, Result};

use super::fields::{Fields, last_of_each};
use super::{Pairs, parse_root};
use crate::json::{Node, Value, line_and_column};
use crate::problem;

/// More of `config` is left out: each becomes a variable, and the kernel bounds them all together.
const CONFIG_MAX: usize = 1000;
/// Longer names of `config` are left out: nested ones repeat their prefix.
const CONFIG_NAME_BYTES_MAX: usize = 256;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scripts {
    pub package_name: Option<String>,
    pub package_version: Option<String>,
    /// `config`: scripts get it as `npm_package_config_NAME`; nested names are joined by `_`.
    pub config: Pairs,
    /// Names and commands, in the order of the file; none is empty or contains a NUL.
    pub commands: Pairs,
    /// Those that cannot run: each is refused when it is requested.
    refused: Vec<(String, Refusal)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Refusal {
    Kind { found: &'static str, line: usize },
    Nul { line: usize },
}

impl Scripts {
    /// Parses package.json; comments and trailing commas are allowed.
    pub fn parse(text: &str) -> Result<Scripts> {
        let root = parse_root(text)?;
        let fields = Fields { text, root: &root };
        let members = match fields.find("scripts") {
            Some(node) if node.is_object() => node.members(),
            Some(node) => return Err(fields.wrong_kind("scripts", node, "an object of names and commands")),
            None => &[],
        };
        let entries = last_of_each(members.iter().map(|member| (member.key.to_string(), &member.node)));
        let mut scripts = Scripts {
            package_name: fields.string("name").filter(|name| !name.is_empty()),
            package_version: fields.string("version"),
            ..Scripts::default()
        };
        if let Some(config) = fields.find("config") {
            add_config("", config, &mut scripts.config);
        }
        for (name, node) in entries {
            scripts.add(text, name, node);
        }
        Ok(scripts)
    }

    fn add(&mut self, text: &str, name: String, node: &Node<'_>) {
        let (line, _) = line_and_column(text, node.start);
        match node.as_str() {
            // npm and bun take an empty one for none.
            Some("") => {}
            Some(command) if command.contains('\0') => self.refused.push((name, Refusal::Nul { line })),
            Some(command) => self.commands.push((name, command.to_owned())),
            None => self.refused.push((name, Refusal::Kind { found: node.kind(), line })),
        }
    }

    /// The command of a script; `None` if there is no such script, a problem if the command cannot
    /// be executed.
    pub fn find(&self, name: &str) -> Result<Option<&str>> {
        match self.refused.iter().find(|(refused, _)| refused == name) {
            Some((_, refusal)) => Err(refusal.problem(name)),
            None => {
                Ok(self.commands.iter().find(|(own, _)| own == name).map(|(_, command)| command.as_str()))
            }
        }
    }

    /// Why scripts of package.json are missing in `commands`.
    pub fn refusals(&self) -> impl Iterator<Item = Problem> {
        self.refused.iter().map(|(name, refusal)| refusal.problem(name))
    }
}

/// Numbers and booleans as written; lists are left out. The parser bounds the depth.
fn add_config(outer: &str, node: &Node<'_>, config: &mut Pairs) {
    for member in node.members() {
        if config.len() == CONFIG_MAX {
            return;
        }
        if outer.len() + member.key.len() > CONFIG_NAME_BYTES_MAX {
            continue;
        }
        let name = format!("{outer}{}", member.key);
        match &member.node.value {
            Value::String(text) => config.push((name, text.to_string())),
            Value::Number(digits) => config.push((name, (*digits).to_owned())),
            Value::Bool(truth) => config.push((name, truth.to_string())),
            Value::Object(_) => add_config(&format!("{name}_"), &member.node, config),
            Value::Null | Value::Array(_) => {}
        }
    }
}

impl Refusal {
    fn problem(&self, name: &str) -> Problem {
        match *self {
            Refusal::Kind { found, line } => problem::script_kind(name, found, line),
            Refusal::Nul { line } => problem::script_nul(name, line),
        }
    }
}

#[cfg(test)]
mod tests;
