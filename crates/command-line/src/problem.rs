//! Constructors of the errors about the command line: unknown commands and flags, wrong values.

use std::ops::RangeInclusive;

use rusk_base::Problem;

use crate::flags::pm;
use crate::flags::suggest::other_tools::{self, Replacement};
use crate::flags::{Choice, Command, CommandSpec, FlagSpec, suggest, table};
use crate::program_flags;

/// Commands that are named as those which accept a flag.
const COMMANDS_SHOWN_MAX: usize = 5;

pub fn unknown_command(name: &str) -> Problem {
    if name == "pm" {
        return Problem::new("unknown-command", "expected a command of rusk after `pm`")
            .note("`rusk pm` in front of a command changes nothing: `rusk pm ls` is `rusk ls`")
            .hint("`rusk help` lists the commands");
    }
    let problem = Problem::new("unknown-command", format!("there is no command `{name}`"));
    if let Some(advice) = name.strip_prefix(pm::PREFIX).and_then(pm::absent) {
        return problem.hint(advice);
    }
    if let Some(ours) = other_tools::command(name) {
        return problem.hint(format!("the command of rusk is `{ours}`"));
    }
    if let Some(advice) = other_tools::absent(name) {
        return problem.hint(advice);
    }
    // Abbreviations are near to everything: `pm` must not suggest `rm`.
    let aliases = |spec: &'static CommandSpec| spec.aliases.iter().copied().filter(|alias| alias.len() > 2);
    let known = table::COMMANDS.iter().flat_map(|spec| aliases(spec).chain([spec.name]));
    match suggest::nearest(name, known) {
        Some(near) => problem.hint(format!("did you mean `rusk {near}`?")),
        None => problem.hint("`rusk help` lists the commands"),
    }
}

/// node_modules/.bin has a program of that name.
pub fn program_no_command(name: &str) -> Problem {
    Problem::new("unknown-command", format!("there is no command `{name}`"))
        .hint(format!("`rusk x {name}` runs the program of that name in node_modules/.bin"))
}

pub fn command_missing() -> Problem {
    Problem::new("command-missing", "these flags need a command").hint("`rusk help` lists the commands")
}

pub fn unknown_flag(name: &str, command: Option<Command>) -> Problem {
    let problem = Problem::new("unknown-flag", format!("there is no flag `--{name}`"));
    let spec = command.map(table::command);
    let known: Vec<&str> = match spec {
        Some(spec) => spec.flags().map(|flag| flag.long).collect(),
        None => table::FLAGS.iter().map(|flag| flag.long).collect(),
    };
    if let Some(advice) = command.and_then(|command| other_tools::flag_of(command, name)) {
        return problem.hint(advice);
    }
    if let Some(replacement) = other_tools::flag(name) {
        return with_replacement(problem, replacement);
    }
    if let Some(advice) = program_flags::absent(&format!("--{name}")).filter(|_| command.is_none()) {
        return problem.hint(advice);
    }
    match (suggest::nearest(name, known), spec) {
        (Some(near), _) => problem.hint(format!("did you mean `--{near}`?")),
        (_, Some(spec)) => problem.hint(format!("`rusk {} --help` lists its flags", spec.name)),
        (_, None) => problem.hint("`rusk help` lists commands and flags"),
    }
}

fn with_replacement(problem: Problem, replacement: Replacement) -> Problem {
    match replacement {
        Replacement::Flag(ours) => problem.hint(format!("the flag of rusk is `{ours}`")),
        Replacement::Advice(advice) => problem.hint(advice),
    }
}

pub fn unknown_short_flag(name: char, argument: &str) -> Problem {
    let problem = Problem::new("unknown-flag", format!("there is no flag `-{name}`"));
    let problem = match other_tools::short_flag(name) {
        Some(replacement) => with_replacement(problem, replacement),
        None => problem,
    };
    match argument.chars().count() {
        0..=2 => problem,
        _ => problem.note(format!("found in `{argument}`, which is read as several short flags")),
    }
}

pub fn flag_of_another_command(flag: &FlagSpec, command: Option<Command>) -> Problem {
    let Some(command) = command else {
        return command_missing().note(format!("found `--{}` and no command", flag.long));
    };
    let name = table::command(command).name;
    let problem = Problem::new("unknown-flag", format!("`rusk {name}` has no flag `--{}`", flag.long));
    if let Some(advice) = other_tools::flag_of(command, flag.long) {
        return problem.hint(advice);
    }
    let commands: Vec<String> =
        flag.commands.iter().map(|&other| format!("`rusk {}`", table::command(other).name)).collect();
    // A longer list does not help.
    let problem = match commands.len() {
        0..=COMMANDS_SHOWN_MAX => problem.note(format!("accepted by {}", commands.join(", "))),
        _ => problem,
    };
    problem.hint(format!("`rusk {name} --help` lists its flags"))
}

pub fn value_missing(flag: &FlagSpec) -> Problem {
    Problem::new("value-missing", format!("`--{}` needs a value: `{}`", flag.long, flag.spelling()))
}

pub fn value_not_taken(name: &str) -> Problem {
    Problem::new("value-not-taken", format!("`--{name}` takes no value"))
        .hint(format!("write `--{name}` to turn it on, `--{name}=false` to turn it off"))
}

pub fn not_a_number(flag: &FlagSpec, found: &str, allowed: RangeInclusive<u32>) -> Problem {
    Problem::new(
        "bad-value",
        format!(
            "`--{}` expects a whole number from {} to {}, found `{found}`",
            flag.long,
            allowed.start(),
            allowed.end()
        ),
    )
}

pub fn not_a_duration(flag: &FlagSpec, found: &str) -> Problem {
    let expected = "a number of seconds, or a number with a unit such as `3d`";
    Problem::new("bad-value", format!("`--{}` expects {expected}, found `{found}`", flag.long))
}

/// As in bun. pnpm's depths of 1 and more are levels that are updated.
pub fn depth_of_update(found: &str) -> Problem {
    Problem::new("bad-value", format!("`--depth` of `rusk update` is 0 or left out, found `{found}`"))
        .hint("`rusk update` without the flag updates every level, `rusk update NAME` one package")
}

pub fn unknown_choice(flag: &FlagSpec, choices: &[Choice], found: &str) -> Problem {
    let names: Vec<&str> = choices.iter().map(|choice| choice.name).collect();
    unknown_program_choice(&format!("--{}", flag.long), &names, found)
}

pub fn conflict(one: &FlagSpec, other: &FlagSpec) -> Problem {
    Problem::new("flags-conflict", format!("`--{}` and `--{}` contradict each other", one.long, other.long))
        .hint("leave one of them out")
}

pub fn operands_missing(spec: &CommandSpec) -> Problem {
    let problem = Problem::new(
        "words-missing",
        format!("`rusk {}` needs more arguments: `{}`", spec.name, spec.usage()),
    );
    let problem = match spec.command {
        Command::Build => problem.note("a script `build` of package.json is run by `rusk run build`"),
        _ => problem,
    };
    problem.hint(format!("for example `{}`", spec.examples[0].1))
}

pub fn operand_not_taken(spec: &CommandSpec, found: &str) -> Problem {
    Problem::new("word-not-taken", format!("`rusk {}` does not take the argument `{found}`", spec.name))
        .note(format!("usage: {}", spec.usage()))
}

pub fn unknown_operand(spec: &CommandSpec, known: &[&str], found: &str) -> Problem {
    Problem::new(
        "bad-value",
        format!("`rusk {}` expects one of `{}`, found `{found}`", spec.name, known.join("`, `")),
    )
}

pub fn empty_operand(spec: &CommandSpec) -> Problem {
    Problem::new("bad-value", format!("`rusk {}` expects names, found an empty argument", spec.name))
}

pub fn unknown_program_flag(flag: &str) -> Problem {
    let problem = Problem::new("unknown-flag", format!("there is no flag `{flag}` before a program"));
    if let Some(advice) = program_flags::absent(flag) {
        return problem.hint(advice);
    }
    problem.hint("put the program's own flags after its name; `rusk help` lists those before it")
}

/// bun's `--loader .svg:text`; Node's flag names module hooks.
pub fn loader_of_extension(value: &str) -> Problem {
    Problem::new("bad-value", format!("`--loader {value}` names no file with module hooks"))
        .hint("write the type at the import: `with { type: 'text' }`; `rusk build` has the flag")
}

pub fn shell_script(name: &str) -> Problem {
    Problem::new("no-program", format!("`{name}` is a script of a shell, and rusk has none"))
        .hint(format!("run `sh {name}`"))
}

pub fn program_flags_conflict(one: &str, other: &str) -> Problem {
    Problem::new("flags-conflict", format!("either `{one}` or `{other}` can be used, not both"))
}

pub fn program_flag_alone(flag: &str, other: &str) -> Problem {
    Problem::new("flag-alone", format!("`{flag}` is used with `{other}` only")).hint(format!("add `{other}`"))
}

pub fn no_permissions(flag: &str) -> Problem {
    Problem::new(
        "no-permissions",
        format!("`{flag}` is not supported: rusk cannot restrict the permissions of a program"),
    )
    .hint("run the program without the flag, or isolate it with `rusk exec --sysroot DIR`")
}

pub fn unknown_program_choice(flag: &str, choices: &[&str], found: &str) -> Problem {
    let list: Vec<String> = choices.iter().map(|choice| format!("`{choice}`")).collect();
    let problem = Problem::new("bad-value", format!("`{flag}` does not accept `{found}`"))
        .note(format!("expected one of {}", list.join(", ")));
    match suggest::nearest(found, choices.iter().copied()) {
        Some(near) => problem.hint(format!("did you mean `{flag}={near}`?")),
        None => problem,
    }
}

pub fn program_value_missing(flag: &str) -> Problem {
    Problem::new("value-missing", format!("`{flag}` needs a value"))
}

pub fn not_utf8(shown: &str) -> Problem {
    Problem::new("not-utf8", format!("expected an argument in UTF-8, found `{shown}`"))
}
