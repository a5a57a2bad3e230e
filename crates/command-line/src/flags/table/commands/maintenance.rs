//! Commands that maintain an installed project and its configuration.

use crate::flags::table::Command;
use crate::flags::{CommandSpec, Operands};

pub const MAINTENANCE: &[CommandSpec] = &[
    CommandSpec {
        command: Command::Link,
        name: "link",
        aliases: &["ln"],
        operands: Operands::Names { min: 0, usage: "[name|directory...]" },
        summary: "Use a package of this computer in the project",
        description: "Without operands, registers the package in the current directory. A name links a registered \
                      package into node_modules, a directory links that one. The link stays until the next \
                      install; `--save` writes it to package.json.",
        examples: [
            ("Register the package in the current directory", "rusk link"),
            ("Use it in a project", "rusk link my-package"),
        ],
    },
    CommandSpec {
        command: Command::Unlink,
        name: "unlink",
        aliases: &[],
        operands: Operands::Names { min: 0, usage: "[name...]" },
        summary: "Remove linked packages from the project",
        description: "What package.json says is installed again. Without operands, the package in the current \
                      directory is no longer registered.",
        examples: [
            ("Use the package of the registry again", "rusk unlink my-package"),
            ("Take back `rusk link`", "rusk unlink"),
        ],
    },
    CommandSpec {
        command: Command::Patch,
        name: "patch",
        aliases: &[],
        operands: Operands::Names { min: 1, usage: "<name[@version]|directory>" },
        summary: "Change an installed package and keep the change as a patch",
        description: "Copies the package to be edited. With `--commit`, writes the difference to \
                      patches/NAME@VERSION.patch, names it in `patchedDependencies` of package.json, and installs \
                      the patched package.",
        examples: [
            ("Copy a package to be edited", "rusk patch left-pad"),
            ("Save the changes as a patch", "rusk patch --commit left-pad"),
        ],
    },
    CommandSpec {
        command: Command::Dedupe,
        name: "dedupe",
        aliases: &["ddp"],
        operands: Operands::None,
        summary: "Reduce the number of versions of each package",
        description: "Dependencies that several locked versions satisfy get the same one. No package is updated, and \
                      direct dependencies keep their version. `--check` changes nothing, and exits with 1 if there \
                      is something to do.",
        examples: [("Remove duplicates", "rusk dedupe"), ("Fail if there are any", "rusk dedupe --check")],
    },
    CommandSpec {
        command: Command::Fetch,
        name: "fetch",
        aliases: &[],
        operands: Operands::None,
        summary: "Download the packages of the lockfile into the store",
        description: "Changes nothing in the project. A later `rusk install --offline` needs no network.",
        examples: [
            ("Download everything", "rusk fetch"),
            ("Leave development dependencies out", "rusk fetch --production"),
        ],
    },
    CommandSpec {
        command: Command::Deploy,
        name: "deploy",
        aliases: &[],
        operands: Operands::Names { min: 1, usage: "<directory>" },
        summary: "Copy a package with its production dependencies into a directory",
        description: "Takes the files that `rusk pack` would take, the members that the package depends on, and the \
                      versions of the lockfile. The directory appears when it is complete.",
        examples: [
            ("Deploy a member of the project", "rusk deploy --filter=api /srv/api"),
            ("Replace what is there", "rusk deploy --force --filter=api /srv/api"),
        ],
    },
    CommandSpec {
        command: Command::Prune,
        name: "prune",
        aliases: &[],
        operands: Operands::None,
        summary: "Remove packages from node_modules that the lockfile does not have",
        description: "Makes node_modules what the lockfile says, without running scripts. With `--production`, \
                      development dependencies are removed.",
        examples: [
            ("Remove what does not belong there", "rusk prune"),
            ("Remove development dependencies", "rusk prune --production"),
        ],
    },
    CommandSpec {
        command: Command::Rebuild,
        name: "rebuild",
        aliases: &["rb"],
        operands: Operands::Names { min: 0, usage: "[workspace or package...]" },
        summary: "Run the install scripts of the project and approved dependencies again",
        description: "Scripts of dependencies run if they are approved, in the jail.",
        examples: [
            ("Run all install scripts", "rusk rebuild"),
            ("Run those of one workspace or dependency", "rusk rebuild better-sqlite3"),
        ],
    },
    CommandSpec {
        command: Command::Approve,
        name: "approve",
        aliases: &["approve-scripts", "approve-builds"],
        operands: Operands::Names { min: 0, usage: "[package...]" },
        summary: "Show install scripts of dependencies, and approve them",
        description: "Without names, lists the packages with install scripts and what they would run. An approval is \
                      recorded in package.json with the version and integrity of the package; then the scripts run, \
                      in a jail. Grants allow a script what the jail denies otherwise.",
        examples: [
            ("Show what would run", "rusk approve"),
            (
                "Approve a package that downloads",
                "rusk approve puppeteer --connect downloads.test --write '~/.cache/puppeteer'",
            ),
        ],
    },
    CommandSpec {
        command: Command::Config,
        name: "config",
        aliases: &[],
        operands: Operands::Names { min: 1, usage: "<get <key>|set <key> <value>|delete <key>|list>" },
        summary: "Read and change the configuration in .npmrc",
        description: "Changes the user's file, or the project's with `--location project`. Secrets are not shown.",
        examples: [
            ("Show all values", "rusk config list"),
            ("Save exact versions in this project", "rusk config set save-exact true --location project"),
        ],
    },
];
