//! Settings files of Yarn and pnpm, as keys of `.npmrc`. In: the text, the environment. Out: a
//! layer of configuration, and a note for each setting that changes what is installed and is not
//! followed. Absent: settings that do not change what is installed.

pub mod classic_yarnrc;
pub mod pnpm;
pub mod yarnrc;

use rusk_base::Problem;
use rusk_npm::json::{self, Dialect, Node, Value};
use rusk_npm::npmrc::{Layer, Variables, expanded};

/// What a file sets.
#[derive(Clone, Debug, Default)]
pub struct ToolSettings {
    pub layer: Layer,
    /// One line each, without a period.
    pub notes: Vec<String>,
}

/// The platforms of `supportedArchitectures`, under npm's keys.
const PLATFORM_KEYS: [&str; 3] = ["os", "cpu", "libc"];

/// A value of a map of settings.
struct Setting<'n, 'a> {
    node: &'n Node<'a>,
    variables: &'n Variables,
}

impl Setting<'_, '_> {
    /// Strings, numbers and booleans, with variables expanded.
    fn text(&self) -> Option<String> {
        match &self.node.value {
            Value::String(text) => Some(expanded(text, self.variables)),
            Value::Number(digits) => Some((*digits).to_owned()),
            Value::Bool(value) => Some(value.to_string()),
            _ => None,
        }
    }

    fn strings(&self) -> Option<Vec<String>> {
        let of = |node| Setting { node, variables: self.variables }.text();
        self.node.is_array().then(|| self.node.elements().iter().filter_map(of).collect())
    }
}

fn find<'n, 'a>(map: &'n Node<'a>, key: &str, variables: &'n Variables) -> Option<Setting<'n, 'a>> {
    map.find(key).filter(|node| node.value != Value::Null).map(|node| Setting { node, variables })
}

/// Calls `read` with the map of an YAML document; nothing is read of an empty one.
fn read_map<T: Default>(
    text: &str,
    fail: &dyn Fn(u32, u32, &str) -> Problem,
    read: impl FnOnce(&Node<'_>) -> rusk_base::Result<T>,
) -> rusk_base::Result<T> {
    let document =
        rusk_data_formats::yaml(text).map_err(|fault| fail(fault.line, fault.column, &fault.message))?;
    let document = json::parse(&document, Dialect::Strict).map_err(|error| fail(1, 1, error.expected))?;
    // A document with aliases has another form.
    let root = document.find("value").ok_or_else(|| fail(1, 1, "aliases are not supported here"))?;
    match root {
        root if root.value == Value::Null => Ok(T::default()),
        root if root.is_object() => read(root),
        root => Err(fail(1, 1, &format!("expected a map of settings, found {}", root.kind()))),
    }
}

/// `supportedArchitectures`: `current` is this host.
fn set_platforms(layer: &mut Layer, map: &Node<'_>, variables: &Variables) {
    let Some(platforms) = map.find("supportedArchitectures") else { return };
    for key in PLATFORM_KEYS {
        if let Some(names) = find(platforms, key, variables).and_then(|setting| setting.strings()) {
            layer.set_all(key, names);
        }
    }
}

/// One note for all settings of a file that are not followed.
fn note_of(file: &str, keys: &[&str]) -> Option<String> {
    let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    (!keys.is_empty()).then(|| format!("not supported in {file} yet: {}", keys.join(", ")))
}
