//! Where V8 says that a call stands: at the name that is called, or at `new`; the engine says where
//! the name ends. In: a file and a place. Out: the place. A file is read when the first stack goes
//! through it. Absent: TypeScript's places, which begin at names already.

use std::cell::RefCell;
use std::collections::HashMap;

use rusk_transpile::SourcePosition;

use super::in_stacks;

/// Texts that are kept; when they are more, reading begins anew.
const BYTES_MAX: usize = 32 << 20;

#[derive(Default)]
struct Texts {
    by_file: HashMap<String, Option<Text>>,
    bytes: usize,
}

struct Text {
    text: String,
    /// Where lines begin.
    starts: Vec<usize>,
}

thread_local! {
    static TEXTS: RefCell<Texts> = RefCell::default();
    /// Texts that are no files.
    static GIVEN: RefCell<HashMap<String, String>> = RefCell::default();
}

/// A text that is no file, under the name that stacks give it.
pub fn note(name: &str, text: &str) {
    let name = in_stacks(name);
    GIVEN.with_borrow_mut(|given| given.insert(name.to_owned(), text.to_owned()));
    TEXTS.with_borrow_mut(|texts| texts.forget(name));
}

/// A place as V8 sees it.
pub struct Called {
    pub place: SourcePosition,
    /// A constructor is called there.
    pub is_new: bool,
    /// Nothing is called there, and asynchronous functions stand in the line: the engine puts the
    /// call of such a function's body there, which is a function of its own to the engine.
    pub is_async: bool,
}

/// What stands at the end of a name in a call, or where something else is that runs code.
const CALLS: [&str; 5] = ["(", "`", "?.", ".", "["];

/// The place where V8 sees the call that ends there.
pub fn called(file: &str, place: SourcePosition) -> Called {
    let found = TEXTS.with_borrow_mut(|texts| {
        let text = texts.of(file)?;
        let line = text.line(place.line)?;
        let Some(end) = byte_of(line, place.column) else {
            return Some(Called { place, is_new: false, is_async: has_word(line, "async") });
        };
        let (column, is_new) = called_in(line, end);
        let behind = line[end..].trim_start_matches([' ', '\t']);
        let is_call =
            is_new || behind.starts_with(is_name) || CALLS.iter().any(|call| behind.starts_with(call));
        let place = SourcePosition { column: units_before(line, column), ..place };
        Some(Called { place, is_new, is_async: !is_call && has_word(line, "async") })
    });
    found.unwrap_or(Called { place, is_new: false, is_async: false })
}

fn has_word(line: &str, word: &str) -> bool {
    memchr::memmem::find_iter(line.as_bytes(), word)
        .any(|at| !line[..at].ends_with(is_name) && !line[at + word.len()..].starts_with(is_name))
}

/// What `body` makes of a file's text.
pub fn with<R>(file: &str, body: impl FnOnce(&str) -> Option<R>) -> Option<R> {
    TEXTS.with_borrow_mut(|texts| body(&texts.of(file)?.text))
}

impl Texts {
    fn forget(&mut self, file: &str) {
        let text = self.by_file.remove(file).flatten();
        self.bytes -= text.map_or(0, |text| text.text.len());
    }

    fn of(&mut self, file: &str) -> Option<&Text> {
        if !self.by_file.contains_key(file) {
            let text = read(file).map(Text::new);
            self.bytes += text.as_ref().map_or(0, |text| text.text.len());
            if self.bytes > BYTES_MAX {
                self.by_file.clear();
                self.bytes = text.as_ref().map_or(0, |text| text.text.len());
            }
            self.by_file.insert(file.to_owned(), text);
        }
        self.by_file.get(file)?.as_ref()
    }
}

fn read(file: &str) -> Option<String> {
    if let Some(given) = GIVEN.with_borrow(|given| given.get(file).cloned()) {
        return Some(given);
    }
    let path = file.strip_prefix("file://").unwrap_or(file);
    let bytes = path.starts_with('/').then(|| std::fs::read(path).ok()).flatten()?;
    let text = String::from_utf8(bytes).ok()?;
    Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

impl Text {
    fn new(text: String) -> Text {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1);
        Text { starts: std::iter::once(0).chain(ends).collect(), text }
    }

    fn line(&self, index: u32) -> Option<&str> {
        let index = usize::try_from(index).ok()?;
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).copied().unwrap_or(self.text.len());
        self.text.get(start..end)
    }
}

/// `end`: where the name that is called ends, or where it begins. Out: where V8 sees it.
fn called_in(line: &str, end: usize) -> (usize, bool) {
    // A property is read: its name, behind the point or the bracket.
    if line[end..].starts_with(['.', '[']) {
        return (end + 1, false);
    }
    let start = name_start(line, end);
    let begins_here = line[end..].starts_with(is_name);
    if start == end && !begins_here {
        // `a[0](b)`, `a()(b)`: the bracket.
        let blank = line[end..].len() - line[end..].trim_start_matches([' ', '\t']).len();
        let is_bracket = line[end + blank..].starts_with('(');
        return (if is_bracket { end + blank } else { end }, false);
    }
    // `new a.b.c`: all of what is constructed stands behind the word.
    let mut whole = start;
    while let Some(before) = line[..whole].strip_suffix('.') {
        let next = name_start(line, before.len());
        if next == before.len() {
            break;
        }
        whole = next;
    }
    let before = line[..whole].trim_end_matches([' ', '\t']);
    match before.strip_suffix("new") {
        Some(rest) if before.len() < whole && !rest.ends_with(|last| is_name(last) || last == '.') => {
            (rest.len(), true)
        }
        _ => (start, line[start..].starts_with("super") && line[start + 5..].starts_with('(')),
    }
}

fn name_start(line: &str, end: usize) -> usize {
    line[..end].trim_end_matches(is_name).len()
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$' | '#')
}

/// Where a column of UTF-16 units stands. None where the line is shorter.
fn byte_of(line: &str, column: u32) -> Option<usize> {
    let mut left = usize::try_from(column).ok()?;
    for (at, letter) in line.char_indices() {
        if left == 0 {
            return Some(at);
        }
        left = left.saturating_sub(letter.len_utf16());
    }
    (left == 0).then_some(line.len())
}

fn units_before(line: &str, byte: usize) -> u32 {
    u32::try_from(line[..byte].encode_utf16().count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
