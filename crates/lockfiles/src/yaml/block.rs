//! Fast parser of the YAML that programs write into lockfiles: maps by indentation, lists, flow
//! values on one line, quoted scalars without escapes, `|-` blocks. In: a text of one document.
//! Out: the node that the full parser would make, with the same lines, or `None` for everything
//! else, errors included: the caller asks the full parser then.

use std::borrow::Cow;

use super::{DEPTH_MAX, YamlNode, YamlStyle, YamlValue, repeated};

/// YAML's limit for a key on the line of its value is 1024 characters.
const KEY_BYTES_MAX: usize = 1000;

pub(super) fn parse(text: &str) -> Option<YamlNode<'_>> {
    let mut parser = BlockParser { rest: text, current: None, read: 0 };
    parser.advance()?;
    let first = parser.current.filter(|line| line.indent == 0)?;
    let node = parser.block(first.indent, 1)?;
    parser.current.is_none().then_some(node)
}

/// A line that is not blank.
#[derive(Clone, Copy)]
struct Line<'t> {
    indent: usize,
    content: &'t str,
    number: usize,
}

struct BlockParser<'t> {
    rest: &'t str,
    current: Option<Line<'t>>,
    /// Lines taken from `rest`.
    read: usize,
}

impl<'t> BlockParser<'t> {
    /// Goes to the next line that is not blank.
    fn advance(&mut self) -> Option<()> {
        self.current = None;
        while !self.rest.is_empty() {
            let line = self.take_line();
            let content = line.trim_start_matches(' ');
            if content.is_empty() {
                continue;
            }
            if content.ends_with(' ') || content.starts_with('#') || !is_printable(content) {
                return None;
            }
            self.current = Some(Line { indent: line.len() - content.len(), content, number: self.read });
            break;
        }
        Some(())
    }

    fn take_line(&mut self) -> &'t str {
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        self.read += 1;
        line
    }

    fn block(&mut self, indent: usize, depth: usize) -> Option<YamlNode<'t>> {
        let first = self.current.filter(|_| depth <= DEPTH_MAX)?;
        let is_list = first.content.starts_with("- ");
        let value = if is_list { self.list(indent)? } else { self.map(indent, depth)? };
        // A line further inside than the last one would continue its scalar.
        let is_ended = self.current.is_none_or(|line| line.indent < indent);
        is_ended.then_some(YamlNode { line: first.number, value })
    }

    fn list(&mut self, indent: usize) -> Option<YamlValue<'t>> {
        let mut elements = Vec::new();
        while let Some(line) = self.current.filter(|line| line.indent == indent) {
            let content = line.content.strip_prefix("- ")?;
            elements.push(inline(content, line.number)?);
            self.advance()?;
        }
        Some(YamlValue::List(elements))
    }

    fn map(&mut self, indent: usize, depth: usize) -> Option<YamlValue<'t>> {
        let mut members = Vec::new();
        while let Some(line) = self.current.filter(|line| line.indent == indent) {
            let (key, rest) = key(line.content)?;
            let node = match rest {
                "" => {
                    self.advance()?;
                    let inner = self.current.filter(|inner| inner.indent > indent)?;
                    self.block(inner.indent, depth + 1)?
                }
                "|-" => self.literal(indent)?,
                rest => {
                    let node = inline(rest, line.number)?;
                    self.advance()?;
                    node
                }
            };
            members.push((key, node));
        }
        repeated(&members).is_none().then_some(YamlValue::Map(members))
    }

    /// The lines below a `|-`, without the line breaks at their end.
    fn literal(&mut self, indent: usize) -> Option<YamlNode<'t>> {
        let spaces = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let first = self.rest.split('\n').next().filter(|line| !line.trim_start_matches(' ').is_empty())?;
        let inner = Some(spaces(first)).filter(|inner| *inner > indent)?;
        let number = self.read + 1;
        let mut text = String::new();
        while !self.rest.is_empty() {
            let line = self.rest.split('\n').next().unwrap_or_default();
            let is_blank = line.trim_start_matches(' ').is_empty();
            if !is_blank && spaces(line) < inner {
                break;
            }
            if !is_printable(line) || is_blank && line.len() > inner {
                return None;
            }
            self.take_line();
            text.push_str(line.get(inner..).unwrap_or_default());
            text.push('\n');
        }
        text.truncate(text.trim_end_matches('\n').len());
        self.advance()?;
        let value = YamlValue::Scalar { text: Cow::Owned(text), style: YamlStyle::Quoted };
        Some(YamlNode { line: number, value })
    }
}

/// The key of a member, and what stands behind its colon.
fn key(content: &str) -> Option<(Cow<'_, str>, &str)> {
    let (key, rest) = match content.starts_with(['\'', '"']) {
        true => quoted(content)?,
        false => {
            let end = plain_end(content, Surroundings::Block)?;
            (Cow::Borrowed(&content[..end]), &content[end..])
        }
    };
    let rest = rest.strip_prefix(':').filter(|_| !key.is_empty() && key.len() <= KEY_BYTES_MAX)?;
    match rest {
        "" => Some((key, "")),
        rest => Some((key, rest.strip_prefix(' ')?)),
    }
}

/// A value that takes the rest of a line.
fn inline(content: &str, line: usize) -> Option<YamlNode<'_>> {
    let (node, rest) = match content.starts_with(['{', '[']) {
        true => flow(content, line, 1)?,
        false => scalar(content, line, Surroundings::Block)?,
    };
    rest.is_empty().then_some(node)
}

/// A value inside of `{}` and `[]`, or one of those.
fn flow(content: &str, line: usize, depth: usize) -> Option<(YamlNode<'_>, &str)> {
    if depth > DEPTH_MAX {
        return None;
    }
    if let Some(mut rest) = content.strip_prefix('[') {
        let mut elements = Vec::new();
        while !rest.starts_with(']') {
            let (element, after) = flow(rest, line, depth + 1)?;
            elements.push(element);
            rest = next_item(after, ']')?;
        }
        return Some((YamlNode { line, value: YamlValue::List(elements) }, &rest[1..]));
    }
    if let Some(mut rest) = content.strip_prefix('{') {
        let mut members = Vec::new();
        while !rest.starts_with('}') {
            let (YamlNode { value: YamlValue::Scalar { text, .. }, .. }, after) =
                scalar(rest, line, Surroundings::Flow)?
            else {
                return None;
            };
            let (node, after) = flow(after.strip_prefix(": ")?, line, depth + 1)?;
            members.push((text, node));
            rest = next_item(after, '}')?;
        }
        repeated(&members).is_none().then_some(())?;
        return Some((YamlNode { line, value: YamlValue::Map(members) }, &rest[1..]));
    }
    scalar(content, line, Surroundings::Flow)
}

/// What follows a comma, or the closing bracket.
fn next_item(after: &str, close: char) -> Option<&str> {
    match after.strip_prefix(", ") {
        Some(rest) if !rest.starts_with(close) => Some(rest),
        Some(_) => None,
        None => after.starts_with(close).then_some(after),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Surroundings {
    Block,
    Flow,
}

fn scalar(content: &str, line: usize, surroundings: Surroundings) -> Option<(YamlNode<'_>, &str)> {
    let (text, style, rest) = match content.starts_with(['\'', '"']) {
        true => {
            let (text, rest) = quoted(content)?;
            (text, YamlStyle::Quoted, rest)
        }
        false => {
            let end = plain_end(content, surroundings)?;
            (Cow::Borrowed(&content[..end]), YamlStyle::Plain, &content[end..])
        }
    };
    Some((YamlNode { line, value: YamlValue::Scalar { text, style } }, rest))
}

/// A quoted text, and what follows it. Escapes of double quotes are left to the full parser.
fn quoted(content: &str) -> Option<(Cow<'_, str>, &str)> {
    if let Some(inner) = content.strip_prefix('"') {
        let end = inner.find(['"', '\\']).filter(|end| inner.as_bytes()[*end] == b'"')?;
        return Some((Cow::Borrowed(&inner[..end]), &inner[end + 1..]));
    }
    let inner = content.strip_prefix('\'')?;
    let mut end = inner.find('\'')?;
    let mut has_quotes = false;
    while inner[end + 1..].starts_with('\'') {
        has_quotes = true;
        end += 2 + inner[end + 2..].find('\'')?;
    }
    let text = &inner[..end];
    let text = if has_quotes { Cow::Owned(text.replace("''", "'")) } else { Cow::Borrowed(text) };
    Some((text, &inner[end + 1..]))
}

/// Where a scalar without quotes ends: before a colon that ends a key, or, inside of brackets,
/// before a comma or a bracket. Indicators at its start are left to the full parser.
fn plain_end(content: &str, surroundings: Surroundings) -> Option<usize> {
    let bytes = content.as_bytes();
    let starts = |byte: &u8| byte.is_ascii_alphanumeric() || b"_./^~<=(+$".contains(byte);
    bytes.first().filter(|byte| starts(byte))?;
    let mut end = bytes.len();
    for (at, &byte) in bytes.iter().enumerate() {
        let next = bytes.get(at + 1).copied();
        match byte {
            b':' if matches!(next, None | Some(b' ')) => end = at,
            b':' if surroundings == Surroundings::Flow
                && next.is_some_and(|next| b",[]{}".contains(&next)) =>
            {
                return None;
            }
            b'#' if bytes[at - 1] == b' ' => return None,
            b',' | b']' | b'}' if surroundings == Surroundings::Flow => end = at,
            b'[' | b'{' if surroundings == Surroundings::Flow => return None,
            _ => continue,
        }
        break;
    }
    (bytes[end - 1] != b' ').then_some(end)
}

/// Without tabs, other control characters, and characters that may end a line.
fn is_printable(text: &str) -> bool {
    let is_plain = |byte: &u8| (b' '..=b'~').contains(byte);
    let is_allowed = |character: char| {
        !character.is_control() && !matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}')
    };
    text.as_bytes().iter().all(is_plain) || text.chars().all(is_allowed)
}

#[cfg(test)]
mod tests;
