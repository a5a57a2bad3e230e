//! Texts that nest deeply are parsed on a stack that is large enough, or refused. In: a text and
//! what parses it. Out: what came of it. The parser and all that walks a tree call themselves once
//! a level. How deep a text may be is told from above, by its marks and words since the last
//! semicolon or comma of each bracket; texts and comments count as if they were code. Absent:
//! syntax.

use std::thread;

use oxc::span::Span;

use crate::syntax_error::{Diagnostic, SyntaxErrors, fail_if_any};

/// Levels that the stack of any thread has room for; the smallest are of 2 MiB, those that do
/// blocking work and that read modules ahead.
const LEVELS_PLAIN: usize = if cfg!(debug_assertions) { 100 } else { 400 };
/// Of an unoptimised build, with all that is called within a level.
const LEVEL_BYTES: usize = 16 << 10;
/// Reserved, not used: pages that nobody touches are no memory.
const STACK_BYTES_MAX: usize = 1 << 30;
/// Brackets within brackets; more is no program that a person or a tool wrote, and more than the
/// engine takes.
const BRACKETS_MAX: usize = 10_000;

/// Calls `body` where its recursion has room.
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
            // There is no room for such a stack.
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

#[derive(Debug, Default, PartialEq, Eq)]
struct Depth {
    /// At most.
    levels: usize,
    /// Where there are too many brackets.
    excess: Option<usize>,
}

impl Depth {
    fn of(source: &str) -> Depth {
        let mut depth = Depth::default();
        // What each open bracket began with.
        let mut open: Vec<usize> = Vec::new();
        let mut levels = 0;
        let mut is_in_word = false;
        for (at, byte) in source.bytes().enumerate() {
            let is_word = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
            if is_word {
                levels += usize::from(!is_in_word);
                is_in_word = true;
                continue;
            }
            is_in_word = false;
            depth.levels = depth.levels.max(levels);
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => {}
                b';' | b',' => levels = open.last().map_or(0, |began| began + 1),
                b'(' | b'[' | b'{' => {
                    if open.len() == BRACKETS_MAX {
                        return Depth { excess: Some(at), ..depth };
                    }
                    open.push(levels);
                    levels += 1;
                }
                b')' | b']' | b'}' => levels = open.pop().unwrap_or(0) + 1,
                _ => levels += 1,
            }
        }
        depth.levels = depth.levels.max(levels);
        depth
    }
}

#[cfg(test)]
mod tests;
