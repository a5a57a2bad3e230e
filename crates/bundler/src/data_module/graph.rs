//! Values that refer to each other as JavaScript: YAML's anchors and aliases, and numbers that JSON
//! lacks. In: the nodes of `rusk_data_formats` (`graph`). Out: an expression, in which a list or
//! table that stands in several places is one object. Absent: recursion.

use std::fmt::Write as _;

use rusk_npm::json::{self, Node, Value};

use super::{DataMember, DataModule, MemberValue};

struct NodeGraph<'g> {
    nodes: &'g [Node<'g>],
    /// Numbers that JSON lacks, by the number of their node.
    numbers: &'g Node<'g>,
    /// Lists and tables that need a name.
    is_named: Vec<bool>,
    /// After what they contain, except in cycles.
    order: Vec<usize>,
}

/// What a walk has seen of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    Open,
    Done,
}

/// The module of `{"nodes": […], "numbers": {…}}`.
pub(super) fn module(nodes: &[Node<'_>], numbers: &Node<'_>) -> Option<DataModule> {
    let (root, nodes) = nodes.split_last()?;
    let root = number(root)?;
    let mut graph = NodeGraph { nodes, numbers, is_named: vec![false; nodes.len()], order: Vec::new() };
    graph.walk(root);
    let names = match &nodes.get(root)?.value {
        Value::Object(members) => members.iter().map(|member| member.key.to_string()).collect(),
        _ => Vec::new(),
    };
    let members = names.into_iter().filter(|name| super::is_exportable(name));
    let members = members.map(|name| DataMember { name, value: MemberValue::Property }).collect();
    Some(DataModule { text: graph.text(root), members })
}

fn number(node: &Node<'_>) -> Option<usize> {
    match node.value {
        Value::Number(digits) => digits.parse().ok(),
        _ => None,
    }
}

fn children(node: &Node<'_>) -> Vec<usize> {
    match &node.value {
        Value::Array(elements) => elements.iter().filter_map(number).collect(),
        Value::Object(members) => members.iter().filter_map(|member| number(&member.node)).collect(),
        _ => Vec::new(),
    }
}

impl NodeGraph<'_> {
    fn is_container(&self, id: usize) -> bool {
        matches!(self.nodes[id].value, Value::Array(_) | Value::Object(_))
    }

    /// Finds the order of the nodes, and those that are in several places.
    fn walk(&mut self, root: usize) {
        let mut visits = vec![Visit::New; self.nodes.len()];
        let mut open = vec![(root, children(&self.nodes[root]).into_iter())];
        visits[root] = Visit::Open;
        while let Some((id, rest)) = open.last_mut() {
            let id = *id;
            match rest.next() {
                Some(child) if visits[child] == Visit::New => {
                    visits[child] = Visit::Open;
                    open.push((child, children(&self.nodes[child]).into_iter()));
                }
                Some(child) => {
                    self.is_named[child] = self.is_container(child);
                    // The child is set in its place when both are there.
                    if visits[child] == Visit::Open {
                        self.is_named[id] = true;
                    }
                }
                None => {
                    visits[id] = Visit::Done;
                    self.order.push(id);
                    open.pop();
                }
            }
        }
    }

    fn text(&self, root: usize) -> String {
        let mut texts: Vec<String> = vec![String::new(); self.nodes.len()];
        let mut done = vec![false; self.nodes.len()];
        let (mut variables, mut later) = (String::new(), String::new());
        for &id in &self.order {
            let text = self.literal(id, &mut texts, &done, &mut later);
            texts[id] = match self.is_named[id] {
                true => {
                    let _ = writeln!(variables, "  var v{id} = {text};");
                    format!("v{id}")
                }
                false => text,
            };
            done[id] = true;
        }
        let value = std::mem::take(&mut texts[root]);
        match variables.is_empty() {
            true => value,
            false => format!("/* @__PURE__ */ (() => {{\n{variables}{later}  return {value};\n}})()"),
        }
    }

    fn literal(&self, id: usize, texts: &mut [String], done: &[bool], later: &mut String) -> String {
        let mut value_of = |key: &str, child: usize| match (done[child], self.is_named[child]) {
            (true, true) => texts[child].clone(),
            (true, false) if self.is_container(child) => std::mem::take(&mut texts[child]),
            (true, false) => texts[child].clone(),
            (false, _) => {
                let _ = writeln!(later, "  v{id}[{key}] = v{child};");
                "null".to_owned()
            }
        };
        match &self.nodes[id].value {
            Value::Array(elements) => {
                let elements = elements.iter().filter_map(number).enumerate();
                let elements: Vec<String> =
                    elements.map(|(index, child)| value_of(&index.to_string(), child)).collect();
                format!("[{}]", elements.join(", "))
            }
            Value::Object(members) => {
                let members = members.iter().filter_map(|member| {
                    let mut key = String::new();
                    json::quote_into(&mut key, &member.key);
                    let value = value_of(&key, number(&member.node)?);
                    let key = if member.key == "__proto__" { format!("[{key}]") } else { key };
                    Some(format!("{key}: {value}"))
                });
                let members: Vec<String> = members.collect();
                if members.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", members.join(", ")) }
            }
            value => self.plain(id, value),
        }
    }

    fn plain(&self, id: usize, value: &Value<'_>) -> String {
        if let Some(name) = self.numbers.find(&id.to_string()).and_then(Node::as_str) {
            return name.to_owned();
        }
        match value {
            Value::Bool(value) => value.to_string(),
            Value::Number(digits) => (*digits).to_owned(),
            Value::String(text) => {
                let mut quoted = String::new();
                json::quote_into(&mut quoted, text);
                quoted
            }
            Value::Null | Value::Array(_) | Value::Object(_) => "null".to_owned(),
        }
    }
}
