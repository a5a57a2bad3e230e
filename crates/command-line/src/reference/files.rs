//! Files that rusk reads and writes, for the manual and the documentation.

/// A file, or several of one kind.
pub struct FileUse {
    pub name: &'static str,
    /// What rusk uses it for, in full sentences.
    pub meaning: &'static str,
}

pub const FILES: &[FileUse] = &[
    FileUse {
        name: "package.json",
        meaning: "Dependencies and scripts of the project. Searched for in the current directory and its parent \
                  directories.",
    },
    FileUse {
        name: "bun.lock, package-lock.json, npm-shrinkwrap.json",
        meaning: "The lockfile: the one that is there, in its own format; else bun.lock.",
    },
    FileUse { name: "bunfig.toml, .npmrc", meaning: "Configuration of the project and of the user." },
    FileUse {
        name: ".env",
        meaning: "Environment variables for programs; also .env.local and .env.NODE_ENV.",
    },
];
