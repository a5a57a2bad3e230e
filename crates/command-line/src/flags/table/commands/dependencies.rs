//! Commands that change the dependencies of a project.

use crate::flags::table::Command;
use crate::flags::{CommandSpec, Operands};

pub const DEPENDENCIES: &[CommandSpec] = &[
    CommandSpec {
        command: Command::Install,
        name: "install",
        aliases: &["i"],
        operands: Operands::Names { min: 0, usage: "[name[@range]...]" },
        summary: "Install the dependencies listed in package.json",
        description: "Reads package.json and the lockfile, resolves what it does not pin, then updates the lockfile \
                      and node_modules. With package names, does the same as `rusk add`.",
        examples: [
            ("Install the project in the current directory", "rusk install"),
            ("Skip development dependencies", "rusk install --production"),
        ],
    },
    CommandSpec {
        command: Command::Ci,
        name: "ci",
        aliases: &[],
        operands: Operands::None,
        summary: "Install exactly what the lockfile pins, into a clean node_modules",
        description: "Fails if the lockfile is missing or does not match package.json. Changes neither file.",
        examples: [
            ("Install in continuous integration", "rusk ci"),
            ("Print the result as JSON", "rusk ci --json"),
        ],
    },
    CommandSpec {
        command: Command::Add,
        name: "add",
        aliases: &["a"],
        operands: Operands::Names { min: 1, usage: "<name[@range]>..." },
        summary: "Add packages to package.json and install them",
        description: "A package is a name, `name@range`, `alias@npm:name@range`, a directory, a tarball, a URL or a \
                      Git repository.",
        examples: [
            ("Add two packages", "rusk add react react-dom"),
            ("Add an exact version as a development dependency", "rusk add -DE typescript@5.9.2"),
        ],
    },
    CommandSpec {
        command: Command::Remove,
        name: "remove",
        aliases: &["rm", "uninstall"],
        operands: Operands::Names { min: 1, usage: "<name>..." },
        summary: "Remove packages from package.json and node_modules",
        description: "Unused transitive dependencies are removed too.",
        examples: [
            ("Remove one package", "rusk remove left-pad"),
            ("Show what would be removed", "rusk remove left-pad --dry-run"),
        ],
    },
    CommandSpec {
        command: Command::Update,
        name: "update",
        aliases: &["up", "upgrade"],
        operands: Operands::Names { min: 0, usage: "[name...]" },
        summary: "Update packages to the newest versions that package.json allows",
        description: "Without names, updates every package.",
        examples: [
            ("Update all packages within their ranges", "rusk update"),
            ("Update two packages beyond their ranges", "rusk update --latest vite vitest"),
        ],
    },
];
