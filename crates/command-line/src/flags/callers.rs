//! Arguments of npm, pnpm, Yarn and bun, for a rusk that was called by such a name: scripts call
//! these programs, and a machine with rusk alone has none of them. In: the name, and the arguments.
//! Out: arguments of rusk. Absent: commands that only these programs have; the parser reports them.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use super::parse::find_command;

mod yarn_workspaces;

/// Commands of the managers that run the script of the same name.
const SCRIPTS: [&str; 4] = ["test", "start", "stop", "restart"];
/// Commands of ours that are names of scripts with pnpm and Yarn.
const NO_COMMANDS: [&str; 5] = ["build", "trace", "x", "man", "sbom"];

/// From the arguments of another program to those of rusk.
pub type Translation = fn(Vec<String>) -> Vec<String>;

/// The programs whose arguments are understood, each with its translation.
pub const CALLERS: [(&str, Translation); 7] = [
    ("bun", |words| words),
    ("bunx", |words| with("x", words)),
    ("npm", |words| Call::of(Dialect::Npm, words).arguments()),
    ("npx", program),
    ("pnpm", |words| Call::of(Dialect::Pnpm, words).arguments()),
    ("pnpx", program),
    ("yarn", |words| Call::of(Dialect::Yarn, words).arguments()),
];

/// Encloses the number of bytes that are not UTF-8. No text has it: it is no character.
const MARK: char = '\u{10FFFF}';

/// Arguments of rusk for those that the program `name` got. A name that is not known: as they are.
pub fn expand(name: &str, words: Vec<OsString>) -> Vec<OsString> {
    let Some((_, translate)) = CALLERS.iter().find(|(caller, _)| *caller == name) else { return words };
    let mut kept = Vec::new();
    let words = words.into_iter().map(|word| marked(word, &mut kept)).collect();
    translate(words).into_iter().map(|word| restored(word, &kept)).collect()
}

/// An argument as text, with a number in place of bytes that are not UTF-8.
fn marked(word: OsString, kept: &mut Vec<Vec<u8>>) -> String {
    let word = match word.into_string() {
        Ok(text) if !text.contains(MARK) => return text,
        word => word.map_or_else(|word| word, OsString::from),
    };
    let mut text = String::new();
    let mut push_kept = |text: &mut String, bytes: &[u8]| {
        text.push_str(&format!("{MARK}{}{MARK}", kept.len()));
        kept.push(bytes.to_owned());
    };
    for chunk in word.as_bytes().utf8_chunks() {
        for (index, part) in chunk.valid().split(MARK).enumerate() {
            if index > 0 {
                push_kept(&mut text, MARK.to_string().as_bytes());
            }
            text.push_str(part);
        }
        if !chunk.invalid().is_empty() {
            push_kept(&mut text, chunk.invalid());
        }
    }
    text
}

fn restored(word: String, kept: &[Vec<u8>]) -> OsString {
    if !word.contains(MARK) {
        return word.into();
    }
    let mut bytes = Vec::new();
    for (index, part) in word.split(MARK).enumerate() {
        match index % 2 {
            0 => bytes.extend_from_slice(part.as_bytes()),
            _ => bytes.extend_from_slice(&kept[part.parse::<usize>().expect("a mark encloses a number")]),
        }
    }
    OsString::from_vec(bytes)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Npm,
    Pnpm,
    Yarn,
}

/// `npm FLAGS COMMAND REST`
struct Call {
    dialect: Dialect,
    flags: Vec<String>,
    command: Option<String>,
    rest: Vec<String>,
}

impl Call {
    fn of(dialect: Dialect, words: Vec<String>) -> Call {
        let mut words = words.into_iter();
        let (flags, command) = leading_flags(dialect, &mut words);
        Call { dialect, flags, command, rest: words.collect() }
    }

    fn arguments(self) -> Vec<String> {
        let Some(command) = self.command.clone() else {
            let asks = ["-v", "--version", "-h", "--help"];
            let installs =
                self.dialect == Dialect::Yarn && !self.flags.iter().any(|flag| asks.contains(&flag.as_str()));
            return if installs { with("install", self.flags) } else { self.flags };
        };
        match (self.dialect, command.as_str()) {
            (Dialect::Npm, "t" | "tst") | (Dialect::Pnpm, "t") => self.script("test"),
            (_, name) if SCRIPTS.contains(&name) => self.script(name),
            (_, "run" | "run-script") | (Dialect::Npm, "rum" | "urn") => self.run(),
            (Dialect::Npm, "exec" | "x") => program([self.flags, self.rest].concat()),
            (_, "dlx") => program(self.rest),
            (Dialect::Yarn, "workspace") => self.of_member(),
            (Dialect::Yarn, "workspaces") => yarn_workspaces::arguments(self.rest),
            (Dialect::Npm, _) => self.command_of_ours(&command),
            (_, name) if find_command(name).is_none() || NO_COMMANDS.contains(&name) => self.script(name),
            _ => self.command_of_ours(&command),
        }
    }

    fn command_of_ours(self, name: &str) -> Vec<String> {
        with(name, [self.flags, self.rest].concat())
    }

    /// The first plain word after `run` is the script; without one, scripts are listed.
    fn run(self) -> Vec<String> {
        let mut words = self.rest.into_iter();
        let (flags, name) = leading_flags(self.dialect, &mut words);
        let flags = [self.flags, flags].concat();
        let rest = words.collect();
        match name {
            Some(name) => Call { flags, command: None, rest, ..self }.script(&name),
            None => with("run", flags),
        }
    }

    /// npm takes flags after the script's name for itself, up to `--`; the others pass them on.
    fn script(self, name: &str) -> Vec<String> {
        let mut flags = self.flags;
        let mut passed = Vec::new();
        let mut words = self.rest.into_iter();
        if self.dialect == Dialect::Npm {
            loop {
                let (own, word) = leading_flags(self.dialect, &mut words);
                flags.extend(own);
                match word {
                    Some(word) if word != "--" => passed.push(word),
                    _ => break,
                }
            }
        } else if self.dialect == Dialect::Pnpm {
            // pnpm passes a `--`, too; the one after the script's name is dropped.
            passed
                .extend((words.as_slice().first().is_some_and(|word| word == "--")).then(|| "--".to_owned()));
        }
        passed.extend(words);
        flags.retain(|flag| is_flag_of_run(flag));
        let separator = (self.dialect == Dialect::Npm && !passed.is_empty()).then(|| "--".to_owned());
        ["run".to_owned()]
            .into_iter()
            .chain(flags)
            .chain([name.to_owned()])
            .chain(separator)
            .chain(passed)
            .collect()
    }

    /// `yarn workspace MEMBER COMMAND`
    fn of_member(self) -> Vec<String> {
        let mut words = self.rest.into_iter();
        let Some(member) = words.next() else { return with("workspace", self.flags) };
        let mut inner = Call::of(self.dialect, words.collect());
        inner.flags.push(format!("--filter={member}"));
        inner.arguments()
    }
}

fn with(command: &str, words: Vec<String>) -> Vec<String> {
    [vec![command.to_owned()], words].concat()
}

/// Takes the flags before the first plain word, as flags of ours, and this word.
fn leading_flags(dialect: Dialect, words: &mut std::vec::IntoIter<String>) -> (Vec<String>, Option<String>) {
    let mut flags = Vec::new();
    while let Some(word) = words.next() {
        if !word.starts_with('-') || word == "--" || word == "-" {
            return (flags, Some(word));
        }
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (word.as_str(), None),
        };
        match own_flag(dialect, name) {
            OwnFlag::Plain(flag) => flags.push(flag.to_owned()),
            OwnFlag::Valued(flag) => {
                let value = value.or_else(|| words.next()).unwrap_or_default();
                flags.push(format!("{flag}={value}"));
            }
            OwnFlag::DroppedWithValue => drop(value.or_else(|| words.next())),
            OwnFlag::Unknown => flags.push(word),
        }
    }
    (flags, None)
}

enum OwnFlag {
    Plain(&'static str),
    Valued(&'static str),
    DroppedWithValue,
    Unknown,
}

fn own_flag(dialect: Dialect, name: &str) -> OwnFlag {
    match (dialect, name) {
        (Dialect::Npm, "-w" | "--workspace") | (Dialect::Pnpm, "-F" | "--filter") => {
            OwnFlag::Valued("--filter")
        }
        (Dialect::Npm, "-ws" | "--workspaces") | (Dialect::Pnpm, "-r" | "--recursive") => {
            OwnFlag::Plain("--workspaces")
        }
        (Dialect::Npm, "--prefix" | "-C") | (Dialect::Pnpm, "--dir" | "-C") | (Dialect::Yarn, "--cwd") => {
            OwnFlag::Valued("--cwd")
        }
        (_, "-s" | "--silent") | (Dialect::Npm, "-q" | "--quiet") => OwnFlag::Plain("--silent"),
        (Dialect::Npm | Dialect::Pnpm, "--loglevel") | (Dialect::Pnpm, "--reporter") => {
            OwnFlag::DroppedWithValue
        }
        _ => OwnFlag::Unknown,
    }
}

/// Other flags of a script are settings of the dialect, which it alone reads.
fn is_flag_of_run(flag: &str) -> bool {
    let name = flag.split_once('=').map_or(flag, |(name, _)| name);
    let known = [
        "--filter",
        "--workspaces",
        "--workspace-root",
        "--cwd",
        "--silent",
        "--if-present",
        "--parallel",
        "--sequential",
        "--aggregate-output",
    ];
    known.contains(&name)
}

/// Arguments of npx: `--yes` has no meaning, `--no-install` runs only what is there.
fn program(words: Vec<String>) -> Vec<String> {
    let mut words = words.into_iter().peekable();
    let mut command = "x";
    let mut flags = Vec::new();
    while let Some(flag) = words.next_if(|word| word.starts_with('-')) {
        match flag.as_str() {
            "--" => break,
            "-y" | "--yes" | "-q" | "--quiet" | "--prefer-offline" => {}
            "--no" | "--no-install" => command = "exec",
            "-p" | "--package" => flags.push(format!("--package={}", words.next().unwrap_or_default())),
            _ => flags.push(flag),
        }
    }
    let name = words.next();
    // `npm exec NAME -- --flag`
    words.next_if(|word| word == "--");
    [command.to_owned()].into_iter().chain(flags).chain(name).chain(words).collect()
}

#[cfg(test)]
mod tests;
