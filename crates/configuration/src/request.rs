//! Request for an install, and its environment. Values only: the binary fills them from flags, the
//! environment and the current directory.

use std::collections::BTreeMap;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusk_base::Result;
use rusk_npm::graph::Role;
use rusk_npm::workspace_filter::WorkspaceFilter;

pub use rusk_npm::bunfig::Linker;
pub use rusk_npm::release_age::ReleaseAgeSettings;
pub use rusk_npm::release_trust::{TrustPolicy, TrustSettings};

/// One run of `install`, `ci`, `add`, `remove` or `update`.
#[derive(Clone, Debug)]
pub struct InstallRequest {
    pub edit: Edit,
    /// The members whose package.json is edited; without an edit, those whose dependencies are
    /// installed.
    pub selection: Selection,
    pub goal: Goal,
    pub omit: Omit,
    pub scripts: Scripts,
    pub dependency_scripts: DependencyScriptFlags,
    pub network: Network,
    pub platform: PlatformFlags,
    /// Concurrent requests; `None` means the configured number, else the default.
    pub network_concurrency: Option<u32>,
    pub backend: BackendFlag,
    pub save: Save,
    pub reuse: Reuse,
    pub verify: Verify,
    pub engines: Engines,
    pub foreign_sources: ForeignSources,
    pub unverified_tarballs: UnverifiedTarballs,
    /// `--trust-policy` and its exclusions.
    pub release_trust: TrustSettings,
    /// `--minimum-release-age` and its exclusions.
    pub release_age: ReleaseAgeSettings,
    /// `--linker`; `None` means the configured one, else the one that follows from the lockfile.
    pub linker: Option<Linker>,
    /// `--registry`: the default registry for this run.
    pub registry: Option<String>,
    /// `--cache-dir`.
    pub cache_dir: Option<PathBuf>,
    /// What the configuration says and this run does not follow.
    pub overridden: Vec<OverriddenSetting>,
}

impl InstallRequest {
    /// As without flags.
    pub fn new(goal: Goal) -> InstallRequest {
        InstallRequest {
            edit: Edit::None,
            selection: Selection::default(),
            goal,
            omit: Omit::default(),
            scripts: Scripts::Run,
            dependency_scripts: DependencyScriptFlags::default(),
            network: Network::Online,
            platform: PlatformFlags::default(),
            network_concurrency: None,
            backend: BackendFlag::Best,
            save: Save::Yes,
            reuse: Reuse::InstalledFiles,
            verify: Verify::default(),
            engines: Engines::Warn,
            foreign_sources: ForeignSources::default(),
            unverified_tarballs: UnverifiedTarballs::default(),
            release_trust: TrustSettings::default(),
            release_age: ReleaseAgeSettings::default(),
            linker: None,
            registry: None,
            cache_dir: None,
            overridden: Vec::new(),
        }
    }
}

/// What the flags select. The default is the member around the current directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    pub filters: Vec<WorkspaceFilter>,
    /// All workspaces.
    pub all: bool,
    /// The project itself.
    pub root: bool,
}

impl Selection {
    /// Whether no flag selects members.
    pub fn is_default(&self) -> bool {
        *self == Selection::default()
    }
}

/// A setting of `.npmrc` or bunfig.toml that a flag such as `--no-offline` turns off for one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverriddenSetting {
    OmitDevelopment,
    OmitOptional,
    OmitPeer,
    IgnoreScripts,
    EngineStrict,
    Offline,
    PreferOffline,
    FrozenLockfile,
    DryRun,
    Exact,
    ForeignSources,
    UnverifiedTarballs,
    VerifySignatures,
}

impl OverriddenSetting {
    /// By the long name of a flag that is negated.
    pub fn of_negated_flag(name: &str) -> Option<OverriddenSetting> {
        Some(match name {
            "production" => OverriddenSetting::OmitDevelopment,
            "ignore-scripts" => OverriddenSetting::IgnoreScripts,
            "engine-strict" => OverriddenSetting::EngineStrict,
            "offline" => OverriddenSetting::Offline,
            "prefer-offline" => OverriddenSetting::PreferOffline,
            "frozen-lockfile" => OverriddenSetting::FrozenLockfile,
            "dry-run" => OverriddenSetting::DryRun,
            "exact" => OverriddenSetting::Exact,
            "allow-foreign-sources" => OverriddenSetting::ForeignSources,
            "allow-unverified-tarballs" => OverriddenSetting::UnverifiedTarballs,
            "verify-signatures" => OverriddenSetting::VerifySignatures,
            _ => return None,
        })
    }

    /// By a group of dependencies that is included.
    pub fn of_group(name: &str) -> Option<OverriddenSetting> {
        match name {
            "dev" => Some(OverriddenSetting::OmitDevelopment),
            "optional" => Some(OverriddenSetting::OmitOptional),
            "peer" => Some(OverriddenSetting::OmitPeer),
            _ => None,
        }
    }
}

/// The change to package.json before the install.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    None,
    /// `name`, `name@range`, `alias@npm:name@range`, a directory, a tarball, a URL, a repository.
    Add {
        specifiers: Vec<String>,
        group: DependencyGroup,
        range: SavedRange,
        existing: Existing,
        /// The catalog that gets the range; the default one is the empty string. `None`: the range
        /// is in the member's own package.json.
        catalog: Option<String>,
    },
    Remove {
        names: Vec<String>,
    },
    /// Fewer versions of a package, where the ranges allow it; none is updated.
    Deduplicate,
    /// Updates packages that any package depends on, within the ranges of their dependents.
    UpdateAnywhere {
        names: Vec<String>,
    },
    /// No names: everything is updated as far as package.json allows. package.json gets the new
    /// versions behind its `^` and `~`; `ToLatest` rewrites every range. A name may be a pattern
    /// (`@types/*`) or exclude others (`!webpack`).
    Update {
        names: Vec<String>,
        reach: UpdateReach,
        /// Only dependencies of these groups; all, if there are none.
        groups: Vec<DependencyGroup>,
        extent: UpdateExtent,
    },
    /// Updates that were picked one by one.
    UpdatePicked {
        picks: Vec<PickedUpdate>,
    },
}

/// Which packages an update moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpdateExtent {
    /// Those of the names, and without names all, as dependencies of any package.
    #[default]
    All,
    /// As direct dependencies; what packages depend on stays as it is locked.
    Direct,
}

/// An update of one dependency of one member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PickedUpdate {
    /// The member's path, relative to the project.
    pub member: String,
    pub name: String,
    pub reach: UpdateReach,
}

/// The group of package.json that `add` writes to. `Current` leaves an existing dependency in its
/// group, and adds a new one to `dependencies`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DependencyGroup {
    Current,
    Production,
    Development,
    Optional,
    Peer,
}

/// What `add` does with packages that package.json has already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    Replace,
    /// `--only-missing`
    Skip,
    /// Others are an error.
    Required,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SavedRange {
    /// `^1.2.3`
    Caret,
    /// `~1.2.3`
    Tilde,
    /// `1.2.3`; a range that was asked for stays one.
    Version,
    /// `1.2.3`, whatever was asked for.
    Exact,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateReach {
    InRange,
    ToLatest,
}

/// What the run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Lockfile and node_modules.
    Install,
    /// The lockfile must match package.json; it is not written.
    Frozen,
    /// As `Frozen`, after removing node_modules.
    Clean,
    /// Lockfile, no node_modules.
    LockfileOnly,
    /// Resolve and plan; write nothing in the project.
    DryRun,
}

/// Groups that are not installed; the lockfile includes them all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Omit {
    pub development: bool,
    pub optional: bool,
    pub peer: bool,
}

impl Omit {
    pub fn excludes(self, role: Role) -> bool {
        match role {
            Role::Development => self.development,
            Role::Optional => self.optional,
            Role::Peer | Role::OptionalPeer => self.peer,
            Role::Workspace | Role::Production => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scripts {
    /// The project's own scripts, and the approved ones of dependencies.
    Run,
    /// Those of dependencies only.
    OfDependencies,
    Ignore,
}

/// How approved scripts of dependencies run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DependencyScriptFlags {
    pub jail: JailFlag,
    /// How many packages' scripts run at the same time; `None`: as many as there are processors.
    pub concurrency: Option<u32>,
    pub blocked: BlockedScripts,
    pub reruns: Reruns,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JailFlag {
    #[default]
    Enforced,
    /// `--no-jail`
    Off,
}

/// What an install does about scripts that are not approved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BlockedScripts {
    #[default]
    Named,
    /// `--fail-on-blocked`
    Refused,
}

/// Which approved scripts run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reruns {
    /// Those of packages that changed since they ran.
    #[default]
    Changed,
    /// `rusk rebuild`: those of packages with these names; of all, if there are none.
    Packages(Vec<String>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    Online,
    /// Cached packuments are used whatever their age; the rest is fetched.
    PreferOffline,
    Offline,
}

/// `--os`, `--cpu`, `--libc`: the platforms whose optional packages are installed. Empty: the
/// host's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlatformFlags {
    pub os: Vec<String>,
    pub cpu: Vec<String>,
    pub libc: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackendFlag {
    /// The cheapest that works between store and project, probed once.
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

/// `--force`: whether installed and cached packages are reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    InstalledFiles,
    Nothing,
}

/// How the packages of a registry are verified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verify {
    #[default]
    Integrity,
    /// `--no-verify`: not even the integrity of tarballs.
    Nothing,
    /// `--verify-signatures`: the registry's signatures, too.
    Signatures,
}

/// Whether packages of a registry may depend on repositories and URLs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForeignSources {
    #[default]
    Refused,
    Allowed,
}

/// Whether a tarball outside of the registry may lack an integrity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnverifiedTarballs {
    #[default]
    Refused,
    Allowed,
}

/// What happens when a package's `engines` are not met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engines {
    Warn,
    Refuse,
}

/// The environment of an install, as values.
#[derive(Clone, Debug)]
pub struct HostEnvironment {
    /// Absolute: the working directory of the command, or `--cwd`.
    pub current_dir: PathBuf,
    pub home_dir: Option<PathBuf>,
    pub environment: BTreeMap<String, String>,
    /// Returns the number of processors; not called by an install with nothing to do.
    pub processors: fn() -> usize,
    /// Seconds since 1970.
    pub now_s: u64,
    /// `rusk/0.1.0 linux x64 …`
    pub user_agent: String,
    /// Where scripts write to: not standard output, which may have to be one JSON object.
    pub script_output: BorrowedFd<'static>,
    /// Returns the version of the `node` on PATH, without `v`; called only when a manifest has
    /// `engines`. The path is the cache directory, where the result may be cached.
    pub node_version: fn(&BTreeMap<String, String>, &Path) -> Option<String>,
    /// Writes headers of Node-API into this cache directory, unless they are there, and returns the
    /// directory for node-gyp; `None` if it cannot. Called only when a script of a dependency runs.
    pub node_headers: fn(&Path) -> Option<PathBuf>,
    /// Returns the file of rusk itself, which stands in for a missing `node`; called only when a
    /// script runs.
    pub program: fn() -> Option<PathBuf>,
    /// `None`: no user can be asked, and no security scanner is run.
    pub interaction: Option<Interaction>,
}

/// What an install asks of the program around it.
#[derive(Clone, Copy, Debug)]
pub struct Interaction {
    /// Imports a security scanner in a process of its own, calls `scan`, and returns its answer as
    /// JSON. Tells how long it has waited, again and again.
    pub run_scanner: fn(&ScannerRun<'_>, &mut dyn FnMut(Duration)) -> Result<String>,
    /// Asks the user; `None` without a terminal.
    pub confirm: fn(&str) -> Option<bool>,
}

/// One run of a security scanner.
#[derive(Clone, Copy, Debug)]
pub struct ScannerRun<'a> {
    /// The working directory, from which the module is imported.
    pub dir: &'a Path,
    /// `{"module":"…","packages":[…]}`
    pub input: &'a str,
}
