//! Everything that can be wrong with a command line or the place it is typed in.

use std::path::Path;

use rusk_base::Problem;
use rusk_runtime::DefineError;

use crate::flags::{Command, CommandRow, FlagRow, Invocation, Word, suggest, table};

pub fn unknown_command(name: &str) -> Problem {
    let problem = Problem::new("unknown-command", format!("there is no command `{name}`"));
    let known = table::COMMANDS.iter().flat_map(|row| row.also.iter().copied().chain([row.name]));
    match suggest::nearest(name, known) {
        Some(near) => problem.hint(format!("did you mean `rusk {near}`?")),
        None => problem.hint("`rusk help` lists the commands"),
    }
}

pub fn command_missing() -> Problem {
    Problem::new("command-missing", "these flags need a command").hint("`rusk help` lists the commands")
}

pub fn unknown_flag(name: &str, command: Option<Command>) -> Problem {
    let problem = Problem::new("unknown-flag", format!("there is no flag `--{name}`"));
    let row = command.map(table::command);
    let known: Vec<&str> = match row {
        Some(row) => row.flags().map(|flag| flag.long).collect(),
        None => table::FLAGS.iter().map(|flag| flag.long).collect(),
    };
    match (suggest::translated(name), suggest::nearest(name, known), row) {
        (Some(ours), ..) => problem.hint(format!("here it is `{ours}`")),
        (_, Some(near), _) => problem.hint(format!("did you mean `--{near}`?")),
        (.., Some(row)) => problem.hint(format!("`rusk {} --help` lists its flags", row.name)),
        (.., None) => problem.hint("`rusk help` lists commands and flags"),
    }
}

pub fn unknown_letter(letter: char, argument: &str) -> Problem {
    let problem = Problem::new("unknown-flag", format!("there is no flag `-{letter}`"));
    match argument.chars().count() {
        0..=2 => problem,
        _ => problem.note(format!("found in `{argument}`, which is read letter by letter")),
    }
}

pub fn flag_of_another_command(flag: &FlagRow, command: Option<Command>) -> Problem {
    let Some(command) = command else {
        return command_missing().note(format!("found `--{}` and no command", flag.long));
    };
    let takers: Vec<String> =
        flag.commands.iter().map(|&taker| format!("`rusk {}`", table::command(taker).name)).collect();
    let name = table::command(command).name;
    Problem::new("unknown-flag", format!("`rusk {name}` has no flag `--{}`", flag.long))
        .note(format!("taken by {}", takers.join(", ")))
        .hint(format!("`rusk {name} --help` lists its flags"))
}

pub fn value_missing(flag: &FlagRow) -> Problem {
    Problem::new("value-missing", format!("`--{}` needs a value: `{}`", flag.long, flag.spelled()))
}

pub fn value_not_taken(name: &str) -> Problem {
    Problem::new("value-not-taken", format!("`--{name}` is a switch and takes no value"))
        .hint(format!("write `--{name}` to turn it on, leave it out to turn it off"))
}

pub fn not_a_count(flag: &FlagRow, found: &str, max: u32) -> Problem {
    Problem::new(
        "bad-value",
        format!("`--{}` expects a whole number from 1 to {max}, found `{found}`", flag.long),
    )
}

pub fn unknown_choice(flag: &FlagRow, words: &[Word], found: &str) -> Problem {
    let words: Vec<&str> = words.iter().map(|word| word.word).collect();
    unknown_program_choice(&format!("--{}", flag.long), &words, found)
}

pub fn conflict(one: &FlagRow, other: &FlagRow) -> Problem {
    Problem::new("flags-conflict", format!("`--{}` and `--{}` contradict each other", one.long, other.long))
        .hint("leave one of them out")
}

/// `frozen-lockfile` and the like, beside names that would change package.json.
pub fn names_beside(flag: &str, names: &[String]) -> Problem {
    Problem::new("flags-conflict", format!("`--{flag}` allows no change, found `{}` to add", names.join(" ")))
}

pub fn needs_names(flag: &str) -> Problem {
    Problem::new("words-missing", format!("`--{flag}` says where new packages are saved, found no package"))
        .hint("`rusk add <name>` adds one")
}

pub fn words_missing(row: &CommandRow) -> Problem {
    Problem::new("words-missing", format!("`rusk {}` needs more: `{}`", row.name, row.usage()))
        .hint(format!("for example `{}`", row.examples[0].1))
}

/// No program, and no image that says which one.
pub fn no_word(invocation: &Invocation) -> Problem {
    words_missing(table::command(invocation.command.unwrap_or(Command::Exec)))
}

/// A flag that says something of a root, and no root.
pub fn needs_sysroot(flag: &FlagRow) -> Problem {
    Problem::new("flag-missing", format!("`--{}` needs `--sysroot=DIR`", flag.long))
}

pub fn image_is_kept(image: &Path) -> Problem {
    Problem::new(
        "flags-conflict",
        format!("`--rw` writes to a folder, and `{}` is an image", image.display()),
    )
    .hint("leave `--rw` out, or unpack the image into a folder of your own")
}

pub fn root_lost(root: &Path) -> Problem {
    Problem::new("no-root", format!("nothing was heard from within the root `{}`", root.display()))
}

pub fn word_not_taken(row: &CommandRow, found: &str) -> Problem {
    Problem::new("word-not-taken", format!("`rusk {}` does not expect `{found}`", row.name))
        .note(format!("usage: {}", row.usage()))
}

pub fn unknown_word(row: &CommandRow, known: &[&str], found: &str) -> Problem {
    Problem::new(
        "bad-value",
        format!("`rusk {}` expects one of `{}`, found `{found}`", row.name, known.join("`, `")),
    )
}

pub fn empty_word(row: &CommandRow) -> Problem {
    Problem::new("bad-value", format!("`rusk {}` expects names, found an empty one", row.name))
}

pub fn not_utf8(shown: &str) -> Problem {
    Problem::new("not-utf8", format!("expected UTF-8, found the argument `{shown}`"))
}

pub fn no_manifest(folder: &Path) -> Problem {
    Problem::new("no-manifest", format!("no package.json in `{}` or above it", folder.display()))
        .hint("`rusk add <name>` starts one")
}

pub fn no_package(folder: &Path) -> Problem {
    Problem::new("no-manifest", format!("no package.json in `{}` or above it", folder.display()))
        .hint("go to the folder of a package, or name it with `--cwd`")
}

/// `near`: what may have been meant.
pub fn no_script(name: &str, folder: &Path, near: Option<&str>) -> Problem {
    let problem = Problem::new("no-script", format!("package.json has no script `{name}`"))
        .note("no program in node_modules/.bin has that name either")
        .note(format!("folder: `{}`", folder.display()));
    match near {
        Some(near) => problem.hint(format!("did you mean `rusk run {near}`?")),
        None => problem.hint("`rusk run` lists the scripts"),
    }
}

pub fn no_program(name: &str, near: Option<&str>) -> Problem {
    let problem = Problem::new(
        "no-program",
        format!("no program `{name}` in the project's node_modules/.bin or on PATH"),
    );
    match near {
        Some(near) => problem.hint(format!("did you mean `rusk exec {near}`?")),
        None => problem.hint("`rusk x PACKAGE` runs the program of a package that is not installed"),
    }
}

pub fn not_on_path(name: &str) -> Problem {
    Problem::new("no-program", format!("no program `{name}` on PATH"))
        .hint("`rusk trace -- rusk exec NAME` watches a program of the project")
}

pub fn bad_until(found: &str) -> Problem {
    Problem::new(
        "bad-value",
        format!("expected `exec`, `listen`, `exit` or a number of seconds after `--until`, found `{found}`"),
    )
}

pub fn bad_report(file: &Path, found: &str) -> Problem {
    Problem::new("bad-report", format!("`{}` is no report of `rusk trace --json`: {found}", file.display()))
}

pub fn two_reports(found: usize) -> Problem {
    Problem::new("words-missing", format!("`rusk trace --compare` needs 2 reports, found {found}"))
        .hint("rusk trace --compare before.json after.json")
}

pub fn package_without_program(package: &str) -> Problem {
    Problem::new("no-program", format!("`{package}` has no program"))
}

/// `names`: the programs there are.
pub fn several_programs(package: &str, names: &[&str]) -> Problem {
    Problem::new(
        "several-programs",
        format!("`{package}` has {} programs, and none of its own name", names.len()),
    )
    .note(format!("found {}", listed(names)))
    .hint(format!("name one: `rusk x -p {package} {}`", names[0]))
}

pub fn program_not_in(name: &str, packages: &[String], names: &[&str]) -> Problem {
    let problem = Problem::new("no-program", format!("`{}` has no program `{name}`", packages.join(" ")));
    let problem = if names.is_empty() { problem } else { problem.note(format!("found {}", listed(names))) };
    match suggest::nearest(name, names.iter().copied()) {
        Some(near) => problem.hint(format!("did you mean `{near}`?")),
        None => problem,
    }
}

fn listed(names: &[&str]) -> String {
    const NAMES_MAX: usize = 20;
    let mut list: Vec<String> = names.iter().take(NAMES_MAX).map(|name| format!("`{name}`")).collect();
    if names.len() > NAMES_MAX {
        list.push(format!("{} more", names.len() - NAMES_MAX));
    }
    list.join(", ")
}

pub fn bad_folder(folder: &Path, error: std::io::Error) -> Problem {
    Problem::new("bad-folder", format!("expected a folder at `{}`", folder.display())).cause(error)
}

pub fn bad_timeline(file: &Path, found: &str) -> Problem {
    Problem::new("bad-timeline", format!("no page can be written to `{}`: {found}", file.display()))
}

pub fn bad_target(file: &Path, found: &str) -> Problem {
    Problem::new("bad-target", format!("no report can be written to `{}`: {found}", file.display()))
}

/// `expected`: values, in backticks.
pub fn bad_variable(name: &str, found: &str, expected: &str) -> Problem {
    Problem::new("bad-variable", format!("`{name}` expects {expected}, found `{found}`"))
}

pub fn no_program_file(error: std::io::Error) -> Problem {
    Problem::new("no-program", "the file of rusk itself is not to be found").cause(error)
}

pub fn no_current_dir(error: std::io::Error) -> Problem {
    Problem::new("bad-folder", "the current directory cannot be read").cause(error)
}

pub fn output(error: std::io::Error) -> Problem {
    Problem::new("output", "what was to be printed could not be written").cause(error)
}

pub fn unknown_program_flag(flag: &str) -> Problem {
    Problem::new("unknown-flag", format!("there is no flag `{flag}` for a program"))
        .hint("flags of the program's own stand behind its name; `rusk help` lists ours")
}

pub fn no_permissions(flag: &str) -> Problem {
    Problem::new(
        "no-permissions",
        format!("`{flag}` asks for limits to what a program may do, and there are none here"),
    )
    .hint("run it without the flag, or under a root of its own: `rusk exec --sysroot DIR`")
}

pub fn unknown_program_choice(flag: &str, words: &[&str], found: &str) -> Problem {
    let list: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    let problem = Problem::new("bad-value", format!("`{flag}` does not know `{found}`"))
        .note(format!("expected one of {}", list.join(", ")));
    match suggest::nearest(found, words.iter().copied()) {
        Some(near) => problem.hint(format!("did you mean `{flag}={near}`?")),
        None => problem,
    }
}

pub fn program_value_missing(flag: &str) -> Problem {
    Problem::new("value-missing", format!("`{flag}` needs a value"))
}

pub fn no_stdin(error: std::io::Error) -> Problem {
    Problem::new("stdin", "standard input cannot be read").cause(error)
}

pub fn no_env_file(path: &str) -> Problem {
    Problem::new("no-env-file", format!("`{path}`: not found, expected a file of variables"))
        .hint("`--env-file-if-exists` is content without it")
}

pub fn define_without_value(word: &str) -> Problem {
    Problem::new("bad-define", format!("`--define {word}` names no value"))
        .hint("rusk --define process.env.NODE_ENV='\"production\"' app.js")
}

pub fn bad_define(name: &str, value: &str, flaw: DefineError) -> Problem {
    let problem = Problem::new(
        "bad-define",
        match flaw {
            DefineError::Name => {
                format!("`{name}` is no name to be defined, expected one such as `process.env.MODE`")
            }
            DefineError::Value => format!("`{value}` cannot stand for `{name}`, expected JSON or a name"),
        },
    );
    match flaw {
        DefineError::Name => problem,
        DefineError::Value => problem.hint("a text stands in quotes, also behind those of the shell"),
    }
}

pub fn watch_stdin() -> Problem {
    Problem::new("watch-stdin", "a program on standard input cannot be watched: it cannot be read again")
}

pub fn nothing_to_watch(path: &Path) -> Problem {
    Problem::new("nothing-to-watch", format!("there is no `{}` to watch", path.display()))
}

pub fn no_watch(call: &str, error: std::io::Error) -> Problem {
    Problem::new("no-watch", format!("files cannot be watched: {call} failed")).cause(error)
}

/// `found`: folders that are watched already.
pub fn too_many_watches(found: usize) -> Problem {
    Problem::new("too-many-watches", format!("the kernel watches no more folders than the {found} so far"))
        .hint("raise `fs.inotify.max_user_watches`, or name fewer folders with `--watch-path`")
}
