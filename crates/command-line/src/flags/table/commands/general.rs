//! Commands about rusk itself: its cache, its documentation.

use crate::flags::table::Command;
use crate::flags::{CommandSpec, Operands};

pub const GENERAL: &[CommandSpec] = &[
    CommandSpec {
        command: Command::Migrate,
        name: "migrate",
        aliases: &[],
        operands: Operands::OneOf(&[
            "bun.lock",
            "npm-shrinkwrap.json",
            "package-lock.json",
            "pnpm-lock.yaml",
            "yarn.lock",
        ]),
        summary: "Write the lockfile in another format",
        description: "Every version stays. The old lockfile is removed. Workspaces, catalogs and overrides are added \
                      where the other package manager reads them. Fails if the lockfile does not match \
                      package.json.",
        examples: [
            ("Continue with npm", "rusk migrate package-lock.json"),
            ("Continue with pnpm", "rusk migrate pnpm-lock.yaml"),
        ],
    },
    CommandSpec {
        command: Command::Cache,
        name: "cache",
        aliases: &[],
        operands: Operands::Names { min: 1, usage: "<clear|dir|ls|prune|rm|verify> [name[@version]...]" },
        summary: "Show, check and clean the cache",
        description: "`dir` prints the path of the cache. `ls` lists the packages in the store, all or those that \
                      are named. `rm` removes the named ones. `verify` checks the files of all packages, and \
                      removes damaged ones. `prune` removes packages that no project on this computer \
                      uses any more, shared store entries first: those of deleted projects and of versions that \
                      were replaced. It also removes unpacked images whose layouts are gone. `clear` removes all \
                      packages of the store, packuments, and the caches of programs; projects keep what they have \
                      installed. Installs wait until it is done.",
        examples: [
            ("Print the cache directory", "rusk cache dir"),
            ("Remove unused packages", "rusk cache prune"),
        ],
    },
    CommandSpec {
        command: Command::Completions,
        name: "completions",
        aliases: &[],
        operands: Operands::OneOf(&["bash", "zsh", "fish"]),
        summary: "Print completions for a shell",
        description: "",
        examples: [
            ("Load completions into the current bash", "source <(rusk completions bash)"),
            ("Install completions for fish", "rusk completions fish > ~/.config/fish/completions/rusk.fish"),
        ],
    },
    CommandSpec {
        command: Command::Man,
        name: "man",
        aliases: &[],
        operands: Operands::None,
        summary: "Print the manual page",
        description: "",
        examples: [
            ("Read the manual page", "rusk man | man -l -"),
            ("Install the manual page", "rusk man > ~/.local/share/man/man1/rusk.1"),
        ],
    },
    CommandSpec {
        command: Command::Help,
        name: "help",
        aliases: &[],
        operands: Operands::CommandName,
        summary: "Show help for rusk or for one command",
        description: "",
        examples: [("List all commands", "rusk help"), ("Show the flags of one command", "rusk help add")],
    },
];
