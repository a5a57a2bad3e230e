//! Commands that publish a package.

use crate::flags::table::Command;
use crate::flags::{CommandSpec, Operands};

pub const PUBLISHING: &[CommandSpec] = &[CommandSpec {
    command: Command::Pack,
    name: "pack",
    aliases: &[],
    operands: Operands::Names { min: 0, usage: "[directory]" },
    summary: "Create the tarball that publishing would upload",
    description: "Contains the files that npm would publish: those that `files` in package.json names, or all that no \
                  .npmignore or .gitignore excludes; package.json, the readme, the licence, `main` and programs \
                  always. In the package.json of the tarball, `workspace:` and `catalog:` specifiers become ranges. \
                  Runs the scripts `prepack` and `prepare` before and `postpack` after. The same files give the same \
                  bytes.",
    examples: [
        ("Create NAME-VERSION.tgz in the current directory", "rusk pack"),
        ("List the files without writing anything", "rusk pack --dry-run"),
    ],
}];
