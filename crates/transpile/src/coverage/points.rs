//! What counters of coverage count. In: byte offsets. Out: lines, names, groups of branches.

/// An instrumented source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instrumentation {
    pub source: String,
    /// By counter.
    pub points: Vec<CoveragePoint>,
}

/// What a counter counts. Lines begin at 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoveragePoint {
    Statement {
        line: u32,
    },
    Function {
        name: String,
        line: u32,
    },
    /// An arm of a branch; all arms of one branch have a group.
    Branch {
        line: u32,
        group: u32,
    },
}

impl Instrumentation {
    /// Nothing is counted.
    pub(super) fn none(source: &str) -> Instrumentation {
        Instrumentation { source: source.to_owned(), points: Vec::new() }
    }
}

/// Starts of lines.
pub(crate) struct LineIndex(Vec<u32>);

impl LineIndex {
    pub(crate) fn new(source: &str) -> LineIndex {
        let newlines = source.bytes().zip(1..).filter(|(byte, _)| *byte == b'\n').map(|(_, after)| after);
        LineIndex(std::iter::once(0).chain(newlines).collect())
    }

    pub(crate) fn line(&self, offset: u32) -> u32 {
        self.0.partition_point(|start| *start <= offset) as u32
    }
}
