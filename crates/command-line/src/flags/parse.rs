//! Parser of the command line. In: the arguments. Out: an [`Invocation`]: command, flags, operands.
//! Everything is checked against the tables here, so that a command sees only flags that it accepts
//! and values that they allow.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use rusk_base::{Problem, Result};
use rusk_npm::release_age;

use super::table::{self, ALL_COMMANDS, COMMANDS, Command, FLAGS, Flag};
use super::{CommandSpec, FlagSpec, FlagValue, Operands};
use crate::problem;

/// A parsed command line.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// `None`: there are only flags that need no command.
    pub command: Option<Command>,
    /// Arguments that are neither the command nor flags.
    pub operands: Vec<String>,
    /// Arguments after the name of a program or script, unchanged.
    pub arguments: Vec<OsString>,
    /// Whether the last operand came after `--`.
    pub is_after_double_dash: bool,
    flags: Vec<GivenFlag>,
}

#[derive(Clone, Debug)]
struct GivenFlag {
    flag: Flag,
    state: FlagState,
}

#[derive(Clone, Debug, PartialEq)]
enum FlagState {
    On,
    Off,
    Value(OsString),
}

impl FlagState {
    fn opposite(self) -> FlagState {
        match self {
            FlagState::On => FlagState::Off,
            FlagState::Off => FlagState::On,
            FlagState::Value(_) => self,
        }
    }
}

/// Parses the arguments that follow the program's name.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Invocation> {
    let mut arguments = arguments.into_iter();
    let mut invocation = Invocation {
        command: None,
        operands: Vec::new(),
        arguments: Vec::new(),
        is_after_double_dash: false,
        flags: Vec::new(),
    };
    let mut flags_ended = false;
    while let Some(argument) = arguments.next() {
        let bytes = argument.as_bytes();
        if invocation.has_program() {
            invocation.arguments.push(argument);
        } else if flags_ended {
            invocation.is_after_double_dash = true;
            invocation.operand(argument)?;
        } else if bytes == b"--" {
            flags_ended = true;
        } else if let Some(long) = bytes.strip_prefix(b"--") {
            invocation.long(long, &mut arguments)?;
        } else if bytes.len() > 1 && bytes[0] == b'-' {
            invocation.short(&argument, &mut arguments)?;
        } else {
            invocation.operand(argument)?;
        }
    }
    invocation.check()?;
    Ok(invocation)
}

impl Invocation {
    /// Whether a switch is on; the last occurrence decides.
    pub fn is_on(&self, flag: Flag) -> bool {
        self.states(flag).next_back() == Some(&FlagState::On)
    }

    /// Whether a switch was turned off.
    pub fn is_negated(&self, flag: Flag) -> bool {
        self.states(flag).next_back() == Some(&FlagState::Off)
    }

    /// Long names of the flags that were turned off.
    pub fn negated_flags(&self) -> impl Iterator<Item = &'static str> {
        FLAGS.iter().filter(|spec| self.is_negated(spec.flag)).map(|spec| spec.long)
    }

    /// The value of a flag; of several, the last.
    pub fn value(&self, flag: Flag) -> Option<&str> {
        self.values(flag).next_back()
    }

    /// Every value of a flag in order; choices in their first spelling.
    pub fn values(&self, flag: Flag) -> impl DoubleEndedIterator<Item = &str> {
        self.states(flag).filter_map(|state| match state {
            FlagState::Value(value) => value.to_str(),
            _ => None,
        })
    }

    /// The value of a flag that takes a path; of several, the last.
    pub fn path(&self, flag: Flag) -> Option<&Path> {
        self.paths(flag).next_back()
    }

    /// Every value of a flag that takes a path, in order.
    pub fn paths(&self, flag: Flag) -> impl DoubleEndedIterator<Item = &Path> {
        self.states(flag).filter_map(|state| match state {
            FlagState::Value(value) => Some(Path::new(value)),
            _ => None,
        })
    }

    /// The same with a value of a flag, as if it were given last.
    #[must_use]
    pub fn with(mut self, flag: Flag, value: impl Into<OsString>) -> Invocation {
        self.flags.push(GivenFlag { flag, state: FlagState::Value(value.into()) });
        self
    }

    /// The same with a switch on, as if it were given last.
    #[must_use]
    pub fn with_on(mut self, flag: Flag) -> Invocation {
        self.flags.push(GivenFlag { flag, state: FlagState::On });
        self
    }

    fn states(&self, flag: Flag) -> impl DoubleEndedIterator<Item = &FlagState> {
        self.flags.iter().filter(move |given| given.flag == flag).map(|given| &given.state)
    }

    /// Whether all further arguments belong to a program or script.
    fn has_program(&self) -> bool {
        let operands = self.command.map(|command| table::command(command).operands);
        matches!(operands, Some(Operands::Program { .. })) && !self.operands.is_empty()
    }

    /// An argument that is not a flag: first the command, then its operands.
    fn operand(&mut self, argument: OsString) -> Result<()> {
        let argument = argument.into_string().map_err(|raw| problem::not_utf8(&raw.to_string_lossy()))?;
        if self.command.is_some() {
            self.operands.push(argument);
            return Ok(());
        }
        self.command =
            Some(find_command(&argument).ok_or_else(|| problem::unknown_command(&argument))?.command);
        Ok(())
    }

    /// `name`, `name=value`, or `name` with its value in the next argument.
    fn long(&mut self, text: &[u8], rest: &mut impl Iterator<Item = OsString>) -> Result<()> {
        let (name, value) = match text.iter().position(|&byte| byte == b'=') {
            Some(at) => (&text[..at], Some(OsStr::from_bytes(&text[at + 1..]).to_owned())),
            None => (text, None),
        };
        let name = String::from_utf8_lossy(name);
        let (spec, state) = find_long(&name).ok_or_else(|| problem::unknown_flag(&name, self.command))?;
        let state = match (spec.value.name(), value) {
            (None, None) => state,
            (None, value @ Some(_)) if matches!(spec.value, FlagValue::Optional(_)) => {
                FlagState::Value(checked(spec, value)?)
            }
            (None, Some(value)) => match value.to_str() {
                Some("true") => state,
                Some("false") => state.opposite(),
                _ => return Err(self.value_refused(spec, problem::value_not_taken(&name))),
            },
            // A missing value must not swallow the next flag; a value that starts with dashes must
            // follow `=`.
            (Some(_), value) => {
                let value = value.or_else(|| rest.next().filter(|next| !next.as_bytes().starts_with(b"--")));
                let value = checked(spec, value);
                FlagState::Value(value.map_err(|refused| self.value_refused(spec, refused))?)
            }
        };
        self.flags.push(GivenFlag { flag: spec.flag, state });
        Ok(())
    }

    /// A flag of another command may take another value with another tool.
    fn value_refused(&self, spec: &FlagSpec, refused: Problem) -> Problem {
        match self.command.filter(|command| !spec.commands.contains(command)) {
            Some(command) => problem::flag_of_another_command(spec, Some(command)),
            None => refused,
        }
    }

    /// `-D`, or several short flags in one argument: `-DE`. The value of a short flag is the rest
    /// of the argument, or the next argument.
    fn short(&mut self, argument: &OsStr, rest: &mut impl Iterator<Item = OsString>) -> Result<()> {
        let shown = argument.to_string_lossy();
        let mut names = shown.chars();
        names.next();
        while let Some(name) = names.next() {
            let spec = self.find_short(name).ok_or_else(|| problem::unknown_short_flag(name, &shown))?;
            if spec.value.name().is_none() {
                self.flags.push(GivenFlag { flag: spec.flag, state: FlagState::On });
                continue;
            }
            let value = match names.as_str() {
                "" => rest.next().filter(|next| !next.as_bytes().starts_with(b"-")),
                value => Some(value.strip_prefix('=').unwrap_or(value).into()),
            };
            self.flags.push(GivenFlag { flag: spec.flag, state: FlagState::Value(checked(spec, value)?) });
            break;
        }
        Ok(())
    }

    /// A short flag may depend on the command, which must come before it then.
    fn find_short(&self, name: char) -> Option<&'static FlagSpec> {
        let mut specs = FLAGS.iter().filter(|spec| spec.short.contains(&name));
        let accepted =
            self.command.and_then(|command| specs.clone().find(|spec| spec.commands.contains(&command)));
        // Before the command, a value would be taken from the command's position.
        accepted.or_else(|| specs.clone().find(|spec| spec.value.name().is_none())).or_else(|| specs.next())
    }

    /// Checks that need all arguments.
    fn check(&self) -> Result<()> {
        if self.is_on(Flag::Help) || self.is_on(Flag::Version) {
            return Ok(());
        }
        let allowed = |spec: &FlagSpec| match self.command {
            Some(command) => spec.commands.contains(&command),
            None => spec.commands.len() == ALL_COMMANDS.len(),
        };
        if let Some(given) = self.flags.iter().find(|given| !allowed(table::flag(given.flag))) {
            return Err(problem::flag_of_another_command(table::flag(given.flag), self.command));
        }
        self.check_conflicts()?;
        let depth = self.value(Flag::Depth).filter(|_| self.command == Some(Command::Update));
        if let Some(depth) = depth.filter(|depth| *depth != "0") {
            return Err(problem::depth_of_update(depth));
        }
        match self.command {
            Some(command) => self.check_operands(table::command(command)),
            None => Ok(()),
        }
    }

    fn check_conflicts(&self) -> Result<()> {
        for spec in FLAGS.iter().filter(|spec| self.is_given(spec.flag)) {
            if let Some(&other) = spec.conflicts.iter().find(|&&other| self.is_given(other)) {
                return Err(problem::conflict(spec, table::flag(other)));
            }
        }
        Ok(())
    }

    /// Whether a flag was given and not negated afterwards.
    pub fn is_given(&self, flag: Flag) -> bool {
        self.states(flag).next_back().is_some_and(|state| *state != FlagState::Off)
    }

    fn check_operands(&self, spec: &CommandSpec) -> Result<()> {
        let found = self.operands.len();
        match spec.operands {
            Operands::None if found > 0 => Err(problem::operand_not_taken(spec, &self.operands[0])),
            Operands::Names { min, .. } | Operands::Program { min, .. } if found < min => {
                Err(problem::operands_missing(spec))
            }
            Operands::OneOf(_) if found == 0 => Err(problem::operands_missing(spec)),
            Operands::OneOf(known) if !known.contains(&self.operands[0].as_str()) => {
                Err(problem::unknown_operand(spec, known, &self.operands[0]))
            }
            Operands::OneOf(_) | Operands::CommandName if found > 1 => {
                Err(problem::operand_not_taken(spec, &self.operands[1]))
            }
            // Not a command of its own, but it has a help.
            Operands::CommandName if found == 1 && self.operands[0] == "pm" => Ok(()),
            Operands::CommandName if found == 1 && find_command(&self.operands[0]).is_none() => {
                Err(problem::unknown_command(&self.operands[0]))
            }
            // An empty message of `deprecate` takes the mark back.
            _ if spec.command == Command::Deprecate => Ok(()),
            _ => match self.operands.iter().find(|operand| operand.is_empty()) {
                Some(_) => Err(problem::empty_operand(spec)),
                None => Ok(()),
            },
        }
    }
}

/// Finds a command by any of its names.
pub fn find_command(name: &str) -> Option<&'static CommandSpec> {
    COMMANDS.iter().find(|spec| spec.name == name || spec.aliases.contains(&name))
}

/// Finds a flag by any of its long names, with the state that the name sets.
fn find_long(name: &str) -> Option<(&'static FlagSpec, FlagState)> {
    let direct = FLAGS.iter().find(|spec| spec.long == name || spec.aliases.contains(&name));
    match direct {
        Some(spec) => Some((spec, FlagState::On)),
        None => {
            let spec = FLAGS.iter().find(|spec| spec.negation().is_some_and(|negation| negation == name))?;
            Some((spec, FlagState::Off))
        }
    }
}

/// Checks the value of a flag; choices become their first spelling.
fn checked(spec: &FlagSpec, value: Option<OsString>) -> Result<OsString> {
    let value = match value {
        Some(value) if !value.is_empty() => value,
        _ => return Err(problem::value_missing(spec)),
    };
    if matches!(spec.value, FlagValue::Path(_)) {
        return Ok(value);
    }
    let text = value.into_string().map_err(|raw| problem::not_utf8(&raw.to_string_lossy()))?;
    match spec.value {
        FlagValue::Number { max, .. } => match text.parse::<u32>() {
            Ok(number) if number <= max => Ok(number.to_string().into()),
            _ => Err(problem::not_a_number(spec, &text, 0..=max)),
        },
        FlagValue::Count { max, .. } => match text.parse::<u32>() {
            Ok(count) if (1..=max).contains(&count) => Ok(count.to_string().into()),
            _ => Err(problem::not_a_number(spec, &text, 1..=max)),
        },
        FlagValue::Duration(_) => match release_age::parse_seconds(&text) {
            Some(seconds) => Ok(seconds.to_string().into()),
            None => Err(problem::not_a_duration(spec, &text)),
        },
        FlagValue::OneOf { choices, .. } | FlagValue::ManyOf { choices, .. } => choices
            .iter()
            .find(|choice| choice.name == text || choice.aliases.contains(&text.as_str()))
            .map(|choice| choice.name.into())
            .ok_or_else(|| problem::unknown_choice(spec, choices, &text)),
        _ => Ok(OsString::from_vec(text.into_bytes())),
    }
}

#[cfg(test)]
mod tests;
