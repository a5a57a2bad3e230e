//! Call sites in sources: V8 reports a call at the called name or at `new`, the engine where the
//! name ends. In: a file and a position. Out: V8's position. A file is read when it first occurs in
//! a stack trace. Absent: positions of TypeScript, which begin at names already.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use rusk_transpile::{FunctionTable, SourcePosition, function_table};

use super::functions::{FunctionPosition, language};
use super::stack_trace_name;

/// Size of the cached sources; if it is exceeded, the cache is cleared.
const BYTES_MAX: usize = 32 << 20;

#[derive(Default)]
struct SourceCache {
    by_file: HashMap<String, Option<Source>>,
    bytes: usize,
}

struct Source {
    text: String,
    /// Offsets of lines.
    starts: Vec<usize>,
    /// `None`: it cannot be parsed.
    functions: OnceCell<Option<FunctionTable>>,
}

thread_local! {
    static SOURCES: RefCell<SourceCache> = RefCell::default();
    /// Sources that are no files.
    static NON_FILES: RefCell<HashMap<String, String>> = RefCell::default();
}

/// Adds a source that is not a file, under its name in stack traces.
pub fn add(name: &str, text: &str) {
    let name = stack_trace_name(name);
    NON_FILES.with_borrow_mut(|given| given.insert(name.to_owned(), text.to_owned()));
    SOURCES.with_borrow_mut(|sources| sources.remove(name));
}

/// Reads a file again the next time.
pub fn forget(name: &str) {
    SOURCES.with_borrow_mut(|sources| sources.remove(name));
}

/// Puts a source into the cache, which may lose it.
pub fn insert(name: &str, text: String) {
    SOURCES.with_borrow_mut(|sources| {
        sources.remove(name);
        sources.insert(name, Some(text));
    });
}

/// The text of a source that is not a file.
pub fn find_text(name: &str) -> Option<String> {
    NON_FILES.with_borrow(|given| given.get(name).cloned())
}

/// A call site as V8 reports it.
pub struct CallSite {
    pub position: SourcePosition,
    /// A constructor is called there.
    pub is_new: bool,
    /// Nothing is called there, and the line has an async function: the engine reports the call of
    /// such a function's body there, which is a separate function in the engine.
    pub is_async: bool,
}

/// Lines of a block that are searched for its end; frames of longer ones may stand twice.
const BLOCK_LINES_MAX: usize = 10_000;

/// What follows the name in a call, or in other expressions that run code.
const CALLS: [&str; 5] = ["(", "`", "?.", ".", "["];

/// The call site whose name ends at a position.
pub fn call_site(file: &str, position: SourcePosition) -> CallSite {
    let found = SOURCES.with_borrow_mut(|sources| {
        let text = sources.of(file)?;
        let line = text.line(position.line)?;
        let Some(end) = byte_offset(line, position.column) else {
            return Some(CallSite { position, is_new: false, is_async: has_word(line, "async") });
        };
        let (column, is_new) = call_start(line, end);
        let is_async = has_word(line, "async")
            && (!is_call(line, end, is_new) || text.ends_block_at(position.line, position.column));
        let position = SourcePosition { column: code_units_before(line, column), ..position };
        Some(CallSite { position, is_new, is_async })
    });
    found.unwrap_or(CallSite { position, is_new: false, is_async: false })
}

/// Whether a call, or another expression that runs code, can be reported there.
fn is_call(line: &str, end: usize, is_new: bool) -> bool {
    let (before, after) = line.split_at(end);
    if is_new {
        return true;
    }
    if after.starts_with(is_name) {
        // A name begins; within a word or after a body nothing is called. Compiled code has the
        // body's call somewhere in the function's head.
        let is_inside = before.ends_with(|last| is_name(last) || last == '}');
        return !is_inside && !is_async_head(before, after);
    }
    let after = after.trim_start_matches([' ', '\t']);
    CALLS.iter().any(|call| after.starts_with(call))
}

/// Whether a name is that of an asynchronous function or of its parameter, or the word itself.
fn is_async_head(before: &str, after: &str) -> bool {
    let is_word = |rest: &str| !rest.starts_with(is_name);
    if after.strip_prefix("async").is_some_and(is_word) {
        return true;
    }
    let Some((outside, head)) = before.rsplit_once("async") else { return false };
    !outside.ends_with(is_name)
        && is_word(head)
        && !head.contains([';', '=', '{', '}', ')'])
        && head.matches('(').count() <= 1
}

fn has_word(line: &str, word: &str) -> bool {
    memchr::memmem::find_iter(line.as_bytes(), word)
        .any(|at| !line[..at].ends_with(is_name) && !line[at + word.len()..].starts_with(is_name))
}

/// Calls `body` with the source of a file.
pub fn with<R>(file: &str, body: impl FnOnce(&str) -> Option<R>) -> Option<R> {
    SOURCES.with_borrow_mut(|sources| body(&sources.of(file)?.text))
}

/// Calls `body` with a position in a file that has been parsed.
pub fn with_functions<R>(
    file: &str,
    position: SourcePosition,
    body: impl FnOnce(FunctionPosition<'_>) -> R,
) -> Option<R> {
    SOURCES.with_borrow_mut(|sources| {
        let source = sources.of(file)?;
        let table = source.functions.get_or_init(|| function_table(&source.text, language(file)));
        let line = source.line(position.line)?;
        let offset = *source.starts.get(position.line as usize)? + byte_offset(line, position.column)?;
        let position_of = |at: usize| source.position_of(at);
        Some(body(FunctionPosition {
            text: &source.text,
            offset,
            table: table.as_ref()?,
            position_of: &position_of,
        }))
    })
}

impl SourceCache {
    fn remove(&mut self, file: &str) {
        let text = self.by_file.remove(file).flatten();
        self.bytes -= text.map_or(0, |text| text.text.len());
    }

    fn of(&mut self, file: &str) -> Option<&Source> {
        if !self.by_file.contains_key(file) {
            self.insert(file, read(file));
        }
        self.by_file.get(file)?.as_ref()
    }

    fn insert(&mut self, file: &str, text: Option<String>) {
        let bytes = text.as_ref().map_or(0, String::len);
        self.bytes += bytes;
        if self.bytes > BYTES_MAX {
            self.by_file.clear();
            self.bytes = bytes;
        }
        self.by_file.insert(file.to_owned(), text.map(Source::new));
    }
}

fn read(file: &str) -> Option<String> {
    if let Some(given) = find_text(file) {
        return Some(given);
    }
    let path = file.strip_prefix("file://").unwrap_or(file);
    if let Some(bytes) = rusk_embedded::files().and_then(|files| files.find(path)) {
        return std::str::from_utf8(bytes).ok().map(str::to_owned);
    }
    let bytes = path.starts_with('/').then(|| std::fs::read(path).ok()).flatten()?;
    let text = String::from_utf8(bytes).ok()?;
    Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

impl Source {
    fn new(text: String) -> Source {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1);
        Source { starts: std::iter::once(0).chain(ends).collect(), functions: OnceCell::new(), text }
    }

    /// Whether the block that begins in a line ends before a column of a later one, which is
    /// indented as the first. The engine reports the body of an asynchronous function in the line
    /// where it begins and the column where it ends.
    fn ends_block_at(&self, first: u32, column: u32) -> bool {
        let Some(line) = self.line(first) else { return false };
        let indent = line.len() - line.trim_start().len();
        let later = (first + 1..).map_while(|index| self.line(index)).take(BLOCK_LINES_MAX);
        let mut outside =
            later.filter(|line| !line.trim().is_empty() && line.len() - line.trim_start().len() <= indent);
        outside
            .next()
            .is_some_and(|line| byte_offset(line, column).is_some_and(|end| line[..end].trim_start() == "}"))
    }

    fn position_of(&self, at: usize) -> SourcePosition {
        let line = self.starts.partition_point(|start| *start <= at).saturating_sub(1);
        let before = self.text.get(self.starts[line]..at).unwrap_or_default();
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        SourcePosition { line: number(line), column: number(before.encode_utf16().count()) }
    }

    fn line(&self, index: u32) -> Option<&str> {
        let index = usize::try_from(index).ok()?;
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).copied().unwrap_or(self.text.len());
        self.text.get(start..end)
    }
}

/// `end`: where the called name ends, or where it begins. Out: where V8 reports the call.
fn call_start(line: &str, end: usize) -> (usize, bool) {
    // A property is read: its name, rest the point or the bracket.
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
    // `new a.b.c`: the whole member expression follows `new`.
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

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$' | '#')
}

/// Byte offset of a column in UTF-16 code units; `None` if the line is shorter.
fn byte_offset(line: &str, column: u32) -> Option<usize> {
    let mut left = usize::try_from(column).ok()?;
    for (at, character) in line.char_indices() {
        if left == 0 {
            return Some(at);
        }
        left = left.saturating_sub(character.len_utf16());
    }
    (left == 0).then_some(line.len())
}

fn code_units_before(line: &str, byte: usize) -> u32 {
    u32::try_from(line[..byte].encode_utf16().count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
