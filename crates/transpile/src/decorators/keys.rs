//! The head of a decorated member: the call that takes its decorators, its modifiers, its key. In:
//! a member. Out: edits up to the end of the key, or source text. Absent: the code after the key
//! (`body`).

use oxc::ast::ast::{Expression, PropertyKey};
use oxc::span::{GetSpan, Span};

use super::class::{self, Lowering};
use super::member::{ClassMember, Shape};
use crate::names;

impl Lowering<'_, '_> {
    /// Inserts a method before a member, whose computed key passes the decorators and the arguments
    /// `registered`.
    pub(super) fn open_beside(&mut self, member: &ClassMember<'_, '_>, call: &str, registered: &str) {
        let before = format!(";static[{}.{call},[", self.state);
        self.list(member.decorators, &before, &format!("],{registered})](){{}}"));
    }

    /// Inserts `modifiers` and a call before the key of a public member: `static[$rd0.key("static
    /// field",[a],`.
    pub(super) fn open_key(&mut self, member: &ClassMember<'_, '_>, modifiers: &str, kind: &str) {
        let Some(key) = member.key.map(GetSpan::span) else { return };
        let before = format!(";{modifiers}[{}.key(\"{kind}\",[", self.state);
        let from = match member.decorators.last() {
            Some(last) => {
                self.list(member.decorators, &before, "],");
                last.span.end
            }
            None => {
                self.edits.open(member.span, before + "],");
                member.span.start
            }
        };
        self.edits.blank(from..key.start);
    }

    /// Ends the call around a public key; the closing bracket of the key stays, or belongs to the
    /// code that follows.
    pub(super) fn close_key(&mut self, member: &ClassMember<'_, '_>) {
        let Some(key) = member.key else { return };
        let span = key.span();
        if let PropertyKey::StaticIdentifier(name) = key {
            self.edits.replace(span.start..span.end, names::quoted(&name.name));
        }
        self.edits.close(span, ")");
    }

    /// Replaces the head of a private member by a public member whose computed key passes the
    /// decorators.
    pub(super) fn open_hidden(
        &mut self,
        member: &ClassMember<'_, '_>,
        modifiers: &str,
        kind: &str,
        after: &str,
    ) {
        let (Some(key), Some(last)) = (member.key.map(GetSpan::span), member.decorators.last()) else {
            return;
        };
        let before = format!(";{modifiers}[{}.hidden(\"{kind}\",[", self.state);
        self.list(member.decorators, &before, &format!("],{})]{after}", access(member)));
        self.edits.blank(last.span.end..key.end);
    }
}

/// A private name, and access functions for it, which must be written inside the class.
pub(super) fn access(member: &ClassMember<'_, '_>) -> String {
    let name = member.private_name().unwrap_or_default();
    let get = format!("o=>o.#{name}");
    let set = format!("(o,v)=>{{o.#{name}=v}}");
    let (get, set) = match member.shape {
        Shape::Field(_) | Shape::Accessor(_) => (get.as_str(), set.as_str()),
        Shape::Setter => ("null", set.as_str()),
        _ => (get.as_str(), "null"),
    };
    format!("{},o=>#{name} in o,{get},{set}", names::quoted(&format!("#{name}")))
}

/// The key of an undecorated member, as an expression.
pub(super) fn constant(key: &PropertyKey<'_>, source: &str) -> String {
    match key {
        PropertyKey::StaticIdentifier(name) => names::quoted(&name.name),
        PropertyKey::StringLiteral(text) => names::quoted(&text.value),
        key => slice(source, key.span()).to_owned(),
    }
}

/// The static name of a field. The engine formats numeric keys.
pub(super) fn known(member: &ClassMember<'_, '_>) -> Option<String> {
    match member.key? {
        PropertyKey::StaticIdentifier(name) => Some(name.name.to_string()),
        PropertyKey::StringLiteral(text) => Some(text.value.to_string()),
        PropertyKey::PrivateIdentifier(name) => Some(format!("#{}", name.name)),
        _ => None,
    }
}

/// The static name of a public member.
pub(super) fn public(member: &ClassMember<'_, '_>) -> Option<String> {
    known(member).filter(|_| member.private_name().is_none())
}

fn slice(source: &str, span: Span) -> &str {
    &source[span.start as usize..span.end as usize]
}

/// The name for an anonymous function or class.
pub(super) enum Name {
    Known(String),
    /// The value of this expression.
    Computed(String),
}

/// The code around an anonymous function or class that sets its name to the field's.
pub(super) fn naming(value: Option<&Expression<'_>>, name: &Name) -> (String, String) {
    if !value.is_some_and(Expression::is_anonymous_function_definition) {
        return (String::new(), String::new());
    }
    match name {
        Name::Known(name) => (format!("({{{}:", class::key(name)), format!("}}){}", class::read(name))),
        Name::Computed(name) => (format!("({{[{name}]:"), format!("}})[{name}]")),
    }
}
