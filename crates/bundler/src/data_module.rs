//! Modules that are values: JSON, TOML, YAML, strings, paths of assets. In: a file's text. Out: the
//! source text of its value, and of each member that can be imported by name. Absent: programs.

use std::ops::Range;

use rusk_data_formats::Fault;
use rusk_npm::json::{self, Dialect, Node, Value};
use rustc_hash::FxHashSet;

use crate::diagnostic::{Diagnostic, SourceLine};
use crate::loader::Loader;
use crate::problem;

/// The value of a module as JavaScript.
#[derive(Clone, Debug, Default)]
pub(crate) struct DataModule {
    pub(crate) text: String,
    pub(crate) members: Vec<DataMember>,
}

/// A member of the value.
#[derive(Clone, Debug)]
pub(crate) struct DataMember {
    pub(crate) name: String,
    /// Where its value is in the text.
    pub(crate) range: Range<usize>,
}

impl DataModule {
    /// A string.
    pub(crate) fn of_text(text: &str) -> DataModule {
        let mut quoted = String::with_capacity(text.len() + 2);
        json::quote_into(&mut quoted, text);
        DataModule { text: quoted, members: Vec::new() }
    }

    pub(crate) fn of_expression(text: String) -> DataModule {
        DataModule { text, members: Vec::new() }
    }

    /// Parses a file in one of the formats that are data.
    pub(crate) fn parse(file: &str, source: &str, loader: Loader) -> Result<DataModule, Diagnostic> {
        let text = match loader {
            Loader::Json => source.trim_start_matches('\u{feff}').to_owned(),
            Loader::Jsonc => rusk_data_formats::jsonc(source)
                .map_err(|fault| of_fault(file, source, loader.name(), fault))?,
            Loader::Toml => plain(
                rusk_data_formats::toml(source)
                    .map_err(|fault| of_fault(file, source, loader.name(), fault))?,
            ),
            Loader::Yaml => plain(
                rusk_data_formats::yaml(source)
                    .map_err(|fault| of_fault(file, source, loader.name(), fault))?,
            ),
            _ => return Ok(DataModule::of_text(source)),
        };
        DataModule::of_json(text).map_err(|error| {
            let at = error.offset as u32;
            problem::invalid_data(loader.name(), error.expected).at(file, source, at..at)
        })
    }

    fn of_json(text: String) -> Result<DataModule, json::SyntaxError> {
        let root = json::parse(&text, Dialect::Strict)?;
        let mut prototypes = Vec::new();
        find_prototypes(&root, &mut prototypes);
        let members = root.members().iter().filter(|member| is_exportable(&member.key)).map(|member| {
            DataMember { name: member.key.to_string(), range: member.node.start..member.node.end }
        });
        let mut members: Vec<DataMember> = members.collect();
        // As in JavaScript, the last one of a name counts.
        let mut seen = FxHashSet::default();
        members.reverse();
        members.retain(|member| seen.insert(member.name.clone()));
        members.reverse();
        drop(root);
        if prototypes.is_empty() {
            return Ok(DataModule { text, members });
        }
        // `__proto__` in a literal would set the prototype.
        let mut changed = text;
        for at in prototypes.into_iter().rev() {
            changed.replace_range(at..at + "\"__proto__\"".len(), "[\"__proto__\"]");
        }
        Ok(DataModule { text: changed, members: Vec::new() })
    }

    /// The whole value. `name_of`: the variable that holds a member, where there is one.
    pub(crate) fn expression(&self, name_of: impl Fn(usize) -> Option<String>) -> String {
        let mut out = String::with_capacity(self.text.len());
        let mut at = 0;
        for (index, member) in self.members.iter().enumerate() {
            if let Some(name) = name_of(index) {
                out.push_str(&self.text[at..member.range.start]);
                out.push_str(&name);
                at = member.range.end;
            }
        }
        out.push_str(&self.text[at..]);
        out.trim().to_owned()
    }
}

fn of_fault(file: &str, source: &str, format: &str, fault: Fault) -> Diagnostic {
    let line =
        source.split_inclusive('\n').take(fault.line.saturating_sub(1) as usize).map(str::len).sum::<usize>();
    let mut diagnostic = problem::data_fault(format, &fault.message);
    let mut at = SourceLine::of(file, source, line, line);
    at.column = fault.column;
    diagnostic.at = Some(at);
    diagnostic
}

/// The value of a text that the data formats return. Their other form, for values that refer to
/// each other, is written out.
fn plain(text: String) -> String {
    let Ok(root) = json::parse(&text, Dialect::Strict) else { return text };
    match root.find("value") {
        Some(value) => text[value.start..value.end].to_owned(),
        None => text,
    }
}

/// Where keys named `__proto__` begin.
fn find_prototypes(node: &Node<'_>, found: &mut Vec<usize>) {
    match &node.value {
        Value::Object(members) => {
            for member in members {
                if member.key == "__proto__" {
                    found.push(member.start);
                }
                find_prototypes(&member.node, found);
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| find_prototypes(element, found)),
        _ => {}
    }
}

fn is_exportable(name: &str) -> bool {
    name != "default" && name != "__proto__" && oxc::syntax::identifier::is_identifier_name(name)
}
