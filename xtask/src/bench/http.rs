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

pub const TARGETS: &[RuntimeTarget] = &[
    row::target("Bun.serve, a string, relative to bun", [CASE, "Bun.serve string, µs"], BUN, 1.0),
    row::target("Bun.serve, a string, p99, relative to bun", [CASE, "Bun.serve string, p99 µs"], BUN, 1.0),
    row::target("Bun.serve, a static route, relative to bun", [CASE, "Bun.serve static, µs"], BUN, 0.909),
    row::target("Bun.serve, JSON, relative to bun", [CASE, "Bun.serve JSON, µs"], BUN, 1.053),
    row::target("Bun.serve, a parameter, relative to bun", [CASE, "Bun.serve parameter, µs"], BUN, 1.053),
    row::target("Bun.serve, a 1 MiB file, relative to bun", [CASE, "Bun.serve 1 MiB file, µs"], BUN, 1.053),
    row::target(
        "Bun.serve, 10 MiB streamed, relative to bun",
        [CASE, "Bun.serve 10 MiB stream, µs"],
        BUN,
        1.053,
    ),
    row::target("node:http, relative to node", [CASE, "node:http hello, µs"], NODE, 0.833),
    row::target("node:http, relative to bun", [CASE, "node:http hello, µs"], BUN, 1.0),
    row::target("express, relative to node", [CASE, "express, µs"], NODE, 0.909),
    row::target("fastify, relative to node", [CASE, "fastify, µs"], NODE, 0.909),
    row::target("koa, relative to node", [CASE, "koa, µs"], NODE, 0.909),
    row::target("hono, relative to node", [CASE, "hono, µs"], NODE, 0.909),
    row::target("WebSocket, 64 B, relative to bun", [CASE, "WebSocket echo 64 B, µs"], BUN, 1.0),
    row::target("WebSocket, 64 KiB, relative to bun", [CASE, "WebSocket echo 64 KiB, µs"], BUN, 1.0),
    row::target("WebSocket, publish, relative to bun", [CASE, "WebSocket publish to 1,000, µs"], BUN, 1.0),
    row::target("memory, idle, relative to bun", [CASE, "Bun.serve idle, MiB"], BUN, 1.0),
    row::target(
        "memory, 10,000 connections, relative to bun",
        [CASE, "Bun.serve 10,000 connections, MiB"],
        BUN,
        1.0,
    ),
    row::target(
        "memory, after a million requests, relative to bun",
        [CASE, "Bun.serve after a million requests, MiB"],
        BUN,
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
