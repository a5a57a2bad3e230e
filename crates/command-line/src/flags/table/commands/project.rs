//! Commands that create a package, and write its package.json.

use crate::flags::table::Command;
use crate::flags::{CommandSpec, Operands};

pub const PROJECT: &[CommandSpec] = &[
    CommandSpec {
        command: Command::Init,
        name: "init",
        aliases: &[],
        operands: Operands::Names { min: 0, usage: "[directory]" },
        summary: "Create package.json and the first files of a project",
        description: "Asks for name, version and more at a terminal; elsewhere, and with `--yes`, takes the defaults. \
                      Also creates the entry point, tsconfig.json, .gitignore and README.md. Files that exist stay; a \
                      package.json that exists gets the fields that it does not have.",
        examples: [
            ("Create a project in the current directory", "rusk init"),
            ("Create only package.json, without questions", "rusk init --yes --minimal app"),
        ],
    },
    CommandSpec {
        command: Command::Create,
        name: "create",
        aliases: &[],
        operands: Operands::Program { min: 1, usage: "<template> [directory|arguments...]" },
        summary: "Create a project from a template",
        description: "A directory (`./template`, `.bun-create/NAME` in the project, `~/.bun-create/NAME`) or a repository \
                      at GitHub (`user/repository`, with `#branch`) is copied; after it may follow the new directory, \
                      --force, --no-install, --ignore-scripts, --no-git and --yes. Any other name is that of a package: \
                      `rusk create vite` is `rusk x create-vite`, `@scope` is `@scope/create`, `@scope/name` is \
                      `@scope/create-name`; arguments after it belong to its program.",
        examples: [
            ("Create a project with create-vite", "rusk create vite@7 my-app"),
            ("Copy a repository", "rusk create user/repository my-app --no-git"),
        ],
    },
    CommandSpec {
        command: Command::Version,
        name: "version",
        aliases: &[],
        operands: Operands::Names { min: 0, usage: "[version|increment]" },
        summary: "Raise the version of the package",
        description: "Increments are `patch`, `minor`, `major`, `prepatch`, `preminor`, `premajor`, `prerelease` and \
                      `from-git`, the version of the latest tag. Writes the version to package.json and the lockfile. In a git repository, commits it and \
                      creates the tag `vVERSION`; tracked files must have no other changes. Runs the scripts \
                      `preversion` before, `version` before the commit, and `postversion` after it. Without \
                      operands, shows the version and the next ones.",
        examples: [
            ("Raise the last number", "rusk version patch"),
            ("Begin a prerelease, without git", "rusk version preminor --preid beta --no-git-tag-version"),
        ],
    },
    CommandSpec {
        command: Command::Pkg,
        name: "pkg",
        aliases: &[],
        operands: Operands::Names {
            min: 1,
            usage: "<get [field...]|set <field=value>...|delete <field>...>",
        },
        summary: "Read and change fields of package.json",
        description: "A field is a path such as `scripts.build`, `contributors[0].name`, `exports[./sub]`, or `files[]` for a \
                      new element. `get` prints JSON; without fields, all of package.json. `set` makes objects that are \
                      missing; values are strings, or JSON with --json. The rest of the file stays as it is.",
        examples: [
            ("Print the version", "rusk pkg get version"),
            ("Add a script", "rusk pkg set scripts.build=tsc"),
        ],
    },
];
