//! What is measured of a runtime, and how.

pub struct Case {
    pub name: &'static str,
    pub kind: Kind,
    /// The file that is run and its words, in the folder of the project.
    pub words: &'static [&'static str],
    /// Of `fixtures/real-programs`; the generated ones where there is none.
    pub project: Option<&'static str>,
    /// How it ends when all is well.
    pub code: i32,
    /// More say nothing new.
    pub rounds_max: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// From outside: the whole run.
    Wall,
    /// By itself: the program prints numbers with names.
    Told,
    /// While it waits, from outside.
    Idle,
    /// Its system calls, under strace.
    Calls,
    /// What its start consists of, as rusk tells it; no other does.
    Steps,
}

impl Kind {
    /// Whether a first run may leave caches behind for the next.
    pub fn warms(self) -> bool {
        self != Kind::Idle
    }
}

const CASE: Case =
    Case { name: "", kind: Kind::Wall, words: &[], project: None, code: 0, rounds_max: usize::MAX };

pub const CASES: &[Case] = &[
    Case { name: "empty.js", words: &["empty.js"], ..CASE },
    Case { name: "empty.ts", words: &["empty.ts"], ..CASE },
    Case { name: "modules-esm", words: &["esm/0.mjs"], ..CASE },
    Case { name: "modules-cjs", words: &["cjs/0.cjs"], ..CASE },
    Case {
        name: "tsc",
        words: crate::conformance::programs::TYPES.words,
        project: Some(crate::conformance::programs::TYPES.project),
        rounds_max: 5,
        ..CASE
    },
    Case {
        name: "eslint",
        words: crate::conformance::programs::LINT.words,
        project: Some(crate::conformance::programs::LINT.project),
        code: 1,
        rounds_max: 5,
        ..CASE
    },
    Case {
        name: "read-sync",
        kind: Kind::Told,
        words: &["read.cjs", "files", "sync"],
        rounds_max: 5,
        ..CASE
    },
    Case {
        name: "read-promises",
        kind: Kind::Told,
        words: &["read.cjs", "files", "promises"],
        rounds_max: 5,
        ..CASE
    },
    Case { name: "kernels", kind: Kind::Told, words: &["kernels.js"], rounds_max: 5, ..CASE },
    Case { name: "idle-interval", kind: Kind::Idle, words: &["interval.js"], rounds_max: 1, ..CASE },
    Case { name: "idle-timeout", kind: Kind::Idle, words: &["timeout.js"], rounds_max: 1, ..CASE },
    Case { name: "steps", kind: Kind::Steps, words: &["empty.js"], ..CASE },
    Case { name: "calls", kind: Kind::Calls, words: &["empty.js"], rounds_max: 1, ..CASE },
];
