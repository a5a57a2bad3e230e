//! `rusk config`: reads and changes `.npmrc`. Values of the environment come first, then the
//! project's file, then the user's. Secrets are not shown.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rusk_base::{Result, files, problem::printable};
use rusk_npm::credential::{self, without_credentials};
use rusk_npm::npmrc::{Layer, is_secret};
use rusk_registry::npmrc_file::{self, Readers};
use rusk_scripts::Exit;

use super::problem;
use super::registry::login::npmrc_path;
use crate::host;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;
use rusk_screen::json::{line, optional, string};

/// A larger file is refused.
const FILE_BYTES_MAX: u64 = 1 << 20;
/// Shown in place of a secret, as npm does.
const PROTECTED: &str = "(protected)";

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let operands: Vec<&str> = invocation.operands.iter().map(String::as_str).collect();
    let host = host::host(host::current_dir(invocation.path(Flag::Cwd))?, environment);
    let user = npmrc_path(&host)?;
    let project = host::find_project(&host.current_dir).unwrap_or(&host.current_dir).join(".npmrc");
    let sources = Sources::read(&project, &user, &host.environment)?;
    let is_project = invocation.value(Flag::Location) == Some("project");
    let file = match is_project {
        true => ConfigFile { path: &project, readers: Readers::All },
        false => ConfigFile { path: &user, readers: Readers::Owner },
    };
    match operands.as_slice() {
        ["get", key] => get(&sources, key, screen),
        ["list" | "ls"] | ["get"] => list(&sources, invocation, screen),
        ["set", key, value] => file.set(key, Some(value), screen),
        ["set", pair] if pair.contains('=') => {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            file.set(key, Some(value), screen)
        }
        ["delete" | "rm", key] => file.set(key, None, screen),
        _ => Err(problem::config_usage()),
    }
}

struct ConfigFile<'a> {
    path: &'a Path,
    readers: Readers,
}

impl ConfigFile<'_> {
    /// Sets a key, or removes it.
    fn set(&self, key: &str, value: Option<&str>, screen: &mut Screen) -> Result<Exit> {
        let is_plain = |text: &str| !text.contains(['\n', '\r', '\0']);
        let is_key =
            !key.is_empty() && is_plain(key) && !key.contains('=') && !key.starts_with(['[', ';', '#']);
        if !is_key {
            return Err(problem::bad_config_key(key));
        }
        match value {
            Some(value) if !is_plain(value) => Err(problem::bad_config_value(key)),
            value => {
                let value = value.map(quoted);
                npmrc_file::set_for(self.path, key, value.as_deref(), self.readers)?;
                let file = self.path.display().to_string();
                screen.outcome("", &[("key", string(key)), ("file", string(&file))])
            }
        }
    }
}

/// A value as npm's `ini` writes it.
fn quoted(value: &str) -> String {
    let is_quoted = value.len() > 1 && (value.starts_with(['"', '\'']));
    match value.contains('=') || value.starts_with('[') || is_quoted || value.trim() != value {
        true => string(value),
        false => value.replace(';', "\\;").replace('#', "\\#"),
    }
}

/// Where values come from, the first place that counts first.
struct Sources {
    layers: [(String, Layer); 3],
}

impl Sources {
    fn read(project: &Path, user: &Path, environment: &BTreeMap<String, String>) -> Result<Sources> {
        let layer = |path: &Path| {
            let text = files::find_string(path, FILE_BYTES_MAX)?.unwrap_or_default();
            Result::Ok((path.display().to_string(), Layer::parse(&text, environment)))
        };
        let variables = ("environment".to_owned(), Layer::of_environment(environment));
        Ok(Sources { layers: [variables, layer(project)?, layer(user)?] })
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.layers.iter().find_map(|(_, layer)| layer.one(key))
    }
}

fn get(sources: &Sources, key: &str, screen: &mut Screen) -> Result<Exit> {
    if is_secret(key) {
        return Err(problem::secret_key(key));
    }
    // The one setting with a default that other programs ask for.
    let default = || (key == "registry").then(credential::default_registry);
    let value = sources.get(key).or_else(default).map(without_credentials);
    let value = value.as_deref();
    // npm's word.
    let text = format!("{}\n", printable(value.unwrap_or("undefined")));
    screen.answer(&text, &[("key", string(key)), ("value", optional(value))])
}

fn list(sources: &Sources, invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let value = |layer: &Layer, key: &str| match is_secret(key) {
        true => PROTECTED.to_owned(),
        false => without_credentials(layer.one(key).unwrap_or("null")),
    };
    if invocation.is_on(Flag::Json) {
        let keys: BTreeSet<&str> = sources.layers.iter().flat_map(|(_, layer)| layer.keys()).collect();
        let found = |key: &str| {
            let layer = sources.layers.iter().find(|(_, layer)| layer.one(key).is_some());
            layer.map_or("null".to_owned(), |(_, layer)| string(&value(layer, key)))
        };
        let members: Vec<(&str, String)> = keys.into_iter().map(|key| (key, found(key))).collect();
        return screen.page(&line(&members)).map(|()| Exit::DONE);
    }
    let mut parts: Vec<String> = Vec::new();
    for (name, layer) in &sources.layers {
        let shown = |key: &str| format!("{} = {}\n", printable(key), printable(&value(layer, key)));
        let lines: String = layer.keys().map(shown).collect();
        if !lines.is_empty() {
            parts.push(format!("; {name}\n{lines}"));
        }
    }
    screen.page(&parts.join("\n")).map(|()| Exit::DONE)
}

#[cfg(test)]
mod tests;
