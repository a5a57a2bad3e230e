//! Names of builtin modules. In: a specifier. Out: the name of the builtin without `node:`.

use std::sync::atomic::{AtomicBool, Ordering};

/// Sorted. Node's builtins, resolved with and without `node:`.
pub const NODE: &[&str] = &[
    "_http_agent",
    "_http_client",
    "_http_common",
    "_http_incoming",
    "_http_outgoing",
    "_http_server",
    "_stream_duplex",
    "_stream_passthrough",
    "_stream_readable",
    "_stream_transform",
    "_stream_wrap",
    "_stream_writable",
    "_tls_common",
    "_tls_wrap",
    "assert",
    "assert/strict",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "dns/promises",
    "domain",
    "events",
    "fs",
    "fs/promises",
    "http",
    "http2",
    "https",
    "inspector",
    "inspector/promises",
    "module",
    "net",
    "os",
    "path",
    "path/posix",
    "path/win32",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "readline/promises",
    "repl",
    "stream",
    "stream/consumers",
    "stream/promises",
    "stream/web",
    "string_decoder",
    "sys",
    "timers",
    "timers/promises",
    "tls",
    "trace_events",
    "tty",
    "url",
    "util",
    "util/types",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
    "zlib",
];

/// Sorted. Bun's builtins, which have no scheme.
pub const BUN: &[&str] = &["bun", "bun:ffi", "bun:sqlite", "bun:test"];

/// Sorted. Node's builtins that need the scheme `node:`.
pub const SCHEME_ONLY: &[&str] = &["sea", "sqlite", "test", "test/reporters"];

/// Packages that the test runner has itself, and the builtins that they are.
const TEST_PACKAGES: [(&str, &str); 2] = [("@jest/globals", "bun:test"), ("vitest", VITEST)];

/// `bun:test` with what vitest has in addition, in processes that run test files.
pub const VITEST: &str = "bun:vitest";

static HAS_TEST_PACKAGES: AtomicBool = AtomicBool::new(false);

/// From now on, this process has the packages of other test runners as builtins.
pub fn add_test_packages() {
    HAS_TEST_PACKAGES.store(true, Ordering::Relaxed);
}

/// Whether this process runs test files.
pub fn has_test_packages() -> bool {
    HAS_TEST_PACKAGES.load(Ordering::Relaxed)
}

pub fn find(specifier: &str) -> Option<&'static str> {
    match specifier.strip_prefix("node:") {
        Some(name) => find_in(NODE, name).or_else(|| find_in(SCHEME_ONLY, name)),
        None => find_test_package(specifier)
            .or_else(|| find_in(NODE, specifier))
            .or_else(|| find_in(BUN, specifier)),
    }
}

fn find_test_package(specifier: &str) -> Option<&'static str> {
    let mut packages = TEST_PACKAGES.iter().filter(|_| has_test_packages());
    packages.find(|(package, _)| *package == specifier).map(|(_, builtin)| *builtin)
}

fn find_in(names: &'static [&'static str], name: &str) -> Option<&'static str> {
    names.binary_search(&name).ok().map(|index| names[index])
}
