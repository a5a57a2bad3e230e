//! Modules that are values: JSON, JSON5, TOML, YAML, XML, Markdown, strings, paths of assets. In: a
//! file's text. Out: the source text of its value, and of each member that can be imported by name.
//! Absent: programs.

mod graph;

use std::collections::BTreeSet;
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
    pub(crate) value: MemberValue,
}

/// Where the value of a member is.
#[derive(Clone, Debug)]
pub(crate) enum MemberValue {
    /// In the text.
    Text(Range<usize>),
    /// The text has to be evaluated: it is a property of the whole value.
    Property,
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
            Loader::Json5 | Loader::Toml | Loader::Xml | Loader::Yaml => {
                let parse = match loader {
                    Loader::Json5 => rusk_data_formats::json5,
                    Loader::Toml => rusk_data_formats::toml,
                    Loader::Xml => rusk_data_formats::xml,
                    _ => rusk_data_formats::yaml,
                };
                let text = parse(source).map_err(|fault| of_fault(file, source, loader.name(), fault))?;
                return Ok(DataModule::of_format(text));
            }
            Loader::Markdown => return Ok(DataModule::of_text(&rusk_data_formats::markdown(source))),
            _ => return Ok(DataModule::of_text(source)),
        };
        DataModule::of_json(text).map_err(|error| {
            let at = error.offset as u32;
            problem::invalid_data(loader.name(), error.expected).at(file, source, at..at)
        })
    }

    /// What the data formats return: `{"value": …}`, or nodes that refer to each other.
    fn of_format(text: String) -> DataModule {
        let Ok(root) = json::parse(&text, Dialect::Strict) else { return DataModule::default() };
        let module = match (root.find("value"), root.find("nodes"), root.find("numbers")) {
            (Some(value), ..) => DataModule::of_json(text[value.start..value.end].to_owned()).ok(),
            (None, Some(nodes), Some(numbers)) => graph::module(nodes.elements(), numbers),
            _ => None,
        };
        module.unwrap_or_default()
    }

    fn of_json(text: String) -> Result<DataModule, json::SyntaxError> {
        let root = json::parse(&text, Dialect::Strict)?;
        let mut prototypes = Vec::new();
        find_prototypes(&root, &mut prototypes);
        if !prototypes.is_empty() {
            return Ok(DataModule::with_prototypes(&text, &root, prototypes));
        }
        let members = root.members().iter().filter(|member| is_exportable(&member.key)).map(|member| {
            let value = MemberValue::Text(member.node.start..member.node.end);
            DataMember { name: member.key.to_string(), value }
        });
        let mut members: Vec<DataMember> = members.collect();
        // As in JavaScript, the last one of a name counts.
        let mut seen = FxHashSet::default();
        members.reverse();
        members.retain(|member| seen.insert(member.name.clone()));
        members.reverse();
        drop(root);
        Ok(DataModule { text, members })
    }

    /// `__proto__` in a literal would set the prototype.
    fn with_prototypes(text: &str, root: &Node<'_>, prototypes: Vec<usize>) -> DataModule {
        let names: BTreeSet<&str> = root.members().iter().map(|member| member.key.as_ref()).collect();
        let names = names.into_iter().filter(|name| is_exportable(name));
        let members =
            names.map(|name| DataMember { name: name.to_owned(), value: MemberValue::Property }).collect();
        let mut changed = text.to_owned();
        for at in prototypes.into_iter().rev() {
            changed.replace_range(at..at + "\"__proto__\"".len(), "[\"__proto__\"]");
        }
        DataModule { text: changed, members }
    }

    /// The whole value. `name_of`: the variable that holds a member, where there is one.
    pub(crate) fn expression(&self, name_of: impl Fn(usize) -> Option<String>) -> String {
        let mut out = String::with_capacity(self.text.len());
        let mut at = 0;
        for (index, member) in self.members.iter().enumerate() {
            if let (MemberValue::Text(range), Some(name)) = (&member.value, name_of(index)) {
                out.push_str(&self.text[at..range.start]);
                out.push_str(&name);
                at = range.end;
            }
        }
        out.push_str(&self.text[at..]);
        out.trim().to_owned()
    }
}

pub(crate) fn of_fault(file: &str, source: &str, format: &str, fault: Fault) -> Diagnostic {
    let line =
        source.split_inclusive('\n').take(fault.line.saturating_sub(1) as usize).map(str::len).sum::<usize>();
    let mut diagnostic = problem::data_fault(format, &fault.message);
    let mut at = SourceLine::of(file, source, line, line);
    at.column = fault.column;
    diagnostic.at = Some(at);
    diagnostic
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
