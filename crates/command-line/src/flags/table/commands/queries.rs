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
    CommandSpec {
        command: Command::Outdated,
        name: "outdated",
        aliases: &[],
        operands: Operands::Names { min: 0, usage: "[name...]" },
        summary: "Show direct dependencies that have newer versions",
        description: "Shows the version in the lockfile, the one that `rusk update` would install, and the latest one. \
                      `*` in a name stands for any characters, `!` excludes.",
        examples: [
            ("Compare all direct dependencies", "rusk outdated"),
            ("Compare those of a scope", "rusk outdated '@types/*'"),
        ],
    },
    CommandSpec {
        command: Command::Info,
        name: "info",
        aliases: &["view", "show"],
        operands: Operands::Names { min: 0, usage: "[name[@range]] [field...]" },
        summary: "Show what the registry says about a package",
        description: "Without a name, about the package in the current directory. Fields are paths such as `version`, \
                      `dist.tarball`, `dist-tags.latest` or `maintainers[0].name`.",
        examples: [
            ("Show the latest version of a package", "rusk info react"),
            ("List all its versions", "rusk info react versions"),
        ],
    },
    CommandSpec {
        command: Command::Audit,
        name: "audit",
        aliases: &[],
        operands: Operands::Names { min: 0, usage: "[fix|signatures]" },
        summary: "Show known vulnerabilities of the installed packages",
        description: "Sends the names and versions in the lockfile to the registry. The exit code is 1 if there are \
                      vulnerabilities. `fix` updates the vulnerable packages within the ranges of their dependents. \
                      `signatures` verifies the signatures of the registries.",
        examples: [
            ("Show severe vulnerabilities only", "rusk audit --audit-level high"),
            ("Update vulnerable packages", "rusk audit fix"),
        ],
    },
    CommandSpec {
        command: Command::Sbom,
        name: "sbom",
        aliases: &[],
        operands: Operands::None,
        summary: "Write a software bill of materials (SBOM)",
        description: "Prints the packages of the lockfile with their licenses and digests as CycloneDX 1.5 or SPDX 2.3, in \
                      JSON. With SOURCE_DATE_EPOCH in the environment, the same project gives the same bytes.",
        examples: [
            ("Write a bill of materials", "rusk sbom --sbom-format cyclonedx"),
            ("Write that of production dependencies", "rusk sbom --sbom-format spdx --production"),
        ],
    },
    CommandSpec {
        command: Command::Licenses,
        name: "licenses",
        aliases: &[],
        operands: Operands::Names { min: 0, usage: "[list]" },
        summary: "List the licenses of the installed packages",
        description: "Reads package.json of each package in node_modules.",
        examples: [
            ("List all licenses", "rusk licenses"),
            ("List those of production dependencies as JSON", "rusk licenses --production --json"),
        ],
    },
    CommandSpec {
        command: Command::Bin,
        name: "bin",
        aliases: &[],
        operands: Operands::None,
        summary: "Print the directory of installed programs",
        description: "node_modules/.bin of the project; with `--global`, the directory of links to the programs of \
                      global packages.",
        examples: [
            ("Print the directory of the project's programs", "rusk bin"),
            ("Print the directory of global programs", "rusk bin --global"),
        ],
    },
    CommandSpec {
        command: Command::Root,
        name: "root",
        aliases: &[],
        operands: Operands::None,
        summary: "Print the directory of installed packages",
        description: "node_modules of the project; with `--global`, that of global packages.",
        examples: [
            ("Print the directory of the project's packages", "rusk root"),
            ("Print the directory of global packages", "rusk root --global"),
        ],
    },
];
