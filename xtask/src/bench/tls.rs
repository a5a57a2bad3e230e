//! `bench tls`: handshakes, bulk data, requests over HTTPS and HTTP/2 between two processes on
//! different cores, and algorithms of `node:crypto`, by rusk, bun, node and deno, in turn. In:
//! `bench/tls`. Out: a table, targets, `bench/results/tls.json`.

use super::program::ProgramBench;
use super::runtime::row::{self, RuntimeTarget};

const NODE: Option<&str> = Some("node");
pub const CASE: &str = "tls";

pub const TARGETS: &[RuntimeTarget] = &[
    row::target("a full handshake, relative to node", [CASE, "full handshake, µs"], NODE, 1.0),
    row::target("a resumed handshake, relative to node", [CASE, "resumed handshake, µs"], NODE, 1.0),
    row::target("1 GiB from the server, relative to node", [CASE, "1 GiB from the server, ms"], NODE, 1.0),
    row::target("1 GiB to the server, relative to node", [CASE, "1 GiB to the server, ms"], NODE, 1.0),
    row::target("an HTTPS request with keep-alive, relative to node", [CASE, "request, µs"], NODE, 1.0),
    row::target("HTTP/2 with 100 streams, relative to node", [CASE, "HTTP/2 request, µs"], NODE, 1.0),
    row::target("AES-256-GCM of 64 B, relative to node", [CASE, "AES-256-GCM, 64 B, µs"], NODE, 1.0),
    row::target("AES-256-GCM of 1 KiB, relative to node", [CASE, "AES-256-GCM, 1 KiB, µs"], NODE, 1.0),
    row::target("AES-256-GCM of 1 MiB, relative to node", [CASE, "AES-256-GCM, 1 MiB, µs"], NODE, 1.0),
    row::target(
        "ChaCha20-Poly1305 of 64 B, relative to node",
        [CASE, "ChaCha20-Poly1305, 64 B, µs"],
        NODE,
        1.0,
    ),
    row::target(
        "ChaCha20-Poly1305 of 1 KiB, relative to node",
        [CASE, "ChaCha20-Poly1305, 1 KiB, µs"],
        NODE,
        1.0,
    ),
    row::target(
        "ChaCha20-Poly1305 of 1 MiB, relative to node",
        [CASE, "ChaCha20-Poly1305, 1 MiB, µs"],
        NODE,
        1.0,
    ),
    row::target("SHA-256 of 64 B, relative to node", [CASE, "SHA-256, 64 B, µs"], NODE, 1.0),
    row::target("SHA-256 of 1 KiB, relative to node", [CASE, "SHA-256, 1 KiB, µs"], NODE, 1.0),
    row::target("SHA-256 of 1 MiB, relative to node", [CASE, "SHA-256, 1 MiB, µs"], NODE, 1.0),
    row::target("Ed25519 sign of 64 B, relative to node", [CASE, "Ed25519 sign, 64 B, µs"], NODE, 1.0),
    row::target("Ed25519 sign of 1 KiB, relative to node", [CASE, "Ed25519 sign, 1 KiB, µs"], NODE, 1.0),
    row::target("Ed25519 sign of 1 MiB, relative to node", [CASE, "Ed25519 sign, 1 MiB, µs"], NODE, 1.0),
    row::target("RSA-2048 sign of 64 B, relative to node", [CASE, "RSA-2048 sign, 64 B, µs"], NODE, 1.0),
    row::target("RSA-2048 sign of 1 KiB, relative to node", [CASE, "RSA-2048 sign, 1 KiB, µs"], NODE, 1.0),
    row::target("RSA-2048 sign of 1 MiB, relative to node", [CASE, "RSA-2048 sign, 1 MiB, µs"], NODE, 1.0),
];

pub const BENCH: ProgramBench = ProgramBench { name: CASE, targets: TARGETS, packages: &[] };
