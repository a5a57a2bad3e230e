//! `bench tls`: handshakes, bulk data and HTTPS requests between two processes on different cores,
//! by rusk, bun, node and deno, in turn. In: `bench/tls`. Out: a table, targets,
//! `bench/results/tls.json`.

use super::program::ProgramBench;
use super::runtime::row::{self, RuntimeTarget};

const NODE: Option<&str> = Some("node");
const CASE: &str = "tls";

const TARGETS: &[RuntimeTarget] = &[
    row::target("a full handshake, relative to node", [CASE, "full handshake, µs"], NODE, 1.0),
    row::target("a resumed handshake, relative to node", [CASE, "resumed handshake, µs"], NODE, 1.0),
    row::target("1 GiB from the server, relative to node", [CASE, "1 GiB from the server, ms"], NODE, 1.0),
    row::target("1 GiB to the server, relative to node", [CASE, "1 GiB to the server, ms"], NODE, 1.0),
    row::target("an HTTPS request with keep-alive, relative to node", [CASE, "request, µs"], NODE, 1.0),
];

pub const BENCH: ProgramBench = ProgramBench { name: CASE, targets: TARGETS, packages: &[] };
