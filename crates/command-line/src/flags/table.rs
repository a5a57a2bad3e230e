//! The tables of commands and flags. Long and short names are bun's where bun has the flag. A flag
//! means the same in every command that accepts it.

mod commands;
mod concat;
mod flags;

use super::{CommandSpec, FlagSpec};
pub use commands::COMMANDS;
pub use flags::{FLAGS, of_command};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    Install,
    Ci,
    Add,
    Remove,
    Update,
    Run,
    Exec,
    X,
    Test,
    Build,
    Trace,
    Init,
    Create,
    Version,
    Pkg,
    Link,
    Unlink,
    Patch,
    Deploy,
    Dedupe,
    Fetch,
    Prune,
    Rebuild,
    Approve,
    Config,
    Pack,
    Publish,
    DistTag,
    Deprecate,
    Login,
    Logout,
    Whoami,
    Migrate,
    List,
    Why,
    Outdated,
    Info,
    Audit,
    Licenses,
    Sbom,
    Bin,
    Root,
    Cache,
    Completions,
    Man,
    Help,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flag {
    SaveProd,
    Dev,
    Optional,
    Peer,
    Exact,
    Latest,
    OnlyMissing,
    Global,
    Catalog,
    Interactive,
    IfPresent,
    Bun,
    Filter,
    Workspaces,
    WorkspaceRoot,
    Parallel,
    Sequential,
    NoExitOnError,
    Concurrency,
    AggregateOutput,
    Package,
    TestTimeout,
    UpdateSnapshots,
    Ci,
    RerunEach,
    Retry,
    Todo,
    Only,
    PassWithNoTests,
    Concurrent,
    MaxConcurrency,
    Randomize,
    Seed,
    Bail,
    TestNamePattern,
    Reporter,
    ReporterOutfile,
    Dots,
    OnlyFailures,
    PathIgnorePatterns,
    Isolate,
    ParallelDelay,
    NoOrphans,
    Shard,
    Timings,
    UpdateTimings,
    TestPreload,
    Define,
    Conditions,
    EnvFile,
    NoEnvFile,
    Watch,
    Changed,
    Coverage,
    CoverageReporter,
    CoverageDir,
    Outdir,
    Outfile,
    Compile,
    CompileExecArgv,
    Asset,
    CompileAutoloadDotenv,
    CompileAutoloadBunfig,
    CompileExecutablePath,
    Target,
    BuildFormat,
    External,
    Packages,
    Sourcemap,
    Minify,
    MinifySyntax,
    MinifyWhitespace,
    MinifyIdentifiers,
    KeepNames,
    EntryNaming,
    ChunkNaming,
    AssetNaming,
    PublicPath,
    Drop,
    Feature,
    Loader,
    Banner,
    Footer,
    JsxRuntime,
    JsxFactory,
    JsxFragment,
    JsxImportSource,
    RootDir,
    EmitDceAnnotations,
    Splitting,
    MinChunkSize,
    NoSplitRequire,
    NoModulePreload,
    NoAutoloadTsconfig,
    NoAutoloadPackageJson,
    AllowUnresolved,
    RejectUnresolved,
    ReactFastRefresh,
    NoNamespaceSetters,
    CssChunking,
    Metafile,
    MetafileMd,
    NoBundle,
    NoMacros,
    NoClearScreen,
    Sysroot,
    Rw,
    Bind,
    Env,
    Workdir,
    User,
    Until,
    Collector,
    Processors,
    Compare,
    Production,
    Omit,
    Include,
    Os,
    Cpu,
    Libc,
    EngineStrict,
    MinimumReleaseAge,
    MinimumReleaseAgeExcludes,
    TrustPolicy,
    TrustPolicyExcludes,
    IgnoreScripts,
    AllowForeignSources,
    AllowUnverifiedTarballs,
    VerifySignatures,
    NoJail,
    ConcurrentScripts,
    FailOnBlocked,
    AllowBuild,
    Record,
    GrantNetwork,
    GrantConnect,
    GrantRead,
    GrantWrite,
    FrozenLockfile,
    LockfileOnly,
    DryRun,
    NoSave,
    Offline,
    PreferOffline,
    Registry,
    NetworkConcurrency,
    CacheDir,
    Linker,
    Backend,
    Force,
    NoVerify,
    Destination,
    Filename,
    GzipLevel,
    Tag,
    Access,
    Otp,
    TolerateRepublish,
    Provenance,
    ProvenanceFile,
    Scope,
    AuthType,
    Preid,
    NoGitTagVersion,
    Message,
    AllowSameVersion,
    Yes,
    Minimal,
    React,
    Library,
    Depth,
    All,
    Top,
    AuditLevel,
    Ignore,
    SbomFormat,
    SbomType,
    Commit,
    PatchesDir,
    Location,
    Check,
    Silent,
    Verbose,
    Json,
    Timeline,
    Html,
    Output,
    Color,
    Cwd,
    Help,
    Version,
}

/// Declares a list of commands as groups of commands.
macro_rules! command_lists {
    ($($(#[$doc:meta])* $name:ident = [$($group:expr),+ $(,)?];)+) => {
        $(
            $(#[$doc])*
            pub const $name: &[Command] = {
                const GROUPS: &[&[Command]] = &[$($group),+];
                &concat::concat::<Command, { concat::count(GROUPS) }>(GROUPS, Command::Help)
            };
        )+
    };
}

/// The commands that install packages into a project.
pub const INSTALL_COMMANDS: &[Command] =
    &[Command::Install, Command::Ci, Command::Add, Command::Remove, Command::Update];

/// The commands that talk to a registry's API.
pub const REGISTRY_COMMANDS: &[Command] = &[
    Command::Publish,
    Command::DistTag,
    Command::Deprecate,
    Command::Login,
    Command::Logout,
    Command::Whoami,
];

/// The commands that work in selected members of a project.
pub const MEMBER_COMMANDS: &[Command] = &[
    Command::Install,
    Command::Ci,
    Command::Add,
    Command::Remove,
    Command::Update,
    Command::Run,
    Command::Exec,
    Command::Version,
    Command::Pkg,
    Command::List,
    Command::Why,
    Command::Outdated,
    Command::Audit,
    Command::Licenses,
    Command::Sbom,
    Command::Pack,
    Command::Publish,
    Command::Deploy,
];

/// The commands that work with the user's global packages, too.
pub const GLOBAL_COMMANDS: &[Command] = &[
    Command::Install,
    Command::Add,
    Command::Remove,
    Command::Update,
    Command::List,
    Command::Why,
    Command::Outdated,
    Command::Approve,
    Command::Rebuild,
    Command::Bin,
    Command::Root,
];

/// The commands that print a directory.
pub const DIRECTORY_COMMANDS: &[Command] = &[Command::Bin, Command::Root];

/// The commands that run a package which need not be installed.
pub const EXECUTE_COMMANDS: &[Command] = &[Command::X, Command::Create];

/// The commands that write package.json.
pub const PROJECT_FILE_COMMANDS: &[Command] = &[Command::Init, Command::Version, Command::Pkg];

/// The commands that read what is installed.
pub const QUERY_COMMANDS: &[Command] =
    &[Command::List, Command::Why, Command::Outdated, Command::Info, Command::Audit, Command::Licenses];

/// The commands that ask a registry about packages.
pub const ASKING_COMMANDS: &[Command] = &[Command::Outdated, Command::Info, Command::Audit];

/// The commands that need the packages of a project, besides those that install.
pub const TREE_COMMANDS: &[Command] = &[
    Command::Link,
    Command::Unlink,
    Command::Patch,
    Command::Dedupe,
    Command::Fetch,
    Command::Prune,
    Command::Deploy,
    Command::Approve,
];

/// The commands that start a program by its name or path.
pub const PROGRAM_COMMANDS: &[Command] = &[Command::Exec, Command::Trace];

command_lists! {
    /// The commands in which groups of dependencies can be left out.
    OMIT_COMMANDS = [
        INSTALL_COMMANDS,
        &[Command::List, Command::Outdated, Command::Audit, Command::Licenses, Command::Sbom],
        &[Command::Prune, Command::Fetch],
    ];
    /// The commands with a mode for production.
    PRODUCTION_COMMANDS = [OMIT_COMMANDS, &[Command::Build, Command::Deploy]];
    /// The commands that set environment variables of a program, or inline some.
    ENV_COMMANDS = [PROGRAM_COMMANDS, &[Command::Build]];
    /// The commands that may fetch packages.
    NETWORK_COMMANDS = [INSTALL_COMMANDS, TREE_COMMANDS, EXECUTE_COMMANDS];
    /// The commands that choose versions of packages and install them.
    CHOOSING_COMMANDS = [INSTALL_COMMANDS, EXECUTE_COMMANDS, &[Command::Dedupe]];
    /// The commands that choose versions of packages.
    RESOLVING_COMMANDS = [CHOOSING_COMMANDS, &[Command::Outdated]];
    /// The commands that make node_modules.
    LAYOUT_COMMANDS = [
        INSTALL_COMMANDS,
        &[Command::Link, Command::Unlink, Command::Patch, Command::Dedupe, Command::Prune, Command::Deploy],
        &[Command::Approve, Command::Rebuild],
    ];
    /// The commands that use the cache.
    CACHE_COMMANDS = [NETWORK_COMMANDS, &[Command::Cache]];
    /// The commands that send requests to a registry.
    REQUEST_COMMANDS = [NETWORK_COMMANDS, REGISTRY_COMMANDS, ASKING_COMMANDS];
    /// The commands that can print their result as JSON.
    JSON_COMMANDS = [
        INSTALL_COMMANDS,
        &[
            Command::Run,
            Command::Test,
            Command::Trace,
            Command::Pack,
            Command::Migrate,
            Command::Rebuild,
            Command::Config,
            Command::Cache,
        ],
        TREE_COMMANDS,
        PROJECT_FILE_COMMANDS,
        REGISTRY_COMMANDS,
        QUERY_COMMANDS,
    ];
    /// The commands that work in a project: install, run a script or program, or publish; and that
    /// of the cache, which a project configures.
    PROJECT_COMMANDS = [
        INSTALL_COMMANDS,
        &[Command::Run, Command::Exec, Command::Test, Command::Build, Command::Trace],
        &[Command::Pack, Command::Migrate],
        EXECUTE_COMMANDS,
        TREE_COMMANDS,
        &[Command::Rebuild, Command::Config, Command::Cache],
        PROJECT_FILE_COMMANDS,
        REGISTRY_COMMANDS,
        QUERY_COMMANDS,
        &[Command::Sbom],
        DIRECTORY_COMMANDS,
    ];
    ALL_COMMANDS = [
        PROJECT_COMMANDS,
        &[Command::Completions, Command::Man, Command::Help],
    ];
}

/// The table's entry of a command.
pub fn command(command: Command) -> &'static CommandSpec {
    COMMANDS.iter().find(|spec| spec.command == command).expect("the table has an entry for every command")
}

/// The table's entry of a flag.
pub fn flag(flag: Flag) -> &'static FlagSpec {
    FLAGS.iter().find(|spec| spec.flag == flag).expect("the table has an entry for every flag")
}
