//! Events of a test file, as a worker sends them: one JSON object per line, or a shorter form where
//! there are very many. In: a line. Out: a [`TestEvent`]. The lines come from a process that runs
//! other people's code, so any line is possible; what does not parse is no event. Absent: what is
//! done with them.

use std::time::Duration;

use rusk_npm::json::{self, Dialect, Node, Value};

/// Something that happened in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum TestEvent {
    /// The file of this index begins.
    FileBegin {
        index: usize,
    },
    /// A test begins. `limit_ms`: its time limit, 0 without one.
    TestBegin {
        path: Vec<String>,
        limit_ms: f64,
    },
    TestEnd(TestResult),
    /// An error that belongs to no test.
    Error {
        error: ErrorReport,
        /// It prevented the tests of the file from running.
        is_load: bool,
        /// The hook in which it occurred.
        place: Option<String>,
    },
    /// The event loop runs.
    Alive,
    /// A module that the file consists of.
    Module {
        path: String,
    },
    FileEnd(FileSummary),
    /// The file of this index has changed its global object, so that the next one needs another.
    Changed {
        index: usize,
    },
    /// All files of the request are done.
    Done {
        /// The process has compiled files whose bytecode is worth writing.
        has_bytecode: bool,
    },
    /// The process ends: a file has changed it. Others run in another one.
    Retired,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Pass,
    Fail,
    Skip,
    Todo,
    /// Left out by its name or because others are marked `only`.
    Filtered,
}

/// The result of one test.
#[derive(Clone, Debug, PartialEq)]
pub struct TestResult {
    /// Names of its groups, and its own; empty: those of the test that has begun last.
    pub path: Vec<String>,
    pub status: Status,
    pub duration_ms: f64,
    pub assertions: u64,
    pub errors: Vec<ErrorReport>,
    /// Errors of attempts after which the test ran again.
    pub retried: Vec<ErrorReport>,
    pub attempts: u64,
}

/// An error as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorReport {
    /// Empty for what is not an error.
    pub name: String,
    pub message: String,
    /// As in Node, with name and message on top; may be empty.
    pub stack: String,
    /// `name: value` of its own members.
    pub members: Vec<String>,
    pub cause: Option<Box<ErrorReport>>,
    pub errors: Vec<ErrorReport>,
    /// The source up to the line of the first frame of the user's code, if the file may be another
    /// one by the time the error is shown.
    pub excerpt: Vec<String>,
    /// A matcher has failed.
    pub is_assertion: bool,
}

/// What is known at the end of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileSummary {
    pub assertions: u64,
    pub snapshots: SnapshotCounts,
    /// How long the file was loaded and ran.
    pub duration: Duration,
    /// What the file has left open, by Node's name of the kind.
    pub open: Vec<(String, u64)>,
    /// `process.exitCode` at the end.
    pub exit_code: u8,
    /// Executed parts of sources, as JSON; empty without coverage.
    pub coverage: String,
    /// Whether the next file needs another global object. It may turn out later that it does.
    pub has_changed_global: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SnapshotCounts {
    pub added: u64,
    pub updated: u64,
    pub matched: u64,
    pub unmatched: u64,
    pub removed: u64,
    pub obsolete: Vec<String>,
}

impl TestResult {
    /// Whether its function was called: not where a hook before the group has failed.
    pub fn has_run(&self) -> bool {
        self.status != Status::Fail || self.duration_ms > 0.0
    }
}

impl TestEvent {
    pub fn parse(line: &str) -> Option<TestEvent> {
        match line.split_at_checked(1) {
            Some(("s", rest)) => return start(rest),
            Some(("p", rest)) => return pass(rest),
            _ => {}
        }
        let node = json::parse(line, Dialect::Strict).ok()?;
        Some(match text(&node, "t")? {
            "file" => TestEvent::FileBegin { index: number(&node, "i")? as usize },
            "end" => TestEvent::TestEnd(test_result(&node)?),
            "error" => TestEvent::Error {
                error: error_report(node.find("e")?),
                is_load: text(&node, "k") == Some("load"),
                place: text(&node, "w").map(str::to_owned),
            },
            "alive" => TestEvent::Alive,
            "module" => TestEvent::Module { path: text(&node, "p")?.to_owned() },
            "file-end" => TestEvent::FileEnd(file_summary(&node, line)),
            "changed" => TestEvent::Changed { index: number(&node, "i")? as usize },
            "bye" => TestEvent::Done { has_bytecode: number(&node, "b").is_some() },
            "retired" => TestEvent::Retired,
            _ => return None,
        })
    }
}

/// `s`, the limit of the test in milliseconds, its path as an array.
fn start(rest: &str) -> Option<TestEvent> {
    let (limit, path) = rest.split_once(' ')?;
    let path = json::parse(path, Dialect::Strict).ok()?;
    Some(TestEvent::TestBegin { path: names(path.elements()), limit_ms: limit.parse().ok()? })
}

/// `p`, milliseconds, the number of assertions: the test that has begun last has passed.
fn pass(rest: &str) -> Option<TestEvent> {
    let (duration, assertions) = rest.split_once(' ')?;
    Some(TestEvent::TestEnd(TestResult {
        path: Vec::new(),
        status: Status::Pass,
        duration_ms: duration.parse().ok()?,
        assertions: assertions.parse().ok()?,
        errors: Vec::new(),
        retried: Vec::new(),
        attempts: 1,
    }))
}

fn test_result(node: &Node<'_>) -> Option<TestResult> {
    let status = match text(node, "s")? {
        "pass" => Status::Pass,
        "fail" => Status::Fail,
        "skip" => Status::Skip,
        "todo" => Status::Todo,
        "filtered" => Status::Filtered,
        _ => return None,
    };
    Some(TestResult {
        path: strings(node, "p"),
        status,
        duration_ms: number(node, "ms").unwrap_or(0.0),
        assertions: count(node, "a"),
        errors: elements(node, "e").iter().map(error_report).collect(),
        retried: elements(node, "r").iter().map(error_report).collect(),
        attempts: number(node, "n").map_or(1, |number| number as u64),
    })
}

fn error_report(node: &Node<'_>) -> ErrorReport {
    let string = |key| text(node, key).unwrap_or_default().to_owned();
    ErrorReport {
        name: string("name"),
        message: string("message"),
        stack: string("stack"),
        members: strings(node, "members"),
        cause: node.find("cause").map(|cause| Box::new(error_report(cause))),
        errors: elements(node, "errors").iter().map(error_report).collect(),
        excerpt: strings(node, "x"),
        is_assertion: node.find("m").is_some(),
    }
}

fn file_summary(node: &Node<'_>, line: &str) -> FileSummary {
    let snapshots = node.find("snapshots").map(|node| SnapshotCounts {
        added: count(node, "added"),
        updated: count(node, "updated"),
        matched: count(node, "matched"),
        unmatched: count(node, "unmatched"),
        removed: count(node, "removed"),
        obsolete: strings(node, "obsolete"),
    });
    let open = node.find("open").map_or(&[][..], Node::members);
    FileSummary {
        duration: Duration::try_from_secs_f64(number(node, "ms").unwrap_or(0.0) / 1000.0).unwrap_or_default(),
        assertions: count(node, "a"),
        snapshots: snapshots.unwrap_or_default(),
        exit_code: number(node, "x").map_or(0, |code| code as i64 as u8),
        open: open
            .iter()
            .map(|member| {
                (member.key.clone().into_owned(), count(node.find("open").expect("found"), &member.key))
            })
            .collect(),
        coverage: node
            .find("coverage")
            .map_or_else(String::new, |node| line[node.start..node.end].to_owned()),
        has_changed_global: node.find("changed").and_then(|node| match node.value {
            Value::Bool(has_changed) => Some(has_changed),
            _ => None,
        }),
    }
}

fn text<'a>(node: &'a Node<'_>, key: &str) -> Option<&'a str> {
    node.find(key)?.as_str()
}

fn number(node: &Node<'_>, key: &str) -> Option<f64> {
    match &node.find(key)?.value {
        Value::Number(digits) => digits.parse().ok(),
        _ => None,
    }
}

fn count(node: &Node<'_>, key: &str) -> u64 {
    number(node, key).map_or(0, |number| number as u64)
}

fn elements<'a, 'b>(node: &'a Node<'b>, key: &str) -> &'a [Node<'b>] {
    node.find(key).map_or(&[], |node| node.elements())
}

fn strings(node: &Node<'_>, key: &str) -> Vec<String> {
    names(elements(node, key))
}

fn names(elements: &[Node<'_>]) -> Vec<String> {
    elements.iter().filter_map(|element| element.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests;
