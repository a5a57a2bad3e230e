//! Commands that publish a package.

use crate::flags::table::Command;
use crate::flags::{CommandSpec, Operands};

pub const PUBLISHING: &[CommandSpec] = &[
    CommandSpec {
        command: Command::Pack,
        name: "pack",
        aliases: &[],
        operands: Operands::Names { min: 0, usage: "[directory]" },
        summary: "Create the tarball that publishing would upload",
        description: "Contains the files that npm would publish: those that `files` in package.json names, or all that no \
                  .npmignore or .gitignore excludes; package.json, the readme, the license, `main` and programs \
                  always. In the package.json of the tarball, `workspace:` and `catalog:` specifiers become ranges. \
                  Runs the scripts `prepack` and `prepare` before and `postpack` after. The same files give the same \
                  bytes.",
        examples: [
            ("Create NAME-VERSION.tgz in the current directory", "rusk pack"),
            ("List the files without writing anything", "rusk pack --dry-run"),
        ],
    },
    CommandSpec {
        command: Command::Publish,
        name: "publish",
        aliases: &[],
        operands: Operands::Names { min: 0, usage: "[directory|tarball]" },
        summary: "Pack the package and publish it in the registry",
        description: "Runs the scripts `prepublishOnly`, `prepack` and `prepare`, packs as `rusk pack` does, uploads, \
                      then runs `publish` and `postpublish`. `publishConfig` in package.json sets registry, access, \
                      tag and provenance. A prerelease needs `--tag`. When the registry asks for a one-time \
                      password, it is taken from `--otp`, typed at the terminal, or obtained with a browser.",
        examples: [
            ("Show what would be published", "rusk publish --dry-run"),
            ("Publish a prerelease", "rusk publish --tag next"),
        ],
    },
    CommandSpec {
        command: Command::DistTag,
        name: "dist-tag",
        aliases: &["dist-tags"],
        operands: Operands::Names { min: 0, usage: "[ls|add|rm] [name[@version]] [tag]" },
        summary: "List, set or remove the dist-tags of a package",
        description: "Without operands, lists the tags of the package in the current directory. `add` without a tag \
                      sets `latest`.",
        examples: [
            ("List the tags of a package", "rusk dist-tag ls react"),
            ("Point a tag at a version", "rusk dist-tag add my-package@2.0.0 next"),
        ],
    },
    CommandSpec {
        command: Command::Deprecate,
        name: "deprecate",
        aliases: &[],
        operands: Operands::Names { min: 1, usage: "<name[@range]> <message>" },
        summary: "Mark published versions as deprecated",
        description: "Installing a deprecated version prints the message. An empty message takes the mark back.",
        examples: [
            ("Deprecate all versions before 2", "rusk deprecate 'my-package@<2' 'use version 2'"),
            ("Take it back", "rusk deprecate my-package@1.0.0 ''"),
        ],
    },
    CommandSpec {
        command: Command::Login,
        name: "login",
        aliases: &["adduser"],
        operands: Operands::None,
        summary: "Log in to a registry and save the token in ~/.npmrc",
        description: "With a browser where the registry offers it, else with name and password.",
        examples: [
            ("Log in to the default registry", "rusk login"),
            (
                "Log in to the registry of a scope",
                "rusk login --scope @mine --registry http://registry.test/",
            ),
        ],
    },
    CommandSpec {
        command: Command::Logout,
        name: "logout",
        aliases: &[],
        operands: Operands::None,
        summary: "Revoke the token of a registry and remove it from ~/.npmrc",
        description: "",
        examples: [
            ("Log out of the default registry", "rusk logout"),
            ("Log out of another registry", "rusk logout --registry http://registry.test/"),
        ],
    },
    CommandSpec {
        command: Command::Whoami,
        name: "whoami",
        aliases: &[],
        operands: Operands::None,
        summary: "Print the name of the user who is logged in",
        description: "",
        examples: [
            ("Print the user of the default registry", "rusk whoami"),
            ("Print the user of another registry", "rusk whoami --registry http://registry.test/"),
        ],
    },
];
