//! `.yarnrc`, the settings of Yarn 1: a key and a value on each line, flags of commands among them
//! (`--install.production true`). In: the text. Out: the same under npm's keys. Yarn 1 reads
//! `.npmrc` too, so credentials are there.

use rusk_npm::npmrc::{Variables, expanded};

use super::ToolSettings;

pub const FILE_NAME: &str = ".yarnrc";

/// Keys that have another name in `.npmrc`.
const KEYS: [(&str, &str); 4] = [
    ("network-timeout", "fetch-timeout"),
    ("network-concurrency", "maxsockets"),
    ("save-prefix", "save-prefix"),
    ("exact", "save-exact"),
];

/// Keys with the same name.
const SAME_KEYS: [&str; 11] = [
    "registry",
    "strict-ssl",
    "proxy",
    "http-proxy",
    "https-proxy",
    "cafile",
    "ignore-scripts",
    "production",
    "offline",
    "prefer-offline",
    "frozen-lockfile",
];

/// Commands whose flags apply to an install; `*` is all.
const COMMANDS: [&str; 3] = ["install.", "add.", "*."];

pub fn parse(text: &str, variables: &Variables) -> ToolSettings {
    let mut settings = ToolSettings::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (key, rest) = word(line);
        let (value, _) = word(rest);
        let value = if rest.is_empty() { "true".to_owned() } else { expanded(&value, variables) };
        let key = key.strip_prefix("--").map_or(key.as_str(), |flag| {
            COMMANDS.iter().find_map(|command| flag.strip_prefix(command)).unwrap_or(flag)
        });
        let is_scope = key.starts_with('@') && key.ends_with(":registry");
        if is_scope || SAME_KEYS.contains(&key) {
            settings.layer.set(key, value);
        } else if let Some((_, name)) = KEYS.iter().find(|(own, _)| *own == key) {
            settings.layer.set(*name, value);
        } else if key == "ignore-optional" && value == "true" {
            settings.layer.set("omit", "optional");
        }
    }
    settings
}

/// The first word of a line, without its quotes, and what follows.
fn word(line: &str) -> (String, &str) {
    let quoted = line.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    let (word, rest) = quoted.unwrap_or_else(|| line.split_once([' ', '\t']).unwrap_or((line, "")));
    (word.to_owned(), rest.trim_start())
}

#[cfg(test)]
mod tests;
