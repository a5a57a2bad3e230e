//! An XML element as a value. In: its attributes, children and text in the order of the document.
//! Out: a string, or a table. White space between children is layout, and says nothing.

use std::collections::HashMap;

use crate::graph::{Graph, Id, Node};

use super::input::is_space;

const TEXT: &str = "#text";

pub(super) struct Element {
    pub(super) name: String,
    /// Members in the order of their first appearance.
    members: Vec<(String, Member)>,
    /// Places in `members`.
    places: HashMap<String, usize>,
    has_children: bool,
    text: String,
    /// Text since the last child.
    run: String,
}

enum Member {
    Attribute(String),
    Children(Vec<Id>),
    Text,
}

impl Element {
    pub(super) fn new(name: &str) -> Element {
        Element {
            name: name.to_owned(),
            members: Vec::new(),
            places: HashMap::new(),
            has_children: false,
            text: String::new(),
            run: String::new(),
        }
    }

    pub(super) fn has_attribute(&self, name: &str) -> bool {
        self.places.contains_key(&format!("@{name}"))
    }

    pub(super) fn add_attribute(&mut self, name: &str, value: String) {
        self.member(format!("@{name}"), Member::Attribute(value));
    }

    pub(super) fn add_text(&mut self, text: &str) {
        self.run.push_str(text);
    }

    pub(super) fn add_child(&mut self, name: String, value: Id) {
        self.has_children = true;
        self.end_run();
        if let Member::Children(children) = self.member(name, Member::Children(Vec::new())) {
            children.push(value);
        }
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        let is_layout = self.has_children && run.chars().all(is_space);
        if !is_layout && !run.is_empty() {
            self.member(TEXT.to_owned(), Member::Text);
            self.text.push_str(&run);
        }
    }

    /// The member of this name, which is `usual` if there is none.
    fn member(&mut self, name: String, usual: Member) -> &mut Member {
        let place = *self.places.entry(name).or_insert_with_key(|name| {
            self.members.push((name.clone(), usual));
            self.members.len() - 1
        });
        &mut self.members[place].1
    }

    pub(super) fn into_value(mut self, graph: &mut Graph) -> Id {
        self.end_run();
        let is_text = self.members.iter().all(|(_, member)| matches!(member, Member::Text));
        if is_text {
            return graph.add(Node::Text(self.text));
        }
        let mut text = Some(self.text);
        let members = self.members.into_iter().map(|(name, member)| {
            let value = match member {
                Member::Attribute(value) => graph.add(Node::Text(value)),
                Member::Text => graph.add(Node::Text(text.take().unwrap_or_default())),
                Member::Children(children) => match children.as_slice() {
                    [only] => *only,
                    _ => graph.add(Node::List(children)),
                },
            };
            (name, value)
        });
        let members = members.collect();
        graph.add(Node::Table(members))
    }
}

/// The table whose only member is the root element.
pub(super) fn document(graph: &mut Graph, name: String, value: Id) -> Id {
    graph.add(Node::Table(vec![(name, value)]))
}
