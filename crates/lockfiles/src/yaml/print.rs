//! YAML as pnpm prints it: block maps with two spaces, short maps on one line, single quotes where
//! a plain scalar would be something else. In: values. Out: text. Absent: anchors, comments.

use super::{YamlNode, YamlStyle, YamlValue};

/// An implicit key may have this many bytes; see YAML 1.2, 7.4.
const IMPLICIT_KEY_BYTES_MAX: usize = 1024;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Yaml {
    /// A number, a boolean, or what was plain in the file that is replaced.
    Plain(String),
    Text(String),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
    /// A map or a list on one line.
    Inline(Box<Yaml>),
}

impl Yaml {
    pub fn of(node: &YamlNode<'_>) -> Yaml {
        match &node.value {
            YamlValue::Scalar { text, style: YamlStyle::Plain } if !text.contains('\n') => {
                Yaml::Plain(text.to_string())
            }
            YamlValue::Scalar { text, .. } => Yaml::Text(text.to_string()),
            YamlValue::List(elements) => Yaml::List(elements.iter().map(Yaml::of).collect()),
            YamlValue::Map(members) => {
                Yaml::Map(members.iter().map(|(key, node)| (key.to_string(), Yaml::of(node))).collect())
            }
        }
    }

    pub fn text(text: impl Into<String>) -> Yaml {
        Yaml::Text(text.into())
    }

    pub fn inline(self) -> Yaml {
        match self {
            Yaml::Map(_) | Yaml::List(_) => Yaml::Inline(Box::new(self)),
            other => other,
        }
    }

    pub fn strings<'t>(strings: impl IntoIterator<Item = &'t str>) -> Yaml {
        Yaml::List(strings.into_iter().map(Yaml::text).collect())
    }

    pub fn pairs<K: Into<String>, V: Into<String>>(pairs: impl IntoIterator<Item = (K, V)>) -> Yaml {
        Yaml::Map(pairs.into_iter().map(|(key, value)| (key.into(), Yaml::text(value))).collect())
    }
}

/// The members of a map, each on lines of its own.
pub fn members_into(out: &mut String, members: &[(String, Yaml)], depth: usize) {
    for (key, value) in members {
        member_into(out, key, value, depth);
    }
}

pub fn member_into(out: &mut String, key: &str, value: &Yaml, depth: usize) {
    let indent = "  ".repeat(depth);
    let key = scalar(key, ScalarContext::Block);
    out.push_str(&indent);
    match key.len() > IMPLICIT_KEY_BYTES_MAX {
        true => out.push_str(&format!("? {key}\n{indent}:")),
        false => out.push_str(&format!("{key}:")),
    }
    match value {
        Yaml::Map(members) if !members.is_empty() => {
            out.push('\n');
            members_into(out, members, depth + 1);
        }
        Yaml::List(elements) if !elements.is_empty() => {
            out.push('\n');
            for element in elements {
                out.push_str(&format!("{indent}  - "));
                inline_into(out, element);
                out.push('\n');
            }
        }
        Yaml::Text(text) if is_block(text) => {
            let end = if text.ends_with('\n') { "" } else { "-" };
            out.push_str(&format!(" |{end}\n"));
            for line in text.trim_end_matches('\n').split('\n') {
                out.push_str(if line.is_empty() { "" } else { &indent });
                out.push_str(if line.is_empty() { "\n" } else { "  " });
                if !line.is_empty() {
                    out.push_str(line);
                    out.push('\n');
                }
            }
        }
        Yaml::Text(text) => out.push_str(&format!(" {}\n", scalar(text, ScalarContext::Block))),
        Yaml::Plain(text) if text.is_empty() => out.push('\n'),
        Yaml::Plain(text) => out.push_str(&format!(" {}\n", plain(text, ScalarContext::Block))),
        value => {
            out.push(' ');
            inline_into(out, value);
            out.push('\n');
        }
    }
}

/// Lines as they are; a text that begins with a space, or ends with empty lines, is quoted.
fn is_block(text: &str) -> bool {
    let is_shown = text.chars().all(|one| one == '\n' || one == '\t' || !one.is_control());
    text.contains('\n') && is_shown && !text.starts_with([' ', '\n', '\t']) && !text.ends_with("\n\n")
}

fn inline_into(out: &mut String, value: &Yaml) {
    match value {
        Yaml::Plain(text) => out.push_str(&plain(text, ScalarContext::Inline)),
        Yaml::Text(text) => out.push_str(&scalar(text, ScalarContext::Inline)),
        Yaml::Inline(value) => inline_into(out, value),
        Yaml::List(elements) => {
            out.push('[');
            for (at, element) in elements.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                inline_into(out, element);
            }
            out.push(']');
        }
        Yaml::Map(members) => {
            out.push('{');
            for (at, (key, value)) in members.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                out.push_str(&scalar(key, ScalarContext::Inline));
                out.push_str(": ");
                inline_into(out, value);
            }
            out.push('}');
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ScalarContext {
    Block,
    /// Between brackets, where commas and brackets have a meaning.
    Inline,
}

fn scalar(text: &str, context: ScalarContext) -> String {
    if text
        .chars()
        .any(|one| one.is_control() || matches!(one, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}'))
    {
        let mut quoted = String::new();
        rusk_npm::json::quote_into(&mut quoted, text);
        return quoted;
    }
    match has_plain_form(text, context) && !is_other_type(text) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "''")),
    }
}

/// What was plain in another place may need quotes here.
fn plain(text: &str, context: ScalarContext) -> String {
    if text.is_empty() {
        return "null".to_owned();
    }
    let may_stay = has_plain_form(text, context) && !text.chars().any(char::is_control);
    if may_stay { text.to_owned() } else { scalar(text, context) }
}

/// Whether a text is itself without quotes: YAML 1.2, 7.3.3.
fn has_plain_form(text: &str, context: ScalarContext) -> bool {
    const INDICATORS: [char; 20] =
        ['-', '?', ':', ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '=', '>', '\'', '"', '%', '@', '`'];
    if text.is_empty() || text.starts_with(INDICATORS) || text.starts_with(' ') || text.ends_with([' ', ':'])
    {
        return false;
    }
    let mut before = ' ';
    for one in text.chars() {
        let is_comment = one == '#' && before == ' ';
        let is_key = one == ' ' && before == ':';
        let is_bracket = context == ScalarContext::Inline && matches!(one, ',' | '[' | ']' | '{' | '}');
        let is_inline_key =
            context == ScalarContext::Inline && before == ':' && matches!(one, ',' | '[' | ']' | '{' | '}');
        if is_comment || is_key || is_bracket || is_inline_key {
            return false;
        }
        before = one;
    }
    true
}

fn is_other_type(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    if matches!(lower.as_str(), "~" | "null" | "true" | "false" | "<<" | ".nan") {
        return true;
    }
    let unsigned = lower.strip_prefix(['-', '+']).unwrap_or(&lower);
    let digits = |text: &str, is_digit: fn(&char) -> bool| {
        !text.is_empty() && text.chars().all(|one| one == '_' || is_digit(&one))
    };
    let is_radix = [
        ("0x", (|one| one.is_ascii_hexdigit()) as fn(&char) -> bool),
        ("0o", |one| one.is_digit(8)),
        ("0b", |one| one.is_digit(2)),
    ]
    .into_iter()
    .any(|(prefix, is_digit)| unsigned.strip_prefix(prefix).is_some_and(|rest| digits(rest, is_digit)));
    is_radix || unsigned == ".inf" || is_number(unsigned) || is_date(text)
}

fn is_number(text: &str) -> bool {
    let begins = text.starts_with(|one: char| one.is_ascii_digit())
        || text.strip_prefix('.').is_some_and(|rest| rest.starts_with(|one: char| one.is_ascii_digit()));
    let plain: String = text.chars().filter(|one| *one != '_').collect();
    let is_shaped = plain.bytes().all(|byte| byte.is_ascii_digit() || b".e+-".contains(&byte));
    begins && is_shaped && plain.parse::<f64>().is_ok()
}

/// `2001-12-14`, alone or before a time.
fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    (0..4).all(is_digit)
        && bytes.get(4) == Some(&b'-')
        && is_digit(5)
        && bytes[5..].contains(&b'-')
        && bytes.iter().all(|byte| byte.is_ascii_digit() || b"-:.tTzZ +".contains(byte))
}

#[cfg(test)]
mod tests;
