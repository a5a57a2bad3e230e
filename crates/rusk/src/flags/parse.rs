//! Arguments in, an [`Invocation`] out: which command, which flags, which words. Everything is
//! checked here against the table, so that a command meets only flags that it takes and values that
//! it knows.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use rusk_base::Result;

use super::table::{self, COMMANDS, Command, EVERY, FLAGS, Flag};
use super::{CommandRow, FlagRow, Takes, Words};
use crate::problem;

/// The command line, understood.
#[derive(Debug)]
pub struct Invocation {
    /// `None`: only flags that need no command.
    pub command: Option<Command>,
    /// What is neither command nor flag.
    pub words: Vec<String>,
    /// What stands behind the name of something to run, as it stands there.
    pub arguments: Vec<OsString>,
    /// Whether `--` stood in front of the last word.
    pub is_behind_dashes: bool,
    given: Vec<Given>,
}

#[derive(Debug)]
struct Given {
    flag: Flag,
    setting: Setting,
}

#[derive(Debug, PartialEq)]
enum Setting {
    On,
    Off,
    Value(OsString),
}

/// Parses the arguments that follow the program's name.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Invocation> {
    let mut arguments = arguments.into_iter();
    let mut invocation = Invocation {
        command: None,
        words: Vec::new(),
        arguments: Vec::new(),
        is_behind_dashes: false,
        given: Vec::new(),
    };
    let mut flags_ended = false;
    while let Some(argument) = arguments.next() {
        let bytes = argument.as_bytes();
        if invocation.names_program() {
            invocation.arguments.push(argument);
        } else if flags_ended {
            invocation.is_behind_dashes = true;
            invocation.word(argument)?;
        } else if bytes == b"--" {
            flags_ended = true;
        } else if let Some(long) = bytes.strip_prefix(b"--") {
            invocation.long(long, &mut arguments)?;
        } else if bytes.len() > 1 && bytes[0] == b'-' {
            invocation.bundle(&argument, &mut arguments)?;
        } else {
            invocation.word(argument)?;
        }
    }
    invocation.check()?;
    Ok(invocation)
}

impl Invocation {
    /// Whether a switch is on; the last one given decides.
    pub fn is_on(&self, flag: Flag) -> bool {
        self.settings(flag).next_back() == Some(&Setting::On)
    }

    /// The value of a flag; of several the last.
    pub fn value(&self, flag: Flag) -> Option<&str> {
        self.values(flag).next_back()
    }

    /// Every value of a flag, in the order given, words in their first spelling.
    pub fn values(&self, flag: Flag) -> impl DoubleEndedIterator<Item = &str> {
        self.settings(flag).filter_map(|setting| match setting {
            Setting::Value(value) => value.to_str(),
            _ => None,
        })
    }

    /// The value of a flag that takes a path; of several the last.
    pub fn path(&self, flag: Flag) -> Option<&Path> {
        self.paths(flag).next_back()
    }

    /// Every value of a flag that takes a path, in the order given.
    pub fn paths(&self, flag: Flag) -> impl DoubleEndedIterator<Item = &Path> {
        self.settings(flag).filter_map(|setting| match setting {
            Setting::Value(value) => Some(Path::new(value)),
            _ => None,
        })
    }

    fn settings(&self, flag: Flag) -> impl DoubleEndedIterator<Item = &Setting> {
        self.given.iter().filter(move |given| given.flag == flag).map(|given| &given.setting)
    }

    /// Whether all that follows is handed on.
    fn names_program(&self) -> bool {
        let words = self.command.map(|command| table::command(command).words);
        matches!(words, Some(Words::Program { .. })) && !self.words.is_empty()
    }

    /// One argument that is no flag: the command first, words after it.
    fn word(&mut self, argument: OsString) -> Result<()> {
        let word = argument.into_string().map_err(|raw| problem::not_utf8(&raw.to_string_lossy()))?;
        if self.command.is_some() {
            self.words.push(word);
            return Ok(());
        }
        self.command = Some(find_command(&word).ok_or_else(|| problem::unknown_command(&word))?.command);
        Ok(())
    }

    /// `name`, `name=value`, or `name` with its value in the next argument.
    fn long(&mut self, text: &[u8], rest: &mut impl Iterator<Item = OsString>) -> Result<()> {
        let (name, value) = match text.iter().position(|&byte| byte == b'=') {
            Some(at) => (&text[..at], Some(OsStr::from_bytes(&text[at + 1..]).to_owned())),
            None => (text, None),
        };
        let name = String::from_utf8_lossy(name);
        let (row, setting) = find_long(&name).ok_or_else(|| problem::unknown_flag(&name, self.command))?;
        let setting = match (row.takes.value_name(), value) {
            (None, None) => setting,
            (None, Some(_)) => return Err(problem::value_not_taken(&name)),
            // A forgotten value must not swallow the flag behind it; one that starts so is given
            // after `=`.
            (Some(_), value) => {
                let value = value.or_else(|| rest.next().filter(|next| !next.as_bytes().starts_with(b"--")));
                Setting::Value(checked(row, value)?)
            }
        };
        self.given.push(Given { flag: row.flag, setting });
        Ok(())
    }

    /// `-D`, or several letters in one: `-DE`. A letter with a value takes what is left, or the
    /// next argument.
    fn bundle(&mut self, argument: &OsStr, rest: &mut impl Iterator<Item = OsString>) -> Result<()> {
        let shown = argument.to_string_lossy();
        let mut letters = shown.chars();
        letters.next();
        while let Some(letter) = letters.next() {
            let row = self.find_letter(letter).ok_or_else(|| problem::unknown_letter(letter, &shown))?;
            if row.takes.value_name().is_none() {
                self.given.push(Given { flag: row.flag, setting: Setting::On });
                continue;
            }
            let value = match letters.as_str() {
                "" => rest.next().filter(|next| !next.as_bytes().starts_with(b"-")),
                value => Some(value.strip_prefix('=').unwrap_or(value).into()),
            };
            self.given.push(Given { flag: row.flag, setting: Setting::Value(checked(row, value)?) });
            break;
        }
        Ok(())
    }

    /// What a letter means may depend on the command, which stands before it then.
    fn find_letter(&self, letter: char) -> Option<&'static FlagRow> {
        let mut rows = FLAGS.iter().filter(|row| row.short.contains(&letter));
        let taken = self.command.and_then(|command| rows.clone().find(|row| row.commands.contains(&command)));
        // In front of the command, a value would take the command's place.
        taken.or_else(|| rows.clone().find(|row| row.takes.value_name().is_none())).or_else(|| rows.next())
    }

    /// What can be said only once all arguments are known.
    fn check(&self) -> Result<()> {
        if self.is_on(Flag::Help) || self.is_on(Flag::Version) {
            return Ok(());
        }
        let allowed = |row: &FlagRow| match self.command {
            Some(command) => row.commands.contains(&command),
            None => row.commands.len() == EVERY.len(),
        };
        if let Some(given) = self.given.iter().find(|given| !allowed(table::flag(given.flag))) {
            return Err(problem::flag_of_another_command(table::flag(given.flag), self.command));
        }
        self.check_conflicts()?;
        match self.command {
            Some(command) => self.check_words(table::command(command)),
            None => Ok(()),
        }
    }

    fn check_conflicts(&self) -> Result<()> {
        for row in FLAGS.iter().filter(|row| self.counts(row.flag)) {
            if let Some(&other) = row.conflicts.iter().find(|&&other| self.counts(other)) {
                return Err(problem::conflict(row, table::flag(other)));
            }
        }
        Ok(())
    }

    /// Whether a flag was given and not taken back.
    pub fn counts(&self, flag: Flag) -> bool {
        self.settings(flag).next_back().is_some_and(|setting| *setting != Setting::Off)
    }

    fn check_words(&self, row: &CommandRow) -> Result<()> {
        let found = self.words.len();
        match row.words {
            Words::None if found > 0 => Err(problem::word_not_taken(row, &self.words[0])),
            Words::Names { min, .. } | Words::Program { min, .. } if found < min => {
                Err(problem::words_missing(row))
            }
            Words::OneOf(_) if found == 0 => Err(problem::words_missing(row)),
            Words::OneOf(known) if !known.contains(&self.words[0].as_str()) => {
                Err(problem::unknown_word(row, known, &self.words[0]))
            }
            Words::OneOf(_) | Words::Command if found > 1 => {
                Err(problem::word_not_taken(row, &self.words[1]))
            }
            Words::Command if found == 1 && find_command(&self.words[0]).is_none() => {
                Err(problem::unknown_command(&self.words[0]))
            }
            _ => match self.words.iter().find(|word| word.is_empty()) {
                Some(_) => Err(problem::empty_word(row)),
                None => Ok(()),
            },
        }
    }
}

/// A command by any of its names.
pub fn find_command(name: &str) -> Option<&'static CommandRow> {
    COMMANDS.iter().find(|row| row.name == name || row.also.contains(&name))
}

/// A flag by any of its long names, and what the name says about it.
fn find_long(name: &str) -> Option<(&'static FlagRow, Setting)> {
    let direct = FLAGS.iter().find(|row| row.long == name || row.also.contains(&name));
    match direct {
        Some(row) => Some((row, Setting::On)),
        None => {
            let row = FLAGS.iter().find(|row| row.undo().is_some_and(|undo| undo == name))?;
            Some((row, Setting::Off))
        }
    }
}

/// A value that the flag knows, in its first spelling.
fn checked(row: &FlagRow, value: Option<OsString>) -> Result<OsString> {
    let value = match value {
        Some(value) if !value.is_empty() => value,
        _ => return Err(problem::value_missing(row)),
    };
    if matches!(row.takes, Takes::Path(_)) {
        return Ok(value);
    }
    let text = value.into_string().map_err(|raw| problem::not_utf8(&raw.to_string_lossy()))?;
    match row.takes {
        Takes::Count { max, .. } => match text.parse::<u32>() {
            Ok(count) if (1..=max).contains(&count) => Ok(count.to_string().into()),
            _ => Err(problem::not_a_count(row, &text, max)),
        },
        Takes::Choice { words, .. } | Takes::Choices { words, .. } => words
            .iter()
            .find(|word| word.word == text || word.also.contains(&text.as_str()))
            .map(|word| word.word.into())
            .ok_or_else(|| problem::unknown_choice(row, words, &text)),
        _ => Ok(OsString::from_vec(text.into_bytes())),
    }
}

#[cfg(test)]
mod tests;
