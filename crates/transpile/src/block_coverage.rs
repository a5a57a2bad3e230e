//! Block coverage as V8 counts it: counters in a source. In: the source text, its language, the
//! name of a global array. Out: the source with `NAME[n]++` in functions and blocks, all on their
//! lines; the functions, and the ranges that each counter counts. Absent: the array; the ranges of
//! the DevTools Protocol ([`FunctionCoverage`]); private names after `?.`.
//!
//! V8 counts where control flow divides: bodies, arms, right operands, and the code that continues
//! after a statement that may not complete. The latter are positions, which end where the next
//! range begins. Of several at one position the outermost counts, and none at the end of a list of
//! statements (V8's `SourceRangeAstVisitor`).

mod classes;
mod expressions;
mod functions;
mod positions;
mod ranges;
mod statements;

use std::collections::HashSet;

use oxc::allocator::Allocator;
use oxc::span::Span;

use crate::depth;
use crate::options::Language;
use crate::parse;
use crate::script::SourceKind;
use crate::syntax_error::SyntaxErrors;
use positions::Utf16Offsets;
pub use ranges::{CoverageRange, FunctionCoverage, function_coverage};

/// A source with counters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockCoverage {
    pub source: String,
    /// Length of the array.
    pub counters: u32,
    /// Outer ones before inner ones, in the order of their beginnings.
    pub functions: Vec<CountedFunction>,
    /// Where text was added: byte offset in the original source, and bytes.
    pub insertions: Vec<(u32, u32)>,
}

/// A function of the original source. Offsets are those of JavaScript: UTF-16 code units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedFunction {
    pub name: String,
    pub start: u32,
    pub end: u32,
    pub counter: u32,
    /// V8 compiles it with its class, so that its blocks are known before it runs.
    pub is_initializer: bool,
    pub blocks: Vec<CountedBlock>,
}

/// A part of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedBlock {
    pub start: u32,
    /// `None`: what follows a position.
    pub end: Option<u32>,
    /// `None`: it never runs.
    pub counter: Option<u32>,
}

/// Adds counters.
pub fn count_blocks(
    source: &str,
    language: Language,
    kind: Option<SourceKind>,
    counters: &str,
) -> Result<BlockCoverage, SyntaxErrors> {
    depth::with_deep_stack(source, || {
        let allocator = Allocator::default();
        let parsed = parse::parse(&allocator, source, language, kind)?;
        let mut counter = BlockCounter {
            source,
            counters,
            count: 0,
            claimed: HashSet::new(),
            is_last: false,
            name: None,
            function_start: None,
            class_name: None,
            functions: Vec::new(),
            open: Vec::new(),
            insertions: Vec::new(),
        };
        counter.program(&parsed.program);
        Ok(counter.finish())
    })
}

struct BlockCounter<'s> {
    source: &'s str,
    counters: &'s str,
    count: u32,
    /// Positions after statements, of which only the outermost statement counts.
    claimed: HashSet<u32>,
    /// The next statement is the last of its list.
    is_last: bool,
    /// The name of the next function that is visited, and where it begins, if not at its span.
    name: Option<String>,
    function_start: Option<u32>,
    functions: Vec<CountedFunction>,
    /// The name of the class around the current node, which is that of its constructor.
    class_name: Option<String>,
    /// The functions around the current node.
    open: Vec<usize>,
    /// In the order of a walk, so that at one offset outer ones open first and close last.
    insertions: Vec<(u32, String)>,
}

impl BlockCounter<'_> {
    fn finish(mut self) -> BlockCoverage {
        self.insertions.sort_by_key(|(offset, _)| *offset);
        let mut text = String::with_capacity(self.source.len() + 24 * self.insertions.len());
        let mut end = 0;
        for (offset, insertion) in &self.insertions {
            text.push_str(&self.source[end..*offset as usize]);
            text.push_str(insertion);
            end = *offset as usize;
        }
        text.push_str(&self.source[end..]);
        self.functions.sort_by_key(|function| (function.start, u32::MAX - function.end));
        let offsets = Utf16Offsets::new(self.source);
        for function in &mut self.functions {
            offsets.convert(function);
        }
        let insertions = self.insertions.iter().map(|(offset, text)| (*offset, text.len() as u32));
        BlockCoverage {
            source: text,
            counters: self.count,
            insertions: insertions.collect(),
            functions: self.functions,
        }
    }

    fn insert(&mut self, offset: u32, text: impl Into<String>) {
        self.insertions.push((offset, text.into()));
    }

    fn new_counter(&mut self) -> u32 {
        self.count += 1;
        self.count - 1
    }

    /// `NAME[n]++`
    fn increment(&self, counter: u32) -> String {
        format!("{}[{counter}]++", self.counters)
    }

    fn add_block(&mut self, start: u32, end: Option<u32>, counter: Option<u32>) {
        if let Some(function) = self.open.last() {
            self.functions[*function].blocks.push(CountedBlock { start, end, counter });
        }
    }

    /// A counter of a range; the expression that counts.
    fn count_range(&mut self, start: u32, end: u32) -> String {
        let counter = self.new_counter();
        self.add_block(start, Some(end), Some(counter));
        self.increment(counter)
    }

    /// What follows a position, unless a statement around it counts the same.
    fn claim(&mut self, position: u32, is_last: bool) -> bool {
        self.claimed.insert(position) && !is_last
    }

    /// A counter of what follows a position.
    fn continuation(&mut self, position: u32, is_last: bool) -> Option<u32> {
        self.claim(position, is_last).then(|| {
            let counter = self.new_counter();
            self.add_block(position, None, Some(counter));
            counter
        })
    }

    fn text(&self, span: Span) -> &str {
        span.source_text(self.source)
    }
}

#[cfg(test)]
mod tests;
