//! Stack size for deeply nested source text: a file is parsed on a stack that is large enough, or
//! rejected. In: the source text and the parse function. Out: its result. The parser and all
//! visitors recurse once per level.
//!
//! The nesting depth has an upper bound: the punctuators and identifiers since the last semicolon
//! or comma of each bracket. Strings and comments count as if they were code.

use std::thread;

use oxc::span::Span;

use crate::syntax_error::{Diagnostic, SyntaxErrors, fail_if_any};

/// Levels that fit on the stack of any thread. The smallest stacks, of 2 MiB, are those of the
/// thread pool and of the threads that prefetch modules.
const LEVELS_PLAIN: usize = if cfg!(debug_assertions) { 100 } else { 400 };
/// For an unoptimised build, with all calls within a level.
const LEVEL_BYTES: usize = 16 << 10;
/// Reserved only: untouched pages take no memory.
const STACK_BYTES_MAX: usize = 1 << 30;
/// Nested brackets. No real program has more, and the engine rejects more.
const BRACKETS_MAX: usize = 10_000;

/// Calls `body` on a stack that is large enough.
pub(crate) fn with_deep_stack<R: Send>(
    source: &str,
    body: impl FnOnce() -> Result<R, SyntaxErrors> + Send,
) -> Result<R, SyntaxErrors> {
    let depth = Depth::of(source);
    if let Some(at) = depth.excess {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        let diagnostic = Diagnostic::new("Brackets are nested too deeply", Span::new(at, at));
        fail_if_any(vec![diagnostic], source)?;
    }
    if depth.levels <= LEVELS_PLAIN {
        return body();
    }
    let stack_bytes = (depth.levels.saturating_mul(LEVEL_BYTES)).clamp(16 << 20, STACK_BYTES_MAX);
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(stack_bytes).spawn_scoped(scope, body);
        match worker {
            Ok(worker) => worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // The stack could not be allocated.
            Err(_) => {
                let diagnostic = Diagnostic::new(
                    "Not enough memory to parse source text that is nested this deeply",
                    Span::new(0, 0),
                );
                fail_if_any(vec![diagnostic], source).map(|()| unreachable!("a diagnostic is an error"))
            }
        }
    })
}

/// Rejects source text that is nested too deeply for a stack of this size.
pub(crate) fn check(source: &str, stack_bytes: usize) -> Result<(), SyntaxErrors> {
    // Even one level for each byte fits.
    if source.len().saturating_mul(LEVEL_BYTES) <= stack_bytes {
        return Ok(());
    }
    let depth = Depth::of(source);
    let fits = depth.levels <= LEVELS_PLAIN || depth.levels.saturating_mul(LEVEL_BYTES) <= stack_bytes;
    let excess = depth.excess.or((!fits).then_some(0));
    let excess = excess.map(|at| u32::try_from(at).unwrap_or(u32::MAX));
    let diagnostic = |at| Diagnostic::new("Brackets are nested too deeply", Span::new(at, at));
    fail_if_any(excess.map(diagnostic).into_iter().collect(), source)
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Depth {
    /// Upper bound of the nesting depth.
    levels: usize,
    /// Offset of the first bracket above the limit.
    excess: Option<usize>,
}

/// What a byte is for the nesting depth.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Space,
    Separator,
    Open,
    Close,
    Other,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = match byte as u8 {
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => Class::Word,
            b' ' | b'\t' | b'\r' | b'\n' => Class::Space,
            b';' | b',' => Class::Separator,
            b'(' | b'[' | b'{' => Class::Open,
            b')' | b']' | b'}' => Class::Close,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

impl Depth {
    fn of(source: &str) -> Depth {
        let mut depth = Depth::default();
        // The level at each open bracket.
        let mut open: Vec<usize> = Vec::new();
        let mut levels = 0;
        let bytes = source.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match CLASSES[usize::from(byte)] {
                Class::Word => {
                    levels += 1;
                    at += 1;
                    while bytes.get(at).is_some_and(|&byte| CLASSES[usize::from(byte)] == Class::Word) {
                        at += 1;
                    }
                    depth.levels = depth.levels.max(levels);
                    continue;
                }
                Class::Space => {}
                Class::Separator => levels = open.last().map_or(0, |began| began + 1),
                Class::Open => {
                    if open.len() == BRACKETS_MAX {
                        return Depth { excess: Some(at), ..depth };
                    }
                    open.push(levels);
                    levels += 1;
                }
                Class::Close => levels = open.pop().unwrap_or(0) + 1,
                Class::Other => levels += 1,
            }
            depth.levels = depth.levels.max(levels);
            at += 1;
        }
        depth
    }
}

#[cfg(test)]
mod tests;
