//! Parser for `.env` files, as bun reads them. In: the files' contents, and the environment. Out:
//! the variables that the files add. A value is in quotes of three kinds, possibly over several
//! lines, or ends with its line or at a `#`. `$NAME`, `${NAME}` and `${NAME:-default}` are
//! expanded, in any quotes. Existing environment variables have precedence. Absent: reading files.

use std::collections::BTreeMap;

/// Maximum bytes of a value: the kernel's limit for one environment variable (`MAX_ARG_STRLEN`).
/// A longer one is not expanded any further.
const VALUE_BYTES_MAX: usize = 128 * 1024;

/// Maximum depth of expansions; deeper references are not expanded.
const DEPTH_MAX: usize = 100;

/// The files that are read by default; the first has precedence. `mode`: the value of
/// `NODE_ENV`.
pub fn names(mode: Option<&str>) -> Vec<String> {
    let mode = mode.filter(|mode| ["production", "test"].contains(mode)).unwrap_or("development");
    let mut names = vec![format!(".env.{mode}.local")];
    // Settings of one developer must not change test results.
    if mode != "test" {
        names.push(".env.local".to_owned());
    }
    names.extend([format!(".env.{mode}"), ".env".to_owned()]);
    names
}

/// The variables that the files add to the environment; the first file has precedence.
pub fn parse_files(files: &[&str], environment: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut written = BTreeMap::new();
    for file in files.iter().rev() {
        written.extend(parse(file));
    }
    written.retain(|name, _| !environment.contains_key(name));
    let mut expansion =
        Expansion { written: &written, environment, expanded: BTreeMap::new(), active: Vec::new(), depth: 0 };
    for name in written.keys() {
        expansion.value(name);
    }
    expansion.expanded
}

/// Names and unexpanded values; if a name occurs again, the last one has precedence.
fn parse(text: &str) -> Vec<(String, String)> {
    let mut variables = Vec::new();
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    loop {
        rest = rest.trim_start_matches(is_space);
        if rest.is_empty() {
            return variables;
        }
        rest = match entry(rest) {
            Some((name, value, after)) => {
                variables.push((name.to_owned(), value));
                after_line(after)
            }
            None => after_line(rest),
        };
    }
}

fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

fn after_line(text: &str) -> &str {
    text.find('\n').map_or("", |end| &text[end + 1..])
}

/// The variable at the start of the source text, and the source text after its value.
fn entry(line: &str) -> Option<(&str, String, &str)> {
    let (name, rest) = match name(line)? {
        ("export", rest)
            if rest.starts_with(is_blank) && name(rest.trim_start_matches(is_blank)).is_some() =>
        {
            name(rest.trim_start_matches(is_blank))?
        }
        name_and_rest => name_and_rest,
    };
    let rest = rest.trim_start_matches(is_blank).strip_prefix(['=', ':'])?.trim_start_matches(is_blank);
    if let Some(quote) = rest.chars().next().filter(|character| matches!(character, '"' | '\'' | '`'))
        && let Some(end) = closing(&rest[1..], quote)
    {
        let inside = &rest[1..1 + end];
        let value = if quote == '"' { unescape(inside) } else { inside.to_owned() };
        return Some((name, value, &rest[end + 2..]));
    }
    let end = rest.find('\n').unwrap_or(rest.len());
    let value = rest[..end].split('#').next().unwrap_or_default().trim_matches(is_space);
    Some((name, value.to_owned(), &rest[end..]))
}

/// A name, and the source text after it.
fn name(text: &str) -> Option<(&str, &str)> {
    let is_of_name =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '-');
    let end = text.find(|character| !is_of_name(character)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// Offset of the closing quote: the next one without a backslash before it.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().find_map(|(at, character)| {
        let closes = character == quote && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        closes.then_some(at)
    })
}

/// Replaces the escapes `\n` and `\r` of double quotes.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, character == '\\') {
            (_, false) => out.push(character),
            (_, true) => match characters.next() {
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                other => out.extend(['\\'].into_iter().chain(other)),
            },
        }
    }
    out
}

/// Expands references to variables.
struct Expansion<'e> {
    written: &'e BTreeMap<String, String>,
    environment: &'e BTreeMap<String, String>,
    expanded: BTreeMap<String, String>,
    /// Names whose values are being expanded; references to these are cycles, and not expanded.
    active: Vec<String>,
    depth: usize,
}

impl Expansion<'_> {
    /// `None`: it is being expanded.
    fn value(&mut self, name: &str) -> Option<String> {
        if let Some(value) = self.environment.get(name).or_else(|| self.expanded.get(name)) {
            return Some(value.clone());
        }
        if self.active.iter().any(|other| other == name) {
            return None;
        }
        let Some(text) = self.written.get(name) else { return Some(String::new()) };
        self.active.push(name.to_owned());
        let value = self.expand(text);
        self.active.pop();
        self.expanded.insert(name.to_owned(), value.clone());
        Some(value)
    }

    fn expand(&mut self, text: &str) -> String {
        if self.depth == DEPTH_MAX {
            return text.to_owned();
        }
        self.depth += 1;
        let value = self.expand_here(text);
        self.depth -= 1;
        value
    }

    fn expand_here(&mut self, text: &str) -> String {
        let (mut out, mut rest) = (String::new(), text);
        let closings = if text.contains("${") { closings(text) } else { BTreeMap::new() };
        while let Some(at) = rest.find('$') {
            if out.len() + rest.len() > VALUE_BYTES_MAX {
                break;
            }
            let before = &rest[..at];
            if let Some(before) = before.strip_suffix('\\') {
                out.extend([before, "$"]);
                rest = &rest[at + 1..];
                continue;
            }
            out.push_str(before);
            let from = text.len() - rest.len() + at + 1;
            match variable(&rest[at + 1..], closings.get(&from).map(|end| end - from)) {
                Some((name, default, length)) => {
                    let reference = &rest[at..at + 1 + length];
                    let value = self.value(name).unwrap_or_else(|| reference.to_owned());
                    match default.filter(|_| value.is_empty()) {
                        Some(default) => out.push_str(&self.expand(default)),
                        None => out.push_str(&value),
                    }
                    rest = &rest[at + 1 + length..];
                }
                None => {
                    out.push('$');
                    rest = &rest[at + 1..];
                }
            }
        }
        out.push_str(rest);
        out
    }
}

/// The reference after a `$`: a name, its default, and its number of bytes.
/// `closing`: offset of the closing brace, if it begins with a brace.
fn variable(text: &str, closing: Option<usize>) -> Option<(&str, Option<&str>, usize)> {
    if !text.starts_with('{') {
        let is_of_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let end = text.find(|character| !is_of_name(character)).unwrap_or(text.len());
        return (end > 0).then(|| (&text[..end], None, end));
    }
    let inside = &text[1..closing?];
    let length = inside.len() + 2;
    match inside.split_once(":-") {
        Some((name, default)) => Some((name, Some(default), length)),
        None => Some((inside, None, length)).filter(|_| !inside.contains(['-', '{'])),
    }
}

/// Offset of each closing brace, by that of its opening one; braces may be nested.
fn closings(text: &str) -> BTreeMap<usize, usize> {
    let (mut offsets, mut open) = (BTreeMap::new(), Vec::new());
    for (at, character) in text.bytes().enumerate() {
        match character {
            b'{' => open.push(at),
            b'}' => offsets.extend(open.pop().map(|from| (from, at))),
            _ => {}
        }
    }
    offsets
}

#[cfg(test)]
mod tests;
