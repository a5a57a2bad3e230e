//! Rows of flags whose help is another one in some commands. In: a flag and a command. Out: the row
//! as the help of that command shows it.

use crate::flags::table::{Command, Flag};
use crate::flags::{FlagGroup, FlagSpec, FlagValue};

/// The row of a flag in the help of a command that accepts it.
pub const fn row(spec: &FlagSpec, command: Command) -> FlagSpec {
    match command {
        Command::Build => of_build(*spec),
        Command::List | Command::Outdated | Command::Audit | Command::Licenses | Command::Sbom => {
            of_query(*spec)
        }
        Command::Prune => match spec.flag {
            Flag::Production => FlagSpec { help: "Remove devDependencies, too", ..*spec },
            _ => *spec,
        },
        Command::Update => match spec.flag {
            Flag::Depth => FlagSpec {
                help: DEPTH_OF_UPDATE,
                value: FlagValue::Number { name: "N", max: 0 },
                group: FlagGroup::Updating,
                ..*spec
            },
            _ => *spec,
        },
        Command::Deploy => match spec.flag {
            Flag::Production => {
                FlagSpec { help: "As with pnpm; devDependencies are always left out", ..*spec }
            }
            _ => *spec,
        },
        Command::Pkg => match spec.flag {
            Flag::Json => FlagSpec { help: "Values of `set` are JSON", ..*spec },
            _ => *spec,
        },
        Command::X => match spec.flag {
            Flag::Yes => FlagSpec { help: "As with npx; no question is asked anyway", ..*spec },
            _ => *spec,
        },
        Command::Approve => match spec.flag {
            Flag::All => FlagSpec { help: "Approve every package with install scripts", ..*spec },
            _ => *spec,
        },
        _ => *spec,
    }
}

const DEPTH_OF_UPDATE: &str = "0: update direct dependencies, what they depend on stays locked";

const fn of_build(spec: FlagSpec) -> FlagSpec {
    let help = match spec.flag {
        Flag::Production => "Minify, and set NODE_ENV to `production`",
        Flag::Watch => "Build again after each change",
        Flag::Env => "Inline environment variables: `inline`, `disable` or a prefix such as `PUBLIC_*`",
        Flag::Define => "Replace a name by a constant; repeatable",
        Flag::Conditions => spec.help,
        _ => return spec,
    };
    let value = if matches!(spec.flag, Flag::Env) { FlagValue::String("MODE") } else { spec.value };
    FlagSpec { help, value, group: FlagGroup::Building, ..spec }
}

const fn of_query(spec: FlagSpec) -> FlagSpec {
    match spec.flag {
        Flag::Production => FlagSpec { help: "Leave devDependencies out", ..spec },
        Flag::Omit => FlagSpec { help: "Leave a group of dependencies out", ..spec },
        Flag::LockfileOnly => FlagSpec { help: "Read only the lockfile, not node_modules", ..spec },
        _ => spec,
    }
}
