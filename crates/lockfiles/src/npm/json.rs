//! JSON as npm writes it: keys in npm's order, and the indentation and newlines of the file that
//! was there. In: values, and strings that stay as they are. Out: the text.

use std::cmp::Ordering;

use rusk_npm::json::{Node, Value as ParsedValue, quote_into};

use super::collation;

/// Come first, in this order.
const FIRST: [&str; 8] =
    ["name", "version", "lockfileVersion", "resolved", "integrity", "requires", "packages", "dependencies"];

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    /// As it stands in the old file, at the same depth.
    Raw(String),
    Text(String),
    True,
    Number(u32),
    List(Vec<Json>),
    Object(Members),
}

pub(super) type Members = Vec<(String, Json)>;

/// How the file is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// `None`: everything is on one line.
    pub indent: Option<String>,
    pub newline: &'static str,
    pub has_final_newline: bool,
}

impl Default for Style {
    fn default() -> Style {
        Style { indent: Some("  ".to_owned()), newline: "\n", has_final_newline: true }
    }
}

impl Style {
    /// The style of a text, by the first member of its root.
    pub fn of(text: &str, root: &Node<'_>) -> Style {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let has_final_newline = text.ends_with('\n');
        let indent = root.members().first().and_then(|first| {
            let line = text[..first.start].rfind('\n')? + 1;
            let indent = &text[line..first.start];
            indent.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')).then(|| indent.to_owned())
        });
        Style { indent, newline, has_final_newline }
    }

    fn line(&self, out: &mut String, depth: usize) {
        if let Some(indent) = &self.indent {
            out.push_str(self.newline);
            (0..depth).for_each(|_| out.push_str(indent));
        }
    }
}

impl Json {
    /// A value of another file, with its keys in npm's order.
    pub fn of(node: &Node<'_>) -> Json {
        match &node.value {
            ParsedValue::Null => Json::Raw("null".to_owned()),
            ParsedValue::Bool(true) => Json::True,
            ParsedValue::Bool(false) => Json::Raw("false".to_owned()),
            ParsedValue::Number(digits) => Json::Raw((*digits).to_owned()),
            ParsedValue::String(text) => Json::Text(text.to_string()),
            ParsedValue::Array(elements) => Json::List(elements.iter().map(Json::of).collect()),
            ParsedValue::Object(members) => {
                Json::Object(members.iter().map(|it| (it.key.to_string(), Json::of(&it.node))).collect())
            }
        }
    }

    pub fn strings<'t>(strings: impl IntoIterator<Item = &'t str>) -> Json {
        Json::List(strings.into_iter().map(|text| Json::Text(text.to_owned())).collect())
    }

    pub fn object<K: AsRef<str>, V: AsRef<str>>(pairs: impl IntoIterator<Item = (K, V)>) -> Json {
        let pairs = pairs.into_iter();
        Json::Object(
            pairs
                .map(|(key, value)| (key.as_ref().to_owned(), Json::Text(value.as_ref().to_owned())))
                .collect(),
        )
    }

    fn is_object(&self) -> bool {
        match self {
            Json::Raw(text) => text.starts_with('{'),
            Json::Object(_) => true,
            _ => false,
        }
    }

    pub fn render_into(&self, out: &mut String, style: &Style, depth: usize) {
        match self {
            Json::Raw(text) => out.push_str(text),
            Json::Text(text) => quote_into(out, text),
            Json::True => out.push_str("true"),
            Json::Number(number) => out.push_str(&number.to_string()),
            Json::List(elements) if elements.is_empty() => out.push_str("[]"),
            Json::List(elements) => {
                out.push('[');
                for (at, element) in elements.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    style.line(out, depth + 1);
                    element.render_into(out, style, depth + 1);
                }
                style.line(out, depth);
                out.push(']');
            }
            Json::Object(members) => {
                let mut sorted: Vec<&(String, Json)> = members.iter().collect();
                sorted.sort_by(|a, b| order(a, b));
                render_members(
                    sorted.into_iter().map(|(key, value)| (key.as_str(), value)),
                    out,
                    style,
                    depth,
                );
            }
        }
    }
}

/// An object with its members in the order given.
pub(super) fn render_members<'m>(
    members: impl Iterator<Item = (&'m str, &'m Json)>,
    out: &mut String,
    style: &Style,
    depth: usize,
) {
    let mut is_empty = true;
    out.push('{');
    for (key, value) in members {
        out.push_str(if is_empty { "" } else { "," });
        is_empty = false;
        style.line(out, depth + 1);
        quote_into(out, key);
        out.push_str(if style.indent.is_some() { ": " } else { ":" });
        value.render_into(out, style, depth + 1);
    }
    if !is_empty {
        style.line(out, depth);
    }
    out.push('}');
}

/// Objects come last; of two of a kind, npm's own keys come first.
fn order((a, one): &(String, Json), (b, other): &(String, Json)) -> Ordering {
    let rank = |key: &str| FIRST.iter().position(|first| *first == key).unwrap_or(FIRST.len());
    (one.is_object(), rank(a)).cmp(&(other.is_object(), rank(b))).then_with(|| collation::compare(a, b))
}
