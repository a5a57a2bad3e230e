//! Environment variables that rusk reads, one table for the manual and the documentation. In:
//! nothing. Out: [`ENVIRONMENT`]. Absent: reading them, which each part does for itself;
//! `tests/environment.rs` checks that the table is complete.

/// An environment variable, or several that belong together.
pub struct EnvironmentVariable {
    /// A name that ends in `*` is a prefix.
    pub names: &'static [&'static str],
    /// What the variables do, in full sentences.
    pub meaning: &'static str,
    pub reader: Reader,
}

/// The part of rusk that reads a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reader {
    /// The output of every command.
    Output,
    /// `install`, `ci`, `add`, `remove`, `update` and `x`.
    Install,
    /// `install`, `ci`, `add`, `remove`, `update`, `x`, `cache`, `exec --sysroot`, and programs.
    Cache,
    /// `run`, `exec`, `x` and `trace`.
    Scripts,
    /// JavaScript programs: `rusk FILE`, `rusk -e`.
    Program,
    /// Diagnosis and development of rusk itself.
    Diagnosis,
    /// Set by rusk, Node or bun for a child process; not to be set by users.
    Internal,
}

impl Reader {
    pub const ALL: [Reader; 7] = [
        Reader::Output,
        Reader::Install,
        Reader::Cache,
        Reader::Scripts,
        Reader::Program,
        Reader::Diagnosis,
        Reader::Internal,
    ];

    /// A heading for the variables of this reader.
    pub fn title(self) -> &'static str {
        match self {
            Reader::Output => "Output of all commands",
            Reader::Install => "Installs: install, ci, add, remove, update, x",
            Reader::Cache => "Cache: installs, x, cache, exec and programs",
            Reader::Scripts => "Search for programs: run, exec, x, trace",
            Reader::Program => "Programs: rusk FILE, rusk -e",
            Reader::Diagnosis => "Diagnosis and development of rusk",
            Reader::Internal => "Internal: set by a parent process",
        }
    }
}

/// Every environment variable that rusk reads, in the order of [`Reader::ALL`].
pub const ENVIRONMENT: &[EnvironmentVariable] = &[
    output(&["NO_COLOR"], "If set and not empty, disables colors unless --color=always is given."),
    output(
        &["TERM"],
        "If `dumb` or not set, progress is printed as plain lines, without colors. Programs derive the color depth \
         of the terminal from it.",
    ),
    output(&["CI"], "If set to anything but `false` or `0`, progress is printed as plain lines."),
    output(
        &["LC_ALL", "LC_CTYPE", "LANG"],
        "The first one that is set decides: in a locale that is not UTF-8, the output is limited to ASCII.",
    ),
    install(
        &["HOME"],
        "Home directory: contains the user's .npmrc, .bunfig.toml and .cache. Programs get it from os.homedir().",
    ),
    install(&["XDG_CONFIG_HOME"], "Directory of the user's .bunfig.toml instead of HOME; must be absolute."),
    install(
        &["npm_config_*"],
        "Any key of .npmrc, for example npm_config_registry or npm_config_save_exact, in any case; takes precedence \
         over .npmrc and bunfig.toml.",
    ),
    install(
        &["BUN_INSTALL_GLOBAL_DIR"],
        "Directory of global packages, in which rusk link registers packages; must be absolute.",
    ),
    install(&["BUN_INSTALL_BIN"], "Directory of links to the programs of global packages; must be absolute."),
    install(
        &["BUN_INSTALL"],
        "bun's directory: install/global in it is the directory of global packages, bin that of their programs; \
         default: .bun in HOME.",
    ),
    install(&["NPM_ID_TOKEN"], "Identity token of a CI job for trusted publishing."),
    install(&["SIGSTORE_ID_TOKEN"], "Identity token of a GitLab job for provenance statements."),
    install(
        &["SIGSTORE_FULCIO_URL", "SIGSTORE_REKOR_URL"],
        "Services that sign and record provenance statements, instead of Sigstore's public ones.",
    ),
    install(
        &["ACTIONS_ID_TOKEN_REQUEST_URL", "ACTIONS_ID_TOKEN_REQUEST_TOKEN"],
        "Where a job of GitHub gets its identity token, and the token for that.",
    ),
    install(
        &["BUN_CREATE_DIR"],
        "Directory of the user's templates for create; default: .bun-create in HOME.",
    ),
    install(
        &["GITHUB_TOKEN", "GITHUB_ACCESS_TOKEN", "GITHUB_API_DOMAIN"],
        "Token with which create downloads repositories, and the host that it asks and sends the token to.",
    ),
    install(&["PREFIX"], "npm's prefix: the system-wide npmrc is PREFIX/etc/npmrc."),
    install(
        &["BUN_CONFIG_REGISTRY"],
        "URL of the default registry; takes precedence over npm_config_registry and all files.",
    ),
    install(
        &["BUN_CONFIG_TOKEN", "NPM_CONFIG_TOKEN", "npm_config_token"],
        "Bearer token for the default registry; the first one that is set counts.",
    ),
    install(
        &["http_proxy", "HTTP_PROXY"],
        "URL of the proxy for requests, unless .npmrc configures one. Lower case takes precedence.",
    ),
    install(
        &["https_proxy", "HTTPS_PROXY"],
        "URL of the proxy for HTTPS requests, unless .npmrc configures one; default: http_proxy.",
    ),
    install(
        &["no_proxy", "NO_PROXY"],
        "Hosts that are reached without a proxy, separated by commas or spaces.",
    ),
    install(
        &["SSL_CERT_FILE"],
        "PEM file of certificate authorities that replaces the system's, unless `ca` or `cafile` is configured.",
    ),
    install(
        &["NODE_EXTRA_CA_CERTS"],
        "PEM file of certificate authorities to trust in addition, in installs and in fetch().",
    ),
    install(
        &[
            "GIT_ASKPASS",
            "GIT_EXEC_PATH",
            "GIT_HTTP_*",
            "GIT_PROXY_COMMAND",
            "GIT_SSH*",
            "GIT_SSL_*",
            "GIT_TRACE*",
        ],
        "Passed on to `git` for dependencies from Git repositories. Other variables of Git are not.",
    ),
    cache(
        &["RUSK_CACHE_DIR"],
        "Directory of the package store and of all caches; --cache-dir takes precedence.",
    ),
    cache(
        &["XDG_CACHE_HOME"],
        "The cache is the directory `rusk` in this one; must be absolute. Default: HOME/.cache.",
    ),
    scripts(
        &["PATH"],
        "Directories in which programs are searched for, among them `node`, `git` and the programs that scripts start.",
    ),
    program(
        &["NODE_OPTIONS"],
        "Flags before a program, separated by spaces; the flags of the command line come after them.",
    ),
    program(
        &["NODE_ENV"],
        "Chooses the .env files: .env.production, .env.test or, by default, .env.development.",
    ),
    program(
        &["NODE_PATH"],
        "Directories in which require() searches for packages last, separated by colons.",
    ),
    program(&["NODE_PRESERVE_SYMLINKS"], "If `1`, as --preserve-symlinks."),
    program(&["NODE_PRESERVE_SYMLINKS_MAIN"], "If `1`, as --preserve-symlinks-main."),
    program(&["NODE_NO_WARNINGS"], "If `1`, as --no-warnings."),
    program(&["NODE_PENDING_DEPRECATION"], "If `1`, as --pending-deprecation."),
    program(&["NODE_REDIRECT_WARNINGS"], "File for warnings, as --redirect-warnings."),
    program(
        &["NODE_DISABLE_COMPILE_CACHE"],
        "If set and not empty, compiled code is neither read from the cache nor written to it.",
    ),
    program(
        &["NODE_USE_ENV_PROXY"],
        "If `1`, node:http, node:https and fetch use the proxies of http_proxy, https_proxy, no_proxy.",
    ),
    program(&["NODE_USE_SYSTEM_CA"], "If `1`, node:tls trusts the system's certificate authorities, too."),
    program(
        &["NODE_TLS_REJECT_UNAUTHORIZED"],
        "If `0`, fetch() accepts any certificate of a server. Insecure.",
    ),
    program(
        &["NODE_DEBUG"],
        "Sections for which util.debuglog() prints, separated by commas; `*` matches any characters.",
    ),
    program(
        &["NODE_CLUSTER_SCHED_POLICY"],
        "`rr` or `none`: how node:cluster distributes connections among its workers.",
    ),
    program(
        &["NODE_V8_COVERAGE"],
        "Directory to which the program and its workers write their coverage at the end, in V8's form, and by v8.takeCoverage().",
    ),
    program(
        &["NODE_TEST_CONTEXT", "NODE_TEST_WORKER_ID"],
        "Set by run() of node:test for the process of a test file: its results are for another process; number of the worker.",
    ),
    program(
        &["FORCE_COLOR", "NODE_DISABLE_COLORS", "COLORTERM"],
        "Color depth that a program detects for its terminal, as in Node.",
    ),
    program(
        &[
            "TMUX",
            "TF_BUILD",
            "AGENT_NAME",
            "CI_NAME",
            "TEAMCITY_VERSION",
            "TERM_PROGRAM",
            "TERM_PROGRAM_VERSION",
            "APPVEYOR",
            "BUILDKITE",
            "CIRCLECI",
            "DRONE",
            "GITEA_ACTIONS",
            "GITHUB_ACTIONS",
            "GITLAB_CI",
            "TRAVIS",
        ],
        "Terminals and CI services whose color depth a program knows, as in Node.",
    ),
    program(&["TMPDIR", "TMP", "TEMP"], "Result of os.tmpdir(): the first one that is set, otherwise /tmp."),
    program(&["CC"], "The C compiler of cc() of bun:ffi."),
    program(
        &["BUN_PORT", "PORT", "NODE_PORT"],
        "Port of a Bun.serve without one: the first that is set, otherwise 3000.",
    ),
    program(&["TZ"], "Time zone of dates; may also come from a .env file."),
    program(&["BUN_BE_BUN"], "If 1, an executable of rusk build --compile is rusk itself."),
    program(&["BUN_CONFIG_NO_CLEAR_TERMINAL_ON_RELOAD"], "If `true`, as --no-clear-screen."),
    program(
        &["BUN_CONFIG_VERBOSE_FETCH"],
        "If `1` or `true`, fetch prints the heads of requests and responses; if `curl`, a curl command, too.",
    ),
    program(
        &["BUN_CONFIG_WS_CLOSE_TIMEOUT"],
        "Seconds that a WebSocket waits for the server to close, 30 by default; 0: without an end.",
    ),
    program(
        &["all_proxy", "ALL_PROXY"],
        "Proxy of fetch in programs that use Bun, where http_proxy and https_proxy name none.",
    ),
    program(
        &["LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "WEBKIT_DEBUG"],
        "If one is set, the JavaScript engine's library is loaded by the dynamic linker instead of from the prepared \
         copy in the cache.",
    ),
    program(
        &["JSC_*"],
        "Options of JavaScriptCore, for example JSC_useJIT. With any of them set, no compiled code is cached.",
    ),
    diagnosis(
        &["RUSK_STARTUP_TRACE"],
        "`steps`, `syscalls` or `all`: at the end, prints to standard error where the time of rusk's own start went.",
    ),
    diagnosis(
        &["RUSK_UNSTABLE_ABI"],
        "If `0`, only the public API of JavaScriptCore is used, not its unstable ABI.",
    ),
    diagnosis(
        &["RUSK_BUILTINS"],
        "In debug builds of rusk: a checkout of rusk from which the builtin JavaScript files are read, so that \
         changing them needs no build.",
    ),
    internal(
        &["RUSK_TRACE_PHASES"],
        "Set to `1` by `rusk trace`: makes phases visible to it as system calls.",
    ),
    internal(
        &["RUSK_TEST_WORKER"],
        "Set by `rusk test` for its worker processes, which get files to run through a socket.",
    ),
    internal(
        &["RUSK_REFUSED_HOSTS"],
        "Set by `rusk approve --record`: file to which hosts are written that install scripts were refused.",
    ),
    internal(
        &["RUSK_WATCHED"],
        "Set by --watch: file descriptor to which the program reports the files it loads.",
    ),
    internal(
        &["NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE"],
        "Set by child_process.fork() and Bun.spawn(): file descriptor and format of the IPC channel.",
    ),
    internal(
        &["BUN_TEST_WORKER_ID", "JEST_WORKER_ID"],
        "Set by rusk test: number of the process that runs a file.",
    ),
    internal(&["NODE_UNIQUE_ID"], "Set by node:cluster: number of the worker."),
];

const fn output(names: &'static [&'static str], meaning: &'static str) -> EnvironmentVariable {
    EnvironmentVariable { names, meaning, reader: Reader::Output }
}

const fn install(names: &'static [&'static str], meaning: &'static str) -> EnvironmentVariable {
    EnvironmentVariable { names, meaning, reader: Reader::Install }
}

const fn cache(names: &'static [&'static str], meaning: &'static str) -> EnvironmentVariable {
    EnvironmentVariable { names, meaning, reader: Reader::Cache }
}

const fn scripts(names: &'static [&'static str], meaning: &'static str) -> EnvironmentVariable {
    EnvironmentVariable { names, meaning, reader: Reader::Scripts }
}

const fn program(names: &'static [&'static str], meaning: &'static str) -> EnvironmentVariable {
    EnvironmentVariable { names, meaning, reader: Reader::Program }
}

const fn diagnosis(names: &'static [&'static str], meaning: &'static str) -> EnvironmentVariable {
    EnvironmentVariable { names, meaning, reader: Reader::Diagnosis }
}

const fn internal(names: &'static [&'static str], meaning: &'static str) -> EnvironmentVariable {
    EnvironmentVariable { names, meaning, reader: Reader::Internal }
}

#[cfg(test)]
mod tests;
