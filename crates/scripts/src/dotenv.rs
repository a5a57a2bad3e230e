//! Files of variables (`.env`), as bun reads them. In: their strings, and the variables that are
//! there. Out: the variables that they add. A value stands in quotes of three kinds, over several
//! lines if it must, or ends with its line or at a `#`; `$NAME`, `${NAME}` and `${NAME:-else}`
//! stand for other variables, in any quotes. What is there already counts more. Absent: reading
//! files.

use std::collections::BTreeMap;

/// Bytes of a value at most: what the kernel takes as one variable (`MAX_ARG_STRLEN`). A longer one
/// is not put together any further.
const VALUE_BYTES_MAX: usize = 128 * 1024;

/// Values within values; deeper ones stay as they are written.
const DEPTH_MAX: usize = 100;

/// The files that are read by default; the first has precedence. `mode`: the value of
/// `NODE_ENV`.
pub fn names(mode: Option<&str>) -> Vec<String> {
    let mode = mode.filter(|mode| ["production", "test"].contains(mode)).unwrap_or("development");
    let mut names = vec![format!(".env.{mode}.local")];
    // What one person has is not to decide over tests.
    if mode != "test" {
        names.push(".env.local".to_owned());
    }
    names.extend([format!(".env.{mode}"), ".env".to_owned()]);
    names
}

/// What the strings add to `given`; of the strings, the first counts most.
pub fn read_together(texts: &[&str], given: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut written = BTreeMap::new();
    for text in texts.iter().rev() {
        written.extend(parse(text));
    }
    written.retain(|name, _| !given.contains_key(name));
    let mut expansion =
        Expansion { written: &written, given, done: BTreeMap::new(), around: Vec::new(), depth: 0 };
    for name in written.keys() {
        expansion.value(name);
    }
    expansion.done
}

/// Names and values as they are written; of one name, the last counts.
fn parse(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    loop {
        rest = rest.trim_start_matches(is_space);
        if rest.is_empty() {
            return found;
        }
        rest = match entry(rest) {
            Some((name, value, after)) => {
                found.push((name.to_owned(), value));
                behind_line(after)
            }
            None => behind_line(rest),
        };
    }
}

fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\r' | '\n')
}

fn is_blank(letter: char) -> bool {
    matches!(letter, ' ' | '\t')
}

fn behind_line(text: &str) -> &str {
    text.find('\n').map_or("", |end| &text[end + 1..])
}

/// The variable at the start, and the text after its value.
fn entry(line: &str) -> Option<(&str, String, &str)> {
    let (name, rest) = match name(line)? {
        ("export", rest)
            if rest.starts_with(is_blank) && name(rest.trim_start_matches(is_blank)).is_some() =>
        {
            name(rest.trim_start_matches(is_blank))?
        }
        found => found,
    };
    let rest = rest.trim_start_matches(is_blank).strip_prefix(['=', ':'])?.trim_start_matches(is_blank);
    if let Some(quote) = rest.chars().next().filter(|letter| matches!(letter, '"' | '\'' | '`'))
        && let Some(end) = closing(&rest[1..], quote)
    {
        let inside = &rest[1..1 + end];
        let value = if quote == '"' { lines(inside) } else { inside.to_owned() };
        return Some((name, value, &rest[end + 2..]));
    }
    let end = rest.find('\n').unwrap_or(rest.len());
    let value = rest[..end].split('#').next().unwrap_or_default().trim_matches(is_space);
    Some((name, value.to_owned(), &rest[end..]))
}

/// A name, and the text after it.
fn name(text: &str) -> Option<(&str, &str)> {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-');
    let end = text.find(|letter| !is_of_name(letter)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// Where the quote is again, with no backslash before it.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().find_map(|(at, letter)| {
        let closes = letter == quote && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        closes.then_some(at)
    })
}

/// `\n` and `\r` between double quotes.
fn lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, letter == '\\') {
            (_, false) => out.push(letter),
            (_, true) => match letters.next() {
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
    given: &'e BTreeMap<String, String>,
    done: BTreeMap<String, String>,
    /// Those whose values are being put together; one of them within another stays as it is
    /// written.
    around: Vec<String>,
    depth: usize,
}

impl Expansion<'_> {
    /// `None`: it is being put together.
    fn value(&mut self, name: &str) -> Option<String> {
        if let Some(value) = self.given.get(name).or_else(|| self.done.get(name)) {
            return Some(value.clone());
        }
        if self.around.iter().any(|other| other == name) {
            return None;
        }
        let Some(text) = self.written.get(name) else { return Some(String::new()) };
        self.around.push(name.to_owned());
        let value = self.expand(text);
        self.around.pop();
        self.done.insert(name.to_owned(), value.clone());
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
                Some((name, or_else, length)) => {
                    let whole = &rest[at..at + 1 + length];
                    let value = self.value(name).unwrap_or_else(|| whole.to_owned());
                    match or_else.filter(|_| value.is_empty()) {
                        Some(or_else) => out.push_str(&self.expand(or_else)),
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

/// The reference after a `$`: a name, its default, and the number of bytes that both
/// take. `closing`: where a brace that it begins with closes.
fn variable(text: &str, closing: Option<usize>) -> Option<(&str, Option<&str>, usize)> {
    if !text.starts_with('{') {
        let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let end = text.find(|letter| !is_of_name(letter)).unwrap_or(text.len());
        return (end > 0).then(|| (&text[..end], None, end));
    }
    let inside = &text[1..closing?];
    let length = inside.len() + 2;
    match inside.split_once(":-") {
        Some((name, or_else)) => Some((name, Some(or_else), length)),
        None => Some((inside, None, length)).filter(|_| !inside.contains(['-', '{'])),
    }
}

/// Offset of each closing brace, by that of its opening one; braces may be nested.
fn closings(text: &str) -> BTreeMap<usize, usize> {
    let (mut found, mut open) = (BTreeMap::new(), Vec::new());
    for (at, letter) in text.bytes().enumerate() {
        match letter {
            b'{' => open.push(at),
            b'}' => found.extend(open.pop().map(|from| (from, at))),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests;
