//! Flags of Node that are ignored by their prefix, and those that are refused. In: nothing. Out:
//! lists for the parser.

/// Prefixes of further ignored flags, mostly with a value after `=`.
pub(in crate::program_flags) const IGNORED_PREFIXES: &[&str] = &[
    "--experimental-",
    "--no-experimental-",
    "--harmony",
    "--no-harmony",
    "--js-",
    "--max-old-space-size=",
    "--max-semi-space-size=",
    "--max-http-header-size=",
    "--stack-size=",
    "--disable-proto=",
    "--dns-result-order=",
    "--es-module-specifier-resolution=",
    "--secure-heap",
    "--icu-data-dir=",
    "--trace-event-categories",
    "--heapsnapshot-",
    "--localstorage-file=",
    "--network-family-autoselection",
    "--no-network-family-autoselection",
    "--allow-",
    "--gc-interval=",
    "--v8-pool-size=",
];

/// Refused, because ignoring a restriction would be unsafe.
pub(in crate::program_flags) const PERMISSION_FLAGS: &[&str] = &["--permission", "--experimental-permission"];
