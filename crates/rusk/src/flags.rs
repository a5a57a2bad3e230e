//! The command line. One table of commands and flags ([`table`]); from it come the parser, the
//! help, the shell completions and the man page, so that none of them can say what the others do
//! not know. In: the arguments. Out: an [`Invocation`]. Absent: printing, the environment, what a
//! flag does.

pub mod completions;
pub mod help;
pub mod man;
pub mod parse;
pub mod suggest;
pub mod table;

pub use parse::Invocation;
pub use table::{Command, Flag};

/// A command as every reader of the table sees it.
pub struct CommandRow {
    pub command: Command,
    pub name: &'static str,
    /// Other names that mean the same.
    pub also: &'static [&'static str],
    pub words: Words,
    /// One line, capital first, no final period.
    pub summary: &'static str,
    /// What the summary leaves out, a paragraph; may be empty.
    pub about: &'static str,
    /// What it is for, and the line to type.
    pub examples: [(&'static str, &'static str); 2],
}

/// What a command takes besides flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Words {
    None,
    /// Any number from `min` on; `shown` is how the usage line names them.
    Names {
        min: usize,
        shown: &'static str,
    },
    /// A name, and behind it whatever that is to be given: nothing there is a flag of ours.
    Program {
        min: usize,
        shown: &'static str,
    },
    /// Exactly one of these.
    OneOf(&'static [&'static str]),
    /// Perhaps the name of a command.
    Command,
}

/// A flag as every reader of the table sees it.
pub struct FlagRow {
    pub flag: Flag,
    /// Without the dashes.
    pub long: &'static str,
    /// Other long spellings that mean the same.
    pub also: &'static [&'static str],
    /// The first one is shown in the help.
    pub short: &'static [char],
    pub takes: Takes,
    pub help: &'static str,
    pub group: Group,
    pub commands: &'static [Command],
    /// Flags that contradict this one; said on one side only.
    pub conflicts: &'static [Flag],
}

/// The value of a flag.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// None.
    Switch,
    /// None, and `--no-NAME` takes it back (for a flag named `no-x`, `--x` does).
    Toggle,
    Text(&'static str),
    /// Any bytes; completed with file names.
    Path(&'static str),
    /// A whole number from 1 to `max`.
    Count {
        name: &'static str,
        max: u32,
    },
    /// One of these words.
    Choice {
        name: &'static str,
        words: &'static [Word],
    },
    /// As `Choice`, given as often as wanted; every one counts.
    Choices {
        name: &'static str,
        words: &'static [Word],
    },
}

/// A value that a flag knows, and other spellings of it.
#[derive(Debug)]
pub struct Word {
    pub word: &'static str,
    pub also: &'static [&'static str],
}

/// The headings of the help, in the order shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    Adding,
    Updating,
    Running,
    Root,
    Packages,
    Lockfile,
    Network,
    Files,
    Output,
    General,
}

impl Group {
    pub const ALL: [Group; 10] = [
        Group::Adding,
        Group::Updating,
        Group::Running,
        Group::Root,
        Group::Packages,
        Group::Lockfile,
        Group::Network,
        Group::Files,
        Group::Output,
        Group::General,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Group::Adding => "Adding",
            Group::Updating => "Updating",
            Group::Running => "Running",
            Group::Root => "Under another root",
            Group::Packages => "Packages",
            Group::Lockfile => "Lockfile and package.json",
            Group::Network => "Network",
            Group::Files => "Files",
            Group::Output => "Output",
            Group::General => "General",
        }
    }
}

impl CommandRow {
    /// `rusk add [flags] <name>...`
    pub fn usage(&self) -> String {
        let words = match self.words {
            Words::None => String::new(),
            Words::Names { shown, .. } | Words::Program { shown, .. } => format!(" {shown}"),
            Words::OneOf(words) => format!(" <{}>", words.join("|")),
            Words::Command => " [command]".to_owned(),
        };
        format!("rusk {} [flags]{words}", self.name)
    }

    /// The flags this command takes, in the table's order.
    pub fn flags(&self) -> impl Iterator<Item = &'static FlagRow> {
        let command = self.command;
        table::FLAGS.iter().filter(move |row| row.commands.contains(&command))
    }
}

impl FlagRow {
    /// `--omit=GROUP`, or `--exact`.
    pub fn spelled(&self) -> String {
        match self.takes.value_name() {
            Some(name) => format!("--{}={name}", self.long),
            None => format!("--{}", self.long),
        }
    }

    /// The name, without dashes, that takes the flag back.
    pub fn undo(&self) -> Option<String> {
        match (self.takes, self.long.strip_prefix("no-")) {
            (Takes::Toggle, Some(positive)) => Some(positive.to_owned()),
            (Takes::Toggle, None) => Some(format!("no-{}", self.long)),
            _ => None,
        }
    }

    /// The help line, with the words the flag knows and how to repeat it.
    pub fn described(&self) -> String {
        let words = self.takes.words();
        if words.is_empty() {
            return self.help.to_owned();
        }
        let list: Vec<&str> = words.iter().map(|word| word.word).collect();
        let repeated = if matches!(self.takes, Takes::Choices { .. }) { "; repeatable" } else { "" };
        format!("{} ({}{repeated})", self.help, list.join(", "))
    }
}

impl Takes {
    pub fn value_name(self) -> Option<&'static str> {
        match self {
            Takes::Switch | Takes::Toggle => None,
            Takes::Text(name) | Takes::Path(name) => Some(name),
            Takes::Count { name, .. } | Takes::Choice { name, .. } | Takes::Choices { name, .. } => {
                Some(name)
            }
        }
    }

    /// The words a flag knows; empty where anything may stand.
    pub fn words(self) -> &'static [Word] {
        match self {
            Takes::Choice { words, .. } | Takes::Choices { words, .. } => words,
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests;
