//! Scenarios of the benchmark: the state before an install starts.

/// The state in which an install starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// On the command line and in stored results.
    pub name: &'static str,
    /// In tables.
    pub description: &'static str,
    pub cache: bool,
    pub lockfile: bool,
    pub modules: bool,
    pub change: Change,
}

/// What happens between the setup and the install.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Nothing,
    /// package.json requests other versions of some packages, which are in the cache.
    Manifest,
    /// node_modules is removed and installed nine times; the tenth install is measured.
    Again,
}

const NOTHING: Scenario = Scenario {
    name: "nothing",
    description: "nothing",
    cache: false,
    lockfile: false,
    modules: false,
    change: Change::Nothing,
};

/// In measuring order: scenarios that need the cache first, because the others empty it.
pub const ALL: &[Scenario] = &[
    Scenario {
        name: "all-three",
        description: "all three",
        cache: true,
        lockfile: true,
        modules: true,
        ..NOTHING
    },
    Scenario {
        name: "cache+lockfile",
        description: "cache + lockfile",
        cache: true,
        lockfile: true,
        ..NOTHING
    },
    Scenario {
        name: "cache+node_modules",
        description: "cache + node_modules",
        cache: true,
        modules: true,
        ..NOTHING
    },
    Scenario { name: "cache", description: "cache", cache: true, ..NOTHING },
    Scenario {
        name: "update",
        description: "update",
        cache: true,
        lockfile: true,
        modules: true,
        change: Change::Manifest,
    },
    Scenario {
        name: AGAIN,
        description: "cache + lockfile, tenth time in a row",
        cache: true,
        lockfile: true,
        change: Change::Again,
        ..NOTHING
    },
    Scenario {
        name: "lockfile+node_modules",
        description: "lockfile + node_modules",
        lockfile: true,
        modules: true,
        ..NOTHING
    },
    Scenario { name: "node_modules", description: "node_modules", modules: true, ..NOTHING },
    Scenario { name: "lockfile", description: "lockfile", lockfile: true, ..NOTHING },
    NOTHING,
];

/// Not one of the published nine: it measures how the file system reacts to repetition.
pub const AGAIN: &str = "tenth-time";

/// The nine, in the order in which the benchmark is published.
pub const PUBLISHED: [&str; 9] = [
    "nothing",
    "lockfile",
    "cache",
    "cache+lockfile",
    "cache+node_modules",
    "node_modules",
    "all-three",
    "lockfile+node_modules",
    "update",
];

pub fn find(name: &str) -> Option<Scenario> {
    ALL.iter().copied().find(|scenario| scenario.name == name)
}
