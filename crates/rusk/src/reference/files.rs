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
    FileUse { name: "bun.lock", meaning: "The lockfile, in bun's format." },
    FileUse { name: "bunfig.toml, .npmrc", meaning: "Configuration of the project and of the user." },
    FileUse {
        name: ".env",
        meaning: "Environment variables for programs; also .env.local and .env.NODE_ENV.",
    },
];
