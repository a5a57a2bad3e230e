//! `bench messages`: strings, objects and arrays sent to another thread by rusk, bun, node and
//! deno, in turn. In: `bench/messages`. Out: a table, targets, `bench/results/messages.json`. A
//! missed target is said, and is no error.

use super::program::ProgramBench;
use super::runtime::row::{self, RuntimeTarget};

const NODE: Option<&str> = Some("node");
const BUN: Option<&str> = Some("bun");
/// The one case there is.
pub const CASE: &str = "messages";

pub const TARGETS: &[RuntimeTarget] = &[
    row::target("a string of 3 MB relative to bun", [CASE, "send 3 MB, ns"], BUN, 1.1),
    row::target("a string of 3 MB relative to node", [CASE, "send 3 MB, ns"], NODE, 0.01),
    row::target("a string of 11 characters, relative to node", [CASE, "send 11 characters, ns"], NODE, 1.0),
    row::target(
        "an object of ten fields, until sent, relative to node",
        [CASE, "send ten fields, ns"],
        NODE,
        0.5,
    ),
    row::target(
        "an object of ten fields, until received, relative to node",
        [CASE, "ten fields there, ns"],
        NODE,
        0.5,
    ),
    row::target("a round trip between two workers, relative to node", [CASE, "round trip, µs"], NODE, 1.0),
];

pub const BENCH: ProgramBench = ProgramBench { name: CASE, targets: TARGETS, packages: &[] };
