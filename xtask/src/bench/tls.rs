//! `bench tls`: handshakes, bulk data, requests over HTTPS and HTTP/2 between two processes on
//! different cores, and algorithms of `node:crypto`, by rusk, bun, node and deno, in turn. In:
//! `bench/tls`. Out: a table, targets, `bench/results/tls.json`.

use super::program::ProgramBench;
use super::runtime::row::{self, RuntimeTarget};

const NODE: Option<&str> = Some("node");
pub const CASE: &str = "tls";

const fn to_node(what: &'static str, row: &'static str) -> RuntimeTarget {
    row::target(what, [CASE, row], NODE, 1.0)
}

pub const TARGETS: &[RuntimeTarget] = &[
    to_node("a full handshake, relative to node", "full handshake, µs"),
    to_node("a resumed handshake, relative to node", "resumed handshake, µs"),
    to_node("1 GiB from the server, relative to node", "1 GiB from the server, ms"),
    to_node("1 GiB to the server, relative to node", "1 GiB to the server, ms"),
    to_node("an HTTPS request with keep-alive, relative to node", "request, µs"),
    to_node("HTTP/2 with 100 streams, relative to node", "HTTP/2 request, µs"),
    to_node("AES-256-GCM of 64 B, relative to node", "AES-256-GCM, 64 B, µs"),
    to_node("AES-256-GCM of 1 KiB, relative to node", "AES-256-GCM, 1 KiB, µs"),
    to_node("AES-256-GCM of 1 MiB, relative to node", "AES-256-GCM, 1 MiB, µs"),
    to_node("ChaCha20-Poly1305 of 64 B, relative to node", "ChaCha20-Poly1305, 64 B, µs"),
    to_node("ChaCha20-Poly1305 of 1 KiB, relative to node", "ChaCha20-Poly1305, 1 KiB, µs"),
    to_node("ChaCha20-Poly1305 of 1 MiB, relative to node", "ChaCha20-Poly1305, 1 MiB, µs"),
    to_node("SHA-256 of 64 B, relative to node", "SHA-256, 64 B, µs"),
    to_node("SHA-256 of 1 KiB, relative to node", "SHA-256, 1 KiB, µs"),
    to_node("SHA-256 of 1 MiB, relative to node", "SHA-256, 1 MiB, µs"),
    to_node("Ed25519 sign of 64 B, relative to node", "Ed25519 sign, 64 B, µs"),
    to_node("Ed25519 sign of 1 KiB, relative to node", "Ed25519 sign, 1 KiB, µs"),
    to_node("Ed25519 sign of 1 MiB, relative to node", "Ed25519 sign, 1 MiB, µs"),
    to_node("RSA-2048 sign of 64 B, relative to node", "RSA-2048 sign, 64 B, µs"),
    to_node("RSA-2048 sign of 1 KiB, relative to node", "RSA-2048 sign, 1 KiB, µs"),
    to_node("RSA-2048 sign of 1 MiB, relative to node", "RSA-2048 sign, 1 MiB, µs"),
];

pub const BENCH: ProgramBench = ProgramBench { name: CASE, targets: TARGETS, packages: &[] };
