//! Values that refer to each other. In: nodes, as a parser meets them. Out: JSON. Where all is a
//! tree of what JSON has, `{"value": …}`; where nodes stand in several places, or numbers are none,
//! `{"nodes": […], "numbers": {…}}`: each node once, lists and tables by the numbers of their
//! nodes, and behind them the number of the whole. js/internal/data_formats.js makes values of
//! either. Absent: recursion.

use std::collections::HashMap;
use std::fmt::Write as _;

pub type Id = usize;

#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Id>),
    /// Each key once.
    Table(Vec<(String, Id)>),
}

#[derive(Debug, Default)]
pub struct Graph {
    pub nodes: Vec<Node>,
}

/// Members of a table, of which each key stands once: where it stood first, with the last value.
#[derive(Debug, Default)]
pub struct Members {
    pairs: Vec<(String, Id)>,
    /// Places in `pairs`.
    places: HashMap<String, usize>,
}

impl Members {
    pub fn set(&mut self, key: String, value: Id) {
        match self.places.get(&key) {
            Some(&place) => self.pairs[place].1 = value,
            None => {
                self.places.insert(key.clone(), self.pairs.len());
                self.pairs.push((key, value));
            }
        }
    }

    pub fn into_pairs(self) -> Vec<(String, Id)> {
        self.pairs
    }
}

/// A list or a table whose end is still to be written.
struct Open<'g> {
    rest: Rest<'g>,
    is_first: bool,
}

enum Rest<'g> {
    List(std::slice::Iter<'g, Id>),
    Table(std::slice::Iter<'g, (String, Id)>),
}

impl Graph {
    pub fn add(&mut self, node: Node) -> Id {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    pub fn json(&self, root: Id) -> String {
        if self.is_tree(root) { self.tree(root) } else { self.flat(root) }
    }

    /// Whether each node of it stands in one place, and JSON has a word for it.
    fn is_tree(&self, root: Id) -> bool {
        let mut is_met = vec![false; self.nodes.len()];
        let mut waiting = vec![root];
        while let Some(id) = waiting.pop() {
            if std::mem::replace(&mut is_met[id], true) {
                return false;
            }
            match &self.nodes[id] {
                Node::Number(number) if !number.is_finite() => return false,
                Node::List(ids) => waiting.extend(ids),
                Node::Table(members) => waiting.extend(members.iter().map(|(_, id)| id)),
                _ => {}
            }
        }
        true
    }

    fn tree(&self, root: Id) -> String {
        let mut out = "{\"value\":".to_owned();
        let mut open: Vec<Open<'_>> = Vec::new();
        open.extend(self.begin(root, &mut out));
        while let Some(innermost) = open.last_mut() {
            let comma = if std::mem::take(&mut innermost.is_first) { "" } else { "," };
            let next = match &mut innermost.rest {
                Rest::List(ids) => ids.next().map(|&id| {
                    out.push_str(comma);
                    id
                }),
                Rest::Table(members) => members.next().map(|(key, id)| {
                    out.push_str(comma);
                    write_text(&mut out, key);
                    out.push(':');
                    *id
                }),
            };
            match next {
                Some(id) => {
                    let inner = self.begin(id, &mut out);
                    open.extend(inner);
                }
                None => {
                    out.push(if matches!(innermost.rest, Rest::List(_)) { ']' } else { '}' });
                    open.pop();
                }
            }
        }
        out.push('}');
        out
    }

    /// Writes a node, or the beginning of one that holds others.
    fn begin<'g>(&'g self, id: Id, out: &mut String) -> Option<Open<'g>> {
        let rest = match &self.nodes[id] {
            Node::List(ids) => {
                out.push('[');
                Rest::List(ids.iter())
            }
            Node::Table(members) => {
                out.push('{');
                Rest::Table(members.iter())
            }
            node => {
                write_plain(out, node);
                return None;
            }
        };
        Some(Open { rest, is_first: true })
    }

    fn flat(&self, root: Id) -> String {
        let mut out = "{\"nodes\":[".to_owned();
        for node in &self.nodes {
            match node {
                Node::List(ids) => {
                    let ids: Vec<String> = ids.iter().map(Id::to_string).collect();
                    _ = write!(out, "[{}]", ids.join(","));
                }
                Node::Table(members) => {
                    out.push('{');
                    for (index, (key, id)) in members.iter().enumerate() {
                        out.push_str(if index == 0 { "" } else { "," });
                        write_text(&mut out, key);
                        _ = write!(out, ":{id}");
                    }
                    out.push('}');
                }
                node => write_plain(&mut out, node),
            }
            out.push(',');
        }
        // Behind all nodes the number of the one that is the whole.
        _ = write!(out, "{root}],\"numbers\":{{");
        let odd = self.nodes.iter().enumerate().filter_map(|(id, node)| match node {
            Node::Number(number) if !number.is_finite() => Some((id, number)),
            _ => None,
        });
        for (index, (id, number)) in odd.enumerate() {
            let name = match number {
                number if number.is_nan() => "NaN",
                number if number.is_sign_negative() => "-Infinity",
                _ => "Infinity",
            };
            _ = write!(out, "{}\"{id}\":\"{name}\"", if index == 0 { "" } else { "," });
        }
        out.push_str("}}");
        out
    }
}

fn write_plain(out: &mut String, node: &Node) {
    match node {
        Node::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Node::Number(number) if number.is_finite() => _ = write!(out, "{number}"),
        Node::Text(text) => write_text(out, text),
        _ => out.push_str("null"),
    }
}

fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            letter if letter < ' ' => _ = write!(out, "\\u{:04x}", letter as u32),
            letter => out.push(letter),
        }
    }
    out.push('"');
}
