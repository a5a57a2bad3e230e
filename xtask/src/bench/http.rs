//! `bench http`: HTTP and WebSocket servers of rusk, bun and node under load, in turn. In:
//! `bench/http`, wrk, packages of the npm registry. Out: a table, targets,
//! `bench/results/http.json`. Numbers are microseconds per request, so a bound of 0.833 is 1.2
//! times the requests.

pub mod core;

use super::program::ProgramBench;
use super::runtime::row::{self, RuntimeTarget};

const NODE: Option<&str> = Some("node");
const BUN: Option<&str> = Some("bun");
pub const CASE: &str = "http";

const fn to_bun(what: &'static str, row: &'static str, most: f64) -> RuntimeTarget {
    row::target(what, [CASE, row], BUN, most)
}

pub const TARGETS: &[RuntimeTarget] = &[
    to_bun("Bun.serve, a string, relative to bun", "Bun.serve string, µs", 1.0),
    to_bun("Bun.serve, a string, p99, relative to bun", "Bun.serve string, p99 µs", 1.0),
    to_bun("Bun.serve, a static route, relative to bun", "Bun.serve static, µs", 0.909),
    to_bun("Bun.serve, JSON, relative to bun", "Bun.serve JSON, µs", 1.053),
    to_bun("Bun.serve, a parameter, relative to bun", "Bun.serve parameter, µs", 1.053),
    to_bun("Bun.serve, a 1 MiB file, relative to bun", "Bun.serve 1 MiB file, µs", 1.053),
    to_bun("Bun.serve, 10 MiB streamed, relative to bun", "Bun.serve 10 MiB stream, µs", 1.053),
    row::target("node:http, relative to node", [CASE, "node:http hello, µs"], NODE, 0.833),
    to_bun("node:http, relative to bun", "node:http hello, µs", 1.0),
    row::target("express, relative to node", [CASE, "express, µs"], NODE, 0.909),
    row::target("fastify, relative to node", [CASE, "fastify, µs"], NODE, 0.909),
    row::target("koa, relative to node", [CASE, "koa, µs"], NODE, 0.909),
    row::target("hono, relative to node", [CASE, "hono, µs"], NODE, 0.909),
    to_bun("WebSocket, 64 B, relative to bun", "WebSocket echo 64 B, µs", 1.0),
    to_bun("WebSocket, 64 KiB, relative to bun", "WebSocket echo 64 KiB, µs", 1.0),
    to_bun("WebSocket, publish, relative to bun", "WebSocket publish to 1,000, µs", 1.0),
    to_bun("memory, idle, relative to bun", "Bun.serve idle, MiB", 1.0),
    to_bun("memory, 10,000 connections, relative to bun", "Bun.serve 10,000 connections, MiB", 1.0),
    to_bun(
        "memory, after a million requests, relative to bun",
        "Bun.serve after a million requests, MiB",
        1.0,
    ),
    row::target(
        "cluster, two processes relative to one",
        [CASE, "cluster, two processes relative to one"],
        None,
        0.556,
    ),
    row::target(
        "reusePort, two processes relative to one",
        [CASE, "reusePort, two processes relative to one"],
        None,
        0.556,
    ),
];

pub const BENCH: ProgramBench = ProgramBench {
    name: CASE,
    targets: TARGETS,
    packages: &["express@5", "fastify@5", "koa@3", "hono@4", "@hono/node-server@1"],
};
