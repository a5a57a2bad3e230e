//! Cases of `bench runtime`: what is measured of a runtime, and how.

pub struct RuntimeCase {
    pub name: &'static str,
    pub kind: CaseKind,
    /// The file that is run and its arguments, relative to the project.
    pub arguments: &'static [&'static str],
    /// Of `fixtures/real-programs`; a generated one if `None`.
    pub project: Option<&'static str>,
    /// The expected exit code.
    pub code: i32,
    /// More rounds give no new information.
    pub rounds_max: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CaseKind {
    /// The whole run, measured from outside.
    Wall,
    /// The program prints numbers with names.
    Reported,
    /// Measured from outside while it waits.
    Idle,
    /// System calls, counted by strace.
    Calls,
    /// The steps of its start, which only rusk reports.
    Steps,
}

impl CaseKind {
    /// Whether a first run may leave caches for the next.
    pub fn warms(self) -> bool {
        self != CaseKind::Idle
    }
}

const CASE: RuntimeCase = RuntimeCase {
    name: "",
    kind: CaseKind::Wall,
    arguments: &[],
    project: None,
    code: 0,
    rounds_max: usize::MAX,
};

pub const CASES: &[RuntimeCase] = &[
    RuntimeCase { name: "empty.js", arguments: &["empty.js"], ..CASE },
    RuntimeCase { name: "empty.ts", arguments: &["empty.ts"], ..CASE },
    RuntimeCase { name: "modules-esm", arguments: &["esm/0.mjs"], ..CASE },
    RuntimeCase { name: "modules-cjs", arguments: &["cjs/0.cjs"], ..CASE },
    RuntimeCase {
        name: "tsc",
        arguments: crate::conformance::programs::TYPES.arguments,
        project: Some(crate::conformance::programs::TYPES.project),
        rounds_max: 5,
        ..CASE
    },
    RuntimeCase {
        name: "eslint",
        arguments: crate::conformance::programs::LINT.arguments,
        project: Some(crate::conformance::programs::LINT.project),
        code: 1,
        rounds_max: 5,
        ..CASE
    },
    RuntimeCase {
        name: "read-sync",
        kind: CaseKind::Reported,
        arguments: &["read.cjs", "files", "sync"],
        rounds_max: 5,
        ..CASE
    },
    RuntimeCase {
        name: "read-promises",
        kind: CaseKind::Reported,
        arguments: &["read.cjs", "files", "promises"],
        rounds_max: 5,
        ..CASE
    },
    RuntimeCase {
        name: "kernels",
        kind: CaseKind::Reported,
        arguments: &["kernels.js"],
        rounds_max: 5,
        ..CASE
    },
    RuntimeCase {
        name: "idle-interval",
        kind: CaseKind::Idle,
        arguments: &["interval.js"],
        rounds_max: 1,
        ..CASE
    },
    RuntimeCase {
        name: "idle-timeout",
        kind: CaseKind::Idle,
        arguments: &["timeout.js"],
        rounds_max: 1,
        ..CASE
    },
    RuntimeCase { name: "steps", kind: CaseKind::Steps, arguments: &["empty.js"], ..CASE },
    RuntimeCase { name: "calls", kind: CaseKind::Calls, arguments: &["empty.js"], rounds_max: 1, ..CASE },
];
