//! `bench native`: calls of a Node-API addon, and of a library by `bun:ffi`, by rusk, bun, node and
//! deno, in turn. In: `bench/native`, compiled by `cc`. Out: a table, targets,
//! `bench/results/native.json`. A missed target is said, and is no error.

use super::c;
use super::program::ProgramBench;
use super::runtime::row::{self, RuntimeTarget};
use crate::files;

const NODE: Option<&str> = Some("node");
const BUN: Option<&str> = Some("bun");
const CASE: &str = "native";
/// Of node's time, and of bun's; of bun's for `bun:ffi`.
const OF_NODE: f64 = 1.5;
const OF_BUN: f64 = 1.1;
const OF_BUN_FFI: f64 = 1.5;

const TARGETS: &[RuntimeTarget] = &[
    row::target("an empty call, relative to node", [CASE, "an empty call, ns"], NODE, OF_NODE),
    row::target("an empty call, relative to bun", [CASE, "an empty call, ns"], BUN, OF_BUN),
    row::target("two numbers, relative to node", [CASE, "two numbers, ns"], NODE, OF_NODE),
    row::target("two numbers, relative to bun", [CASE, "two numbers, ns"], BUN, OF_BUN),
    row::target("a string of 16 bytes, relative to node", [CASE, "a string of 16 bytes, ns"], NODE, OF_NODE),
    row::target("a string of 16 bytes, relative to bun", [CASE, "a string of 16 bytes, ns"], BUN, OF_BUN),
    row::target("a string of 64 KiB, relative to node", [CASE, "a string of 64 KiB, ns"], NODE, OF_NODE),
    row::target("a string of 64 KiB, relative to bun", [CASE, "a string of 64 KiB, ns"], BUN, OF_BUN),
    row::target("ten fields, relative to node", [CASE, "an object with ten fields, ns"], NODE, OF_NODE),
    row::target("ten fields, relative to bun", [CASE, "an object with ten fields, ns"], BUN, OF_BUN),
    row::target("10,000 numbers, relative to node", [CASE, "an array of 10,000 numbers, ns"], NODE, OF_NODE),
    row::target("10,000 numbers, relative to bun", [CASE, "an array of 10,000 numbers, ns"], BUN, OF_BUN),
    row::target("a buffer, relative to node", [CASE, "a buffer of 1 KiB there and back, ns"], NODE, OF_NODE),
    row::target("a buffer, relative to bun", [CASE, "a buffer of 1 KiB there and back, ns"], BUN, OF_BUN),
    row::target("a thread-safe call, relative to node", [CASE, "a thread-safe call, ns"], NODE, OF_NODE),
    row::target("a thread-safe call, relative to bun", [CASE, "a thread-safe call, ns"], BUN, OF_BUN),
    row::target("ffi: an empty call, relative to bun", [CASE, "ffi: an empty call, ns"], BUN, OF_BUN_FFI),
    row::target("ffi: two numbers, relative to bun", [CASE, "ffi: two numbers, ns"], BUN, OF_BUN_FFI),
    row::target("ffi: two integers, relative to bun", [CASE, "ffi: two integers, ns"], BUN, OF_BUN_FFI),
    row::target("ffi: a buffer, relative to bun", [CASE, "ffi: a buffer, ns"], BUN, OF_BUN_FFI),
    row::target("ffi: a string, relative to bun", [CASE, "ffi: a string of 16 bytes, ns"], BUN, OF_BUN_FFI),
    row::target("ffi: a callback, relative to bun", [CASE, "ffi: a callback, ns"], BUN, OF_BUN_FFI),
];

const BENCH: ProgramBench = ProgramBench { name: CASE, targets: TARGETS, packages: &[] };

pub fn run(arguments: &[String]) -> Result<(), String> {
    let (source, built) = (files::root().join("bench/native"), files::target().join("bench/native"));
    files::empty(&built)?;
    let headers = format!("-I{}", files::root().join("crates/node-api/include").display());
    let options = ["-O2", "-shared", "-fPIC", "-pthread", &*headers];
    c::compile(&source.join("addon.c"), &built.join("addon.node"), &options)?;
    c::compile(&source.join("library.c"), &built.join("library.so"), &options)?;
    BENCH.run(arguments)
}
