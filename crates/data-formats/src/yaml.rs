//! YAML 1.2, by its core schema, with the merge key `<<`. In: a text. Out: JSON of its document, of
//! a list where there are several. What an alias names is the same value, not a copy. Absent: tags
//! of programs' own, which say nothing; dates, which are strings.

use std::collections::{HashMap, HashSet};

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use super::graph::{Graph, Id, Node};
use super::{DEPTH_MAX, Fault};

/// What `<<` may copy in a text, so that a short one cannot become gigabytes.
const MERGED_MAX: usize = 1_000_000;
/// Bytes of a key that is a list.
const KEY_BYTES_MAX: usize = 4096;

pub fn yaml(text: &str) -> Result<String, Fault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut builder = Builder::default();
    for event in Parser::new_from_str(text) {
        let place = |marker: &saphyr_parser::Marker, message: &str| Fault {
            message: message.to_owned(),
            line: u32::try_from(marker.line()).unwrap_or(u32::MAX),
            column: u32::try_from(marker.col() + 1).unwrap_or(u32::MAX),
        };
        let (event, span) = event.map_err(|error| place(error.marker(), error.info()))?;
        builder.take(event).map_err(|message| place(&span.start, message))?;
    }
    let Builder { mut graph, mut documents, .. } = builder;
    let root = match documents.len() {
        0 => graph.add(Node::Null),
        1 => documents.remove(0),
        _ => graph.add(Node::List(documents)),
    };
    Ok(graph.json(root))
}

#[derive(Default)]
struct Builder {
    graph: Graph,
    anchors: HashMap<usize, Id>,
    open: Vec<Open>,
    documents: Vec<Id>,
    merged: usize,
}

/// A list or a table whose end has not come.
enum Open {
    List { id: Id, items: Vec<Id> },
    Table { id: Id, members: Vec<(String, Id)>, merges: Vec<Merge>, key: Option<String> },
}

/// What `<<` names, and before which member it stands.
struct Merge {
    before: usize,
    id: Id,
}

impl Builder {
    fn take(&mut self, event: Event<'_>) -> Result<(), &'static str> {
        match event {
            Event::Alias(anchor) => {
                let id = *self.anchors.get(&anchor).ok_or("the alias names nothing")?;
                self.put(id)
            }
            Event::Scalar(text, style, anchor, tag) => {
                let id = self.graph.add(resolved(&text, style == ScalarStyle::Plain, tag.as_deref()));
                self.name(anchor, id);
                self.put(id)
            }
            Event::SequenceStart(anchor, _) => {
                let id = self.begin(anchor)?;
                self.open.push(Open::List { id, items: Vec::new() });
                Ok(())
            }
            Event::MappingStart(anchor, _) => {
                let id = self.begin(anchor)?;
                self.open.push(Open::Table { id, members: Vec::new(), merges: Vec::new(), key: None });
                Ok(())
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            _ => Ok(()),
        }
    }

    fn name(&mut self, anchor: usize, id: Id) {
        // 0: it has none.
        if anchor != 0 {
            self.anchors.insert(anchor, id);
        }
    }

    /// What is named is there before its end, so that it may hold itself.
    fn begin(&mut self, anchor: usize) -> Result<Id, &'static str> {
        if self.open.len() >= DEPTH_MAX {
            return Err("lists and tables are nested too deeply");
        }
        let id = self.graph.add(Node::Null);
        self.name(anchor, id);
        Ok(id)
    }

    fn end(&mut self) -> Result<(), &'static str> {
        let (id, node) = match self.open.pop().ok_or("nothing is open here")? {
            Open::List { id, items } => (id, Node::List(items)),
            Open::Table { id, members, merges, .. } => (id, Node::Table(self.merge(members, &merges)?)),
        };
        self.graph.nodes[id] = node;
        self.put(id)
    }

    /// A value where one is awaited.
    fn put(&mut self, id: Id) -> Result<(), &'static str> {
        match self.open.last_mut() {
            None => self.documents.push(id),
            Some(Open::List { items, .. }) => items.push(id),
            Some(Open::Table { members, merges, key, .. }) => match key.take() {
                None => {
                    let mut name = String::new();
                    write_name(&self.graph, id, &mut name, 0)?;
                    *key = Some(name);
                }
                Some(name) if name == "<<" && is_mergeable(&self.graph, id) => {
                    merges.push(Merge { before: members.len(), id })
                }
                Some(name) => members.push((name, id)),
            },
        }
        Ok(())
    }

    /// Each key once, the last one's value; and where `<<` stands what it names, unless the table
    /// has it itself.
    fn merge(
        &mut self,
        members: Vec<(String, Id)>,
        merges: &[Merge],
    ) -> Result<Vec<(String, Id)>, &'static str> {
        let mut last: HashMap<String, Id> = HashMap::with_capacity(members.len());
        for (key, id) in &members {
            last.insert(key.clone(), *id);
        }
        let mut out: Vec<(String, Id)> = Vec::with_capacity(members.len());
        let mut known = HashSet::new();
        let mut merges = merges.iter().peekable();
        for place in 0..=members.len() {
            while let Some(merge) = merges.next_if(|merge| merge.before == place) {
                self.copy(merge.id, &last, &mut known, &mut out)?;
            }
            if let Some((key, _)) = members.get(place)
                && known.insert(key.clone())
            {
                out.push((key.clone(), last[key]));
            }
        }
        Ok(out)
    }

    /// What a merge names and nothing else has.
    fn copy(
        &mut self,
        merge: Id,
        own: &HashMap<String, Id>,
        known: &mut HashSet<String>,
        out: &mut Vec<(String, Id)>,
    ) -> Result<(), &'static str> {
        for id in self.sources(merge) {
            let Node::Table(members) = &self.graph.nodes[id] else { continue };
            // Empty ones are looked at, too.
            self.merged += members.len() + 1;
            if self.merged > MERGED_MAX {
                return Err("`<<` copies too much");
            }
            for (key, id) in members {
                if !own.contains_key(key) && known.insert(key.clone()) {
                    out.push((key.clone(), *id));
                }
            }
        }
        Ok(())
    }

    /// Tables that `<<` names, alone or in a list.
    fn sources(&self, merge: Id) -> Vec<Id> {
        match &self.graph.nodes[merge] {
            Node::List(items) => items.iter().copied().take(MERGED_MAX).collect(),
            _ => vec![merge],
        }
    }
}

fn is_mergeable(graph: &Graph, id: Id) -> bool {
    let is_table = |id: Id| matches!(graph.nodes[id], Node::Table(_));
    match &graph.nodes[id] {
        Node::List(items) => items.iter().all(|&item| is_table(item)),
        _ => is_table(id),
    }
}

/// What a scalar stands for: with a tag of its own a text.
fn resolved(text: &str, is_plain: bool, tag: Option<&Tag>) -> Node {
    let is_open = tag.is_none_or(|tag| {
        tag.is_yaml_core_schema() && ["int", "float", "bool", "null"].contains(&tag.suffix.as_str())
    });
    if is_plain && is_open { plain(text) } else { Node::Text(text.to_owned()) }
}

fn plain(text: &str) -> Node {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Node::Null,
        "true" | "True" | "TRUE" => return Node::Bool(true),
        "false" | "False" | "FALSE" => return Node::Bool(false),
        _ => {}
    }
    number(text).map_or_else(|| Node::Text(text.to_owned()), Node::Number)
}

fn number(text: &str) -> Option<f64> {
    let radix = |digits: &str, radix| {
        let is_number = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
        let value =
            |sum: f64, digit: char| sum * f64::from(radix) + f64::from(digit.to_digit(radix).unwrap_or(0));
        is_number.then(|| digits.chars().fold(0.0, value))
    };
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    match unsigned {
        ".inf" | ".Inf" | ".INF" => return Some(sign * f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" if unsigned.len() == text.len() => return Some(f64::NAN),
        _ => {}
    }
    let is_decimal = unsigned.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte))
        && unsigned.trim_start_matches('.').starts_with(|first: char| first.is_ascii_digit());
    // `parse` takes `1.`, `.5`, `1e5` as the schema does, and refuses what has two points.
    if is_decimal { text.parse().ok() } else { None }
}

/// What JavaScript makes of a value that is a key: `[1, [2, null]]` is `1,2,`.
fn write_name(graph: &Graph, id: Id, name: &mut String, depth: usize) -> Result<(), &'static str> {
    if depth > DEPTH_MAX {
        return Err("a list that is a key is nested too deeply");
    }
    match &graph.nodes[id] {
        Node::Null if depth == 0 => name.push_str("null"),
        Node::Null => {}
        Node::Bool(value) => name.push_str(&value.to_string()),
        Node::Number(number) => name.push_str(&number.to_string()),
        Node::Text(text) => name.push_str(text),
        Node::Table(_) => name.push_str("[object Object]"),
        Node::List(items) => {
            for (index, &item) in items.iter().enumerate() {
                name.push_str(if index == 0 { "" } else { "," });
                write_name(graph, item, name, depth + 1)?;
            }
        }
    }
    let is_list = depth > 0 || matches!(graph.nodes[id], Node::List(_));
    if is_list && name.len() > KEY_BYTES_MAX { Err("a list that is a key is too long") } else { Ok(()) }
}
