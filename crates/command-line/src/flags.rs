//! The command line as a table of commands and flags ([`table`]). The parser, the help, the shell
//! completions and the man page are all derived from it, so that they cannot disagree. In: the
//! arguments. Out: an [`Invocation`]. Absent: printing, the environment, what a flag does.

pub mod bun_run;
pub mod bun_test;
pub mod callers;
pub mod completions;
pub mod help;
pub mod man;
pub mod parse;
pub mod pm;
pub mod rebuild;
pub mod suggest;
pub mod table;

pub use parse::Invocation;
pub use table::{Command, Flag};

/// A command.
#[derive(Clone, Copy)]
pub struct CommandSpec {
    pub command: Command,
    pub name: &'static str,
    /// Other names of the command.
    pub aliases: &'static [&'static str],
    pub operands: Operands,
    /// One line, capital first, no final period.
    pub summary: &'static str,
    /// A paragraph of details; may be empty.
    pub description: &'static str,
    /// Purpose and command line of each example.
    pub examples: [(&'static str, &'static str); 2],
}

/// The operands of a command: its arguments that are not flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operands {
    None,
    /// At least `min` names; `usage` is how the usage line shows them.
    Names {
        min: usize,
        usage: &'static str,
    },
    /// The name of a program or script, then its arguments, which are not parsed as flags of rusk.
    Program {
        min: usize,
        usage: &'static str,
    },
    /// Exactly one of these.
    OneOf(&'static [&'static str]),
    /// Optionally the name of a command.
    CommandName,
}

/// A flag.
#[derive(Clone, Copy)]
pub struct FlagSpec {
    pub flag: Flag,
    /// The long name without dashes.
    pub long: &'static str,
    /// Other long names of the flag.
    pub aliases: &'static [&'static str],
    /// Short names; the help shows the first one.
    pub short: &'static [char],
    pub value: FlagValue,
    pub help: &'static str,
    pub group: FlagGroup,
    /// The commands that accept the flag.
    pub commands: &'static [Command],
    /// Flags that contradict this one; listed on one side only.
    pub conflicts: &'static [Flag],
}

/// The value of a flag.
#[derive(Clone, Copy, Debug)]
pub enum FlagValue {
    /// No value.
    Switch,
    /// No value, and `--no-NAME` negates it (for a flag named `no-x`, `--x` does).
    Negatable,
    String(&'static str),
    /// A switch that takes a value only after `=`.
    Optional(&'static str),
    /// A path of any bytes; completed with file names.
    Path(&'static str),
    /// A whole number from 0 to `max`.
    Number {
        name: &'static str,
        max: u32,
    },
    /// A whole number from 1 to `max`.
    Count {
        name: &'static str,
        max: u32,
    },
    /// A number of seconds, or a number with a unit.
    Duration(&'static str),
    /// One of these choices.
    OneOf {
        name: &'static str,
        choices: &'static [Choice],
    },
    /// As `OneOf`, repeatable; every occurrence counts.
    ManyOf {
        name: &'static str,
        choices: &'static [Choice],
    },
}

/// A value that a flag accepts, and other spellings of it.
#[derive(Debug)]
pub struct Choice {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
}

/// The headings of the help, in the order shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlagGroup {
    Adding,
    Updating,
    Running,
    Testing,
    Building,
    Workspaces,
    Root,
    Packages,
    Queries,
    Publishing,
    Lockfile,
    Network,
    Files,
    Output,
    General,
}

impl FlagGroup {
    pub const ALL: [FlagGroup; 15] = [
        FlagGroup::Adding,
        FlagGroup::Updating,
        FlagGroup::Running,
        FlagGroup::Testing,
        FlagGroup::Building,
        FlagGroup::Workspaces,
        FlagGroup::Root,
        FlagGroup::Packages,
        FlagGroup::Queries,
        FlagGroup::Publishing,
        FlagGroup::Lockfile,
        FlagGroup::Network,
        FlagGroup::Files,
        FlagGroup::Output,
        FlagGroup::General,
    ];

    pub fn title(self) -> &'static str {
        match self {
            FlagGroup::Adding => "Adding",
            FlagGroup::Updating => "Updating",
            FlagGroup::Running => "Running",
            FlagGroup::Testing => "Tests",
            FlagGroup::Building => "Bundling",
            FlagGroup::Workspaces => "Workspaces",
            FlagGroup::Root => "Root file system",
            FlagGroup::Packages => "Packages",
            FlagGroup::Queries => "Queries",
            FlagGroup::Publishing => "Publishing",
            FlagGroup::Lockfile => "Lockfile and package.json",
            FlagGroup::Network => "Network",
            FlagGroup::Files => "Files",
            FlagGroup::Output => "Output",
            FlagGroup::General => "General",
        }
    }
}

impl CommandSpec {
    /// `rusk add [flags] <name>...`
    pub fn usage(&self) -> String {
        let operands = match self.operands {
            Operands::None => String::new(),
            Operands::Names { usage, .. } | Operands::Program { usage, .. } => format!(" {usage}"),
            Operands::OneOf(names) => format!(" <{}>", names.join("|")),
            Operands::CommandName => " [command]".to_owned(),
        };
        format!("rusk {} [flags]{operands}", self.name)
    }

    /// The flags that this command accepts, in the table's order, with its own help.
    pub fn flags(&self) -> impl Iterator<Item = FlagSpec> {
        let command = self.command;
        let accepted = table::FLAGS.iter().filter(move |flag| flag.commands.contains(&command));
        accepted.map(move |flag| table::of_command::row(flag, command))
    }
}

impl FlagSpec {
    /// `--omit=GROUP`, or `--exact`.
    pub fn spelling(&self) -> String {
        match (self.value, self.value.name()) {
            (FlagValue::Optional(name), _) => format!("--{}[={name}]", self.long),
            (_, Some(name)) => format!("--{}={name}", self.long),
            (_, None) => format!("--{}", self.long),
        }
    }

    /// The long name, without dashes, that negates the flag.
    pub fn negation(&self) -> Option<String> {
        match (self.value, self.long.strip_prefix("no-")) {
            (FlagValue::Negatable, Some(positive)) => Some(positive.to_owned()),
            (FlagValue::Negatable, None) => Some(format!("no-{}", self.long)),
            _ => None,
        }
    }

    /// The help line with the choices, before the default if there is one, and whether the flag is
    /// repeatable.
    pub fn full_help(&self) -> String {
        let choices = self.value.choices();
        if choices.is_empty() {
            return self.help.to_owned();
        }
        let list: Vec<&str> = choices.iter().map(|choice| choice.name).collect();
        let repeated = if matches!(self.value, FlagValue::ManyOf { .. }) { "; repeatable" } else { "" };
        let (help, default) = match self.help.split_once(" (default: ") {
            Some((help, default)) => (help, format!("; default: {}", default.trim_end_matches(')'))),
            None => (self.help, String::new()),
        };
        format!("{help} ({}{default}{repeated})", list.join(", "))
    }
}

impl FlagValue {
    /// What the help calls a value that must be given.
    pub fn name(self) -> Option<&'static str> {
        match self {
            FlagValue::Switch | FlagValue::Negatable | FlagValue::Optional(_) => None,
            FlagValue::String(name) | FlagValue::Path(name) | FlagValue::Duration(name) => Some(name),
            FlagValue::Number { name, .. }
            | FlagValue::Count { name, .. }
            | FlagValue::OneOf { name, .. }
            | FlagValue::ManyOf { name, .. } => Some(name),
        }
    }

    /// The values that the flag accepts; empty if it accepts any value.
    pub fn choices(self) -> &'static [Choice] {
        match self {
            FlagValue::OneOf { choices, .. } | FlagValue::ManyOf { choices, .. } => choices,
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests;
