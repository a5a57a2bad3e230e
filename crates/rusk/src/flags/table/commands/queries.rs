//! Commands that read what is installed and what registries say about it.

use crate::flags::table::Command;
use crate::flags::{CommandSpec, Operands};

pub const QUERIES: &[CommandSpec] = &[
    CommandSpec {
        command: Command::List,
        name: "list",
        aliases: &["ls"],
        operands: Operands::Names { min: 0, usage: "[name[@range]...]" },
        summary: "List the packages that the lockfile pins",
        description: "Shows the direct dependencies of the package in the current directory, and those of the workspaces \
                      if it is the root of a project. With names, shows the paths that lead to these packages; `*` in a \
                      name stands for any characters.",
        examples: [
            ("List all packages as a tree", "rusk list --all"),
            ("Show where a package is used", "rusk list left-pad"),
        ],
    },
    CommandSpec {
        command: Command::Why,
        name: "why",
        aliases: &["explain"],
        operands: Operands::Names { min: 1, usage: "<name[@range]>..." },
        summary: "Show why packages are installed",
        description: "Shows every path from a package up to the package.json files of the project. `*` in a name stands \
                      for any characters.",
        examples: [
            ("Show who depends on a package", "rusk why left-pad"),
            ("Show the direct dependencies that bring it", "rusk why --top left-pad"),
        ],
    },
];
