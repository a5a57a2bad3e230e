//! `bun --watch run app.ts`, `bun dev`, `bun --filter '*' build`, `pnpm -r build`: flags before
//! `run` and other commands, and scripts without it. In: the arguments, and which names are
//! scripts. Out: the arguments as rusk's parsers take them: a file after the flags of programs, or
//! the command before everything else.

use std::ffi::OsString;

use super::parse::find_command;
use super::table::{self, Command, FLAGS, Flag};
use crate::program_flags::{PROGRAM_FLAGS, has_program_extension, is_file};

/// Flags that have a meaning for programs and for scripts.
const SHARED: [&str; 4] = ["--env-file", "--no-env-file", "--bun", "-b"];

/// Flags of bun's `run` that ask for what rusk does anyway.
const UNUSED: [&str; 3] = ["--smol", "--elide-lines", "--shell=system"];

/// Commands that pnpm runs as the scripts of the same names.
const SCRIPTS: [&str; 2] = ["build", "test"];

/// Flags that only mean something for scripts of members.
const OF_MEMBERS: [Flag; 4] = [Flag::Filter, Flag::Workspaces, Flag::Parallel, Flag::Sequential];

/// A flag as written, with its value: one or two words.
struct Words {
    words: Vec<OsString>,
    /// Whether it is in the table of programs' flags.
    is_of_programs: bool,
}

pub fn expand(arguments: Vec<OsString>, is_script: &dyn Fn(&str) -> bool) -> Vec<OsString> {
    expanded(&arguments, is_script).unwrap_or(arguments)
}

/// `None`: the arguments stay as they are.
fn expanded(arguments: &[OsString], is_script: &dyn Fn(&str) -> bool) -> Option<Vec<OsString>> {
    let is_recursive = |name: &str, after: &[OsString]| name == "-r" && is_recursive(after, is_script);
    let (mut flags, rest) = leading_flags(arguments, &is_recursive)?;
    let (name, mut after) = rest.split_first()?;
    let mut name = name.to_str()?;
    let is_run = name == "run";
    if is_run {
        let (more, rest) = leading_flags(after, &|_, _| true)?;
        flags.extend(more);
        let (first, others) = rest.split_first()?;
        (name, after) = (first.to_str()?, others);
    }
    let has_program_flags = flags.iter().any(|flag| flag.is_of_programs);
    let as_program = || {
        let own = flags.iter().filter(|flag| flag.is_of_programs).flat_map(|flag| flag.words.clone());
        own.chain([OsString::from(name)]).chain(after.iter().cloned()).collect()
    };
    let as_script = || {
        let own = flags.iter().filter(|flag| !flag.is_of_programs || flag.is_one_of(&SHARED));
        let own = own.filter(|flag| !flag.is_one_of(&UNUSED)).flat_map(|flag| flag.words.clone());
        let own = [OsString::from("run")].into_iter().chain(own);
        own.chain([OsString::from(name)]).chain(after.iter().cloned()).collect()
    };
    if is_run {
        return match () {
            () if name == "-" => Some(as_program()),
            () if flags.is_empty() => None,
            () if has_program_flags && !is_script(name) && is_file(name) => Some(as_program()),
            () => Some(as_script()),
        };
    }
    let of_members = flags.iter().any(|flag| flag.is_spelling_of(&OF_MEMBERS));
    match find_command(name) {
        // `--filter='...^ui' test` is the script.
        Some(spec) => {
            let takes = table::flag(Flag::Filter).commands.contains(&spec.command);
            let takes_parallel = spec.command == Command::Test && !names_any_filter(&flags);
            if of_members && !takes && !takes_parallel {
                return Some(as_script());
            }
            // After the command, they are its own.
            let is_recursive = |flag: &Words| flag.name() == "-r" && !flag.is_of_programs;
            let is_moved = flags.iter().any(|flag| flag.name().ends_with("env-file") || is_recursive(flag));
            let moved = || {
                let own = flags.iter().flat_map(|flag| flag.words.clone());
                [OsString::from(name)].into_iter().chain(own).chain(after.iter().cloned()).collect()
            };
            is_moved.then(moved)
        }
        None if of_members => Some(as_script()),
        None => {
            let may_be_script = !name.starts_with('-') && !name.contains('/') && !has_program_extension(name);
            (may_be_script && is_script(name)).then(as_script)
        }
    }
}

/// Whether `-r` before these words is pnpm's: all members. Before a module, it is Node's: preload
/// it. A script may be one of members only; a module alone would be preloaded for no program.
fn is_recursive(words: &[OsString], is_script: &dyn Fn(&str) -> bool) -> bool {
    let Some(next) = words.first().and_then(|word| word.to_str()) else { return false };
    let is_of_members = || {
        find_command(next).is_some_and(|spec| table::flag(Flag::Workspaces).commands.contains(&spec.command))
    };
    let is_alone = words.len() == 1 && !next.contains(['/', '.']);
    next.starts_with('-') || is_alone || SCRIPTS.contains(&next) || is_of_members() || is_script(next)
}

fn names_any_filter(flags: &[Words]) -> bool {
    flags.iter().any(|flag| flag.is_spelling_of(&[Flag::Filter, Flag::Workspaces]))
}

/// The flags at the start, and what follows them; `None` if one is not known, or is code to run.
/// `is_of_command`: whether a short flag before these words is that of a command, not of programs.
fn leading_flags<'a>(
    arguments: &'a [OsString],
    is_of_command: &dyn Fn(&str, &[OsString]) -> bool,
) -> Option<(Vec<Words>, &'a [OsString])> {
    let (mut flags, mut rest) = (Vec::new(), arguments);
    while let Some((first, after)) = rest.split_first() {
        let text = first.to_str()?;
        if text == "--" {
            return None;
        }
        if text == "-" || !text.starts_with('-') {
            break;
        }
        let name = text.split('=').next().unwrap_or_default();
        let is_short = !name.starts_with("--");
        let program = PROGRAM_FLAGS.iter().find(|flag| flag.names.contains(&name));
        let program = program.filter(|_| !(is_short && is_of_command(name, after)));
        let mut specs = FLAGS.iter().filter(|spec| is_spelled(spec.long, spec.aliases, spec.short, name));
        // Several commands may have the same short flag.
        let of_run = specs.clone().find(|spec| spec.commands.contains(&Command::Run));
        let mut command = || of_run.or_else(|| specs.next());
        let negated =
            || FLAGS.iter().any(|spec| spec.negation().is_some_and(|negation| name[2..] == negation));
        let takes_value = match program {
            Some(flag) if flag.names.iter().any(|name| matches!(*name, "-e" | "-p" | "--test")) => {
                return None;
            }
            Some(flag) => flag.value_name.is_some(),
            None if UNUSED.contains(&name) || UNUSED.contains(&text) => false,
            None => match command() {
                Some(spec) => spec.value.name().is_some(),
                None if !is_short && negated() => false,
                None => return None,
            },
        };
        let count = if takes_value && !text.contains('=') { 2 } else { 1 };
        if rest.len() < count {
            return None;
        }
        flags.push(Words { words: rest[..count].to_vec(), is_of_programs: program.is_some() });
        rest = if count == 2 { &after[1..] } else { after };
    }
    Some((flags, rest))
}

fn is_spelled(long: &str, aliases: &[&str], short: &[char], name: &str) -> bool {
    match name.strip_prefix("--") {
        Some(name) => long == name || aliases.contains(&name),
        None => name.chars().nth(1).is_some_and(|first| name.len() == 2 && short.contains(&first)),
    }
}

impl Words {
    fn name(&self) -> &str {
        self.text().split('=').next().unwrap_or_default()
    }

    fn text(&self) -> &str {
        self.words[0].to_str().unwrap_or_default()
    }

    fn is_one_of(&self, flags: &[&str]) -> bool {
        flags.contains(&self.name()) || flags.contains(&self.text())
    }

    /// `-r` is also a flag of programs.
    fn is_spelling_of(&self, flags: &[Flag]) -> bool {
        let mut specs = flags.iter().filter(|_| !self.is_of_programs).map(|&flag| table::flag(flag));
        specs.any(|spec| is_spelled(spec.long, spec.aliases, spec.short, self.name()))
    }
}

#[cfg(test)]
mod tests;
