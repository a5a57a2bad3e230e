//! Builds JSON text from parts that are JSON already. In: keys and values. Out: one line.

use super::quote_into;

pub fn line(members: &[(&str, String)]) -> String {
    let mut text = object(members);
    text.push('\n');
    text
}

pub fn object(members: &[(&str, String)]) -> String {
    let list: Vec<String> = members.iter().map(|(key, value)| format!("{}:{value}", string(key))).collect();
    format!("{{{}}}", list.join(","))
}

pub fn array(elements: impl Iterator<Item = String>) -> String {
    format!("[{}]", elements.collect::<Vec<_>>().join(","))
}

pub fn optional(text: Option<&str>) -> String {
    text.map_or_else(|| "null".to_owned(), string)
}

pub fn string(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quote_into(&mut quoted, text);
    quoted
}

/// JSON without the blanks between its tokens.
pub fn compact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    for character in text.chars() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
        } else if character.is_ascii_whitespace() {
            continue;
        } else {
            in_string = character == '"';
        }
        out.push(character);
    }
    out
}
