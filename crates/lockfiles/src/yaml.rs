//! YAML documents as nodes with their lines. In: a text. Out: one node for each document. Absent:
//! anchors, aliases and tags, which programs do not write into lockfiles; types of scalars, which
//! the reader of a field decides.

mod block;
pub mod print;

use std::borrow::Cow;
use std::collections::HashSet;

use saphyr_parser::{Event, Parser, ScalarStyle};

/// Maps and lists in each other; lockfiles have six.
const DEPTH_MAX: usize = 64;
/// Maps with more members are checked for repeated keys by a hash table.
const SMALL_MAP: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlNode<'t> {
    /// Counted from 1.
    pub line: usize,
    pub value: YamlValue<'t>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum YamlValue<'t> {
    Scalar { text: Cow<'t, str>, style: YamlStyle },
    List(Vec<YamlNode<'t>>),
    Map(Vec<(Cow<'t, str>, YamlNode<'t>)>),
}

/// Only a plain scalar may be a number, a boolean or null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YamlStyle {
    Plain,
    Quoted,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlError {
    pub line: usize,
    pub message: String,
}

/// A list or map whose end has not come.
struct Open<'t> {
    line: usize,
    items: Items<'t>,
}

enum Items<'t> {
    List(Vec<YamlNode<'t>>),
    Map { members: Vec<(Cow<'t, str>, YamlNode<'t>)>, key: Option<Cow<'t, str>> },
}

pub fn parse(text: &str) -> Result<Vec<YamlNode<'_>>, YamlError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match block::parse(text) {
        Some(document) => Ok(vec![document]),
        None => parse_any(text),
    }
}

/// As [`parse`], for all of YAML.
fn parse_any(text: &str) -> Result<Vec<YamlNode<'_>>, YamlError> {
    let mut documents = Vec::new();
    let mut open: Vec<Open<'_>> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event
            .map_err(|error| YamlError { line: error.marker().line(), message: error.info().to_owned() })?;
        let line = span.start.line();
        let error = |message: &str| YamlError { line, message: message.to_owned() };
        let node = match event {
            Event::Alias(_) => return Err(error("an alias is not expected here")),
            Event::Scalar(_, _, _, Some(_)) => return Err(error("a tag is not expected here")),
            Event::Scalar(text, style, ..) => {
                let style = if style == ScalarStyle::Plain { YamlStyle::Plain } else { YamlStyle::Quoted };
                YamlNode { line, value: YamlValue::Scalar { text, style } }
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if open.len() >= DEPTH_MAX {
                    return Err(error("lists and maps are nested too deeply"));
                }
                let items = match event {
                    Event::SequenceStart(..) => Items::List(Vec::new()),
                    _ => Items::Map { members: Vec::new(), key: None },
                };
                open.push(Open { line, items });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(Open { line, items }) = open.pop() else { continue };
                let value = match items {
                    Items::List(elements) => YamlValue::List(elements),
                    Items::Map { members, .. } => {
                        if let Some((key, node)) = repeated(&members) {
                            let message = format!("the key `{key}` is there twice in one map");
                            return Err(YamlError { line: node.line, message });
                        }
                        YamlValue::Map(members)
                    }
                };
                YamlNode { line, value }
            }
            _ => continue,
        };
        match open.last_mut().map(|open| &mut open.items) {
            None => documents.push(node),
            Some(Items::List(elements)) => elements.push(node),
            Some(Items::Map { members, key }) => match (key.take(), node.value) {
                (Some(key), value) => members.push((key, YamlNode { line: node.line, value })),
                (None, YamlValue::Scalar { text, .. }) => *key = Some(text),
                (None, _) => return Err(error("a key is not a list or a map")),
            },
        }
    }
    Ok(documents)
}

/// The first member whose key another member has. YAML forbids it.
fn repeated<'m, 't>(members: &'m [(Cow<'t, str>, YamlNode<'t>)]) -> Option<&'m (Cow<'t, str>, YamlNode<'t>)> {
    if members.len() <= SMALL_MAP {
        let is_repeated = |at: &usize| members[..*at].iter().any(|(key, _)| *key == members[*at].0);
        return (1..members.len()).find(is_repeated).map(|at| &members[at]);
    }
    let mut seen = HashSet::with_capacity(members.len());
    members.iter().find(|(key, _)| !seen.insert(key.as_ref()))
}

impl<'t> YamlNode<'t> {
    /// The last value of a key of a map.
    pub fn find(&self, key: &str) -> Option<&YamlNode<'t>> {
        self.members().iter().rev().find(|(other, _)| other == key).map(|(_, node)| node)
    }

    /// Empty unless it is a map.
    pub fn members(&self) -> &[(Cow<'t, str>, YamlNode<'t>)] {
        match &self.value {
            YamlValue::Map(members) => members,
            _ => &[],
        }
    }

    /// Empty unless it is a list.
    pub fn elements(&self) -> &[YamlNode<'t>] {
        match &self.value {
            YamlValue::List(elements) => elements,
            _ => &[],
        }
    }

    pub fn is_map(&self) -> bool {
        matches!(self.value, YamlValue::Map(_))
    }

    /// Whether nothing stands behind a key: `dependencies:`.
    pub fn is_null(&self) -> bool {
        matches!(&self.value, YamlValue::Scalar { text, style: YamlStyle::Plain } if matches!(text.as_ref(), "" | "~" | "null"))
    }

    /// The text of a scalar. `1.10` is `1.10`, whatever a number would be.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            YamlValue::Scalar { text, .. } if !self.is_null() => Some(text),
            _ => None,
        }
    }

    pub fn is_true(&self) -> bool {
        matches!(&self.value, YamlValue::Scalar { text, style: YamlStyle::Plain } if text == "true")
    }
}

#[cfg(test)]
mod tests;
