//! Flags of Node that are ignored, by name or prefix, and those that are refused. In: nothing. Out:
//! lists for the parser.

/// Flags of Node that are accepted and ignored, because programs are started with them: they mean
/// nothing to this engine, or are not implemented.
pub(in crate::program_flags) const IGNORED_FLAGS: &[&str] = &[
    "--no-pending-deprecation",
    "--trace-uncaught",
    "--no-enable-source-maps",
    "--expose-internals",
    "--allow-natives-syntax",
    "--abort-on-uncaught-exception",
    "--strip-types",
    "--no-strip-types",
    "--insecure-http-parser",
    "--force-context-aware",
    "--no-node-snapshot",
    "--frozen-intrinsics",
    "--verify-base-objects",
    "--no-async-context-frame",
    "--async-context-frame",
    "--zero-fill-buffers",
    "--jitless",
    "--stress-compaction",
    "--predictable-gc-schedule",
    "--enable-sharedarraybuffer-per-context",
    "--no-concurrent-array-buffer-sweeping",
    "--debug-arraybuffer-allocations",
    "--test-udp-no-try-send",
    // The system's certificates are always the trusted ones.
    "--use-bundled-ca",
    "--use-openssl-ca",
    "--use-system-ca",
    "--no-use-bundled-ca",
    "--no-use-openssl-ca",
    "--no-use-system-ca",
    "--use-env-proxy",
    "--no-use-env-proxy",
];

/// Flags of bun's programs with nothing to do here: memory, packages that a run would install, who
/// runs it. Commands have some of them, too.
pub(in crate::program_flags) const UNUSED_FLAGS: &[&str] = &[
    "--smol",
    "--no-install",
    "--prefer-offline",
    "--prefer-latest",
    "-i",
    "--bun",
    "-b",
    "--redis-preconnect",
    "--sql-preconnect",
];

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
    "--icu-data-dir=",
    "--trace-event-categories",
    "--heapsnapshot-",
    "--localstorage-file=",
    "--network-family-autoselection",
    "--no-network-family-autoselection",
    "--allow-",
    "--gc-interval=",
    "--v8-pool-size=",
    "--install=",
    "--fetch-preconnect=",
];

/// Flags of Node and bun that are refused, and what to do instead.
pub(in crate::program_flags) const ABSENT_FLAGS: &[(&[&str], &str)] = &[
    (
        &["--inspect", "--inspect-brk", "--inspect-wait", "--inspect-port", "--debug-port"],
        "rusk has no debugger: `console.log` shows values, and `node --inspect` runs the same program",
    ),
    (
        &["--heap-prof", "--heap-prof-dir", "--heap-prof-name", "--heap-prof-interval"],
        "`v8.writeHeapSnapshot()` writes what is in memory, `--cpu-prof` where time goes",
    ),
    (&["--prof", "--prof-process", "--cpu-prof-process"], "`--cpu-prof` writes a profile"),
    (&["--run"], "`rusk run NAME` runs a script of package.json"),
    (&["--interactive", "-i"], "rusk has no interactive mode: `rusk -p CODE` prints a value"),
    (
        &["--build-snapshot", "--snapshot-blob"],
        "rusk writes no snapshots: `rusk build --compile` makes an executable",
    ),
    (
        &["--hostname", "--console"],
        "the flags of the development server come after the first page: `rusk ./index.html --port 8080`",
    ),
    (&["--experimental-sea-config", "--build-sea"], "`rusk build --compile` makes an executable"),
    (&["--check"], "`tsc --noEmit` checks types"),
    (&["--config"], "`bunfig.toml` of the current directory is read"),
    (&["--drop"], "it is a flag of `rusk build`"),
    (&["--extension-order"], "write the extension in the import"),
    (&["--feature"], "it is a flag of `rusk build`; `--define NAME=true` sets a constant of a program"),
    (
        &["--jsx-factory", "--jsx-fragment", "--jsx-import-source", "--jsx-runtime", "--jsx-side-effects"],
        "`compilerOptions` of tsconfig.json have the settings of JSX",
    ),
    (&["--main-fields"], "the entry point of a package is its `exports`, else `main`, as in Node"),
    (&["--no-macros"], "only `rusk build` runs macros"),
    (&["--revision"], "`rusk --version` prints the version"),
    (&["--tsconfig-override"], "the tsconfig.json nearest to a file is read: it can extend another one"),
];

/// Refused, because ignoring a restriction would be unsafe.
pub(in crate::program_flags) const PERMISSION_FLAGS: &[&str] = &["--permission", "--experimental-permission"];
