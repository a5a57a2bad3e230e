//! What one install was asked to do, and what it may know of the machine. Values only: the binary
//! fills them from flags, the environment and the current directory.

use std::collections::BTreeMap;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};

pub use rusk_npm::bunfig::Linker;

/// One run of `install`, `ci`, `add`, `remove` or `update`.
#[derive(Clone, Debug)]
pub struct Request {
    pub edit: Edit,
    pub goal: Goal,
    pub omit: Omit,
    pub scripts: Scripts,
    pub network: Network,
    pub platform: PlatformFlags,
    /// Requests under way at once; `None` takes the configured number, else the default.
    pub network_concurrency: Option<u32>,
    pub backend: BackendFlag,
    pub save: Save,
    pub trust: Trust,
    pub verify: Verify,
    pub engines: Engines,
    /// `--linker`; `None` takes the configured one, else what the lockfile stands for.
    pub linker: Option<Linker>,
    /// `--registry`: the default registry for this run.
    pub registry: Option<String>,
    /// `--cache-dir`.
    pub cache_dir: Option<PathBuf>,
}

/// The change to package.json that comes before the install.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    None,
    /// `name`, `name@range`, `alias@npm:name@range`, a folder, a tarball, a URL, a repository.
    Add {
        specifiers: Vec<String>,
        group: Group,
        range: SavedRange,
    },
    Remove {
        names: Vec<String>,
    },
    /// No names: everything moves as far as package.json allows. `ToLatest` also rewrites
    /// package.json.
    Update {
        names: Vec<String>,
        reach: Reach,
    },
}

/// The group of package.json that `add` writes to. `Kept` leaves a name where it already stands,
/// and puts a new one into `dependencies`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Current,
    Production,
    Development,
    Optional,
    Peer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SavedRange {
    /// `^1.2.3`
    Caret,
    /// `1.2.3`
    Exact,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    InRange,
    ToLatest,
}

/// How far the run goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Lockfile and node_modules.
    Install,
    /// The lockfile must already say what package.json says; it is not written.
    Frozen,
    /// As `Frozen`, after removing node_modules.
    Clean,
    /// Lockfile, no node_modules.
    LockfileOnly,
    /// Resolve and plan; write nothing in the project.
    DryRun,
}

/// Groups left out of node_modules; the lockfile names them all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Omit {
    pub development: bool,
    pub optional: bool,
    pub peer: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scripts {
    /// The project's own; those of dependencies are never run.
    Run,
    Ignore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    Online,
    /// What the cache holds is used whatever its age; the rest is fetched.
    PreferOffline,
    Offline,
}

/// `--os`, `--cpu`, `--libc`: the platforms whose optional packages are installed. Empty: this
/// machine's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlatformFlags {
    pub os: Vec<String>,
    pub cpu: Vec<String>,
    pub libc: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackendFlag {
    /// The cheapest that works between store and project, found once.
    Best,
    Hardlink,
    Clone,
    Copy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Save {
    /// package.json and the lockfile are written.
    Yes,
    No,
}

/// `--force`: whether what is installed and cached already is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    InstalledFiles,
    Nothing,
}

/// `--no-verify` gives up the check of tarballs against their integrity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verify {
    Integrity,
    Nothing,
}

/// What a package's `engines` that this machine does not meet leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engines {
    Warn,
    Refuse,
}

/// The machine, as values.
#[derive(Clone, Debug)]
pub struct HostEnvironment {
    /// Absolute: where the command was started, or `--cwd`.
    pub current_dir: PathBuf,
    pub home_dir: Option<PathBuf>,
    pub environment: BTreeMap<String, String>,
    /// Finds out how many threads may compute at once; an install with nothing to do does not ask.
    pub processors: fn() -> usize,
    /// Seconds since 1970.
    pub now_s: u64,
    /// `rusk/0.1.0 linux x64 …`
    pub user_agent: String,
    /// Where scripts write to: not where results go, which may be one JSON object.
    pub script_output: BorrowedFd<'static>,
    /// Finds out what the `node` on PATH calls itself, without `v`; asked only when a manifest has
    /// `engines`. The folder: the cache, where the answer may be kept.
    pub node_version: fn(&BTreeMap<String, String>, &Path) -> Option<String>,
}
