//! The help texts, from the table, in at most [`COLUMNS`] columns of plain text.

use super::table::{self, COMMANDS, Command, EVERY, FLAGS};
use super::{CommandRow, FlagRow, Group};
use crate::program;
use crate::screen::width::wrap;

/// The width of the terminal that a help text can count on.
pub const COLUMNS: usize = 80;

/// Where the text beside a flag starts; wide enough for the longest flag.
const FLAG_COLUMN: usize = 31;

/// Where the text beside a command starts.
const COMMAND_COLUMN: usize = 24;

/// What the program is, in one line.
pub const TAGLINE: &str = "package manager and runner for JavaScript and TypeScript";

/// The help of one command, or of the program.
pub fn text(command: Option<Command>) -> String {
    match command {
        Some(command) => of_command(table::command(command)),
        None => of_program(),
    }
}

fn of_program() -> String {
    let mut text = format!("rusk {}: {TAGLINE}\n\n", env!("CARGO_PKG_VERSION"));
    text.push_str(
        "Usage: rusk <command> [flags] [names]\n       rusk [flags] <file> [arguments]\n\nCommands:\n",
    );
    for row in COMMANDS {
        let names: Vec<&str> = [row.name].into_iter().chain(row.also.iter().copied()).collect();
        push_beside(&mut text, &format!("  {}", names.join(", ")), COMMAND_COLUMN, row.summary);
    }
    text.push_str("\nFlags of every command:\n");
    for row in FLAGS.iter().filter(|row| row.commands.len() == EVERY.len()) {
        push_flag(&mut text, row);
    }
    text.push_str("\nFlags of a program (`-` is standard input):\n");
    for row in program::flags::ROWS {
        let value = row.takes.map(|name| format!(" {name}")).unwrap_or_default();
        let is_long = row.names[0].starts_with("--");
        let long = row.names[1..].last().copied().filter(|_| !is_long);
        let shown: Vec<&str> = [row.names[0]].into_iter().chain(long).collect();
        let indent = if is_long { "      " } else { "  " };
        push_beside(&mut text, &format!("{indent}{}{value}", shown.join(", ")), FLAG_COLUMN, row.help);
    }
    let install = table::command(Command::Install);
    let add = table::command(Command::Add);
    push_examples(&mut text, &[install.examples[0], add.examples[0]]);
    text.push_str("\n`rusk help <command>` shows the flags of a command, `rusk man` the whole manual.\n");
    text
}

fn of_command(row: &CommandRow) -> String {
    let mut text = format!("{}\n\nUsage: {}\n", row.summary, row.usage());
    if !row.also.is_empty() {
        text.push_str(&format!("Also: {}\n", row.also.join(", ")));
    }
    if !row.about.is_empty() {
        text.push('\n');
        push_lines(&mut text, &wrap(row.about, COLUMNS, 0));
    }
    for group in Group::ALL {
        let flags: Vec<&FlagRow> = row.flags().filter(|flag| flag.group == group).collect();
        if !flags.is_empty() {
            text.push_str(&format!("\n{}:\n", group.title()));
            flags.iter().for_each(|flag| push_flag(&mut text, flag));
        }
    }
    push_examples(&mut text, &row.examples);
    text
}

fn push_flag(text: &mut String, row: &FlagRow) {
    let letter = match row.short.first() {
        Some(letter) => format!("-{letter}, "),
        None => "    ".to_owned(),
    };
    push_beside(text, &format!("  {letter}{}", row.spelled()), FLAG_COLUMN, &row.described());
}

/// `left`, and `right` beside it from `column` on, as many lines as it takes; below it where it is
/// too long.
fn push_beside(text: &mut String, left: &str, column: usize, right: &str) {
    let left = if left.len() < column {
        left
    } else {
        text.push_str(&format!("{left}\n"));
        ""
    };
    for (index, line) in wrap(right, COLUMNS - column, 0).iter().enumerate() {
        let left = if index == 0 { left } else { "" };
        text.push_str(&format!("{left:<column$}{line}\n"));
    }
}

fn push_examples(text: &mut String, examples: &[(&str, &str)]) {
    text.push_str("\nExamples:\n");
    for (purpose, line) in examples {
        text.push_str(&format!("  # {purpose}\n  {line}\n"));
    }
}

fn push_lines(text: &mut String, lines: &[String]) {
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
}

#[cfg(test)]
mod tests;
