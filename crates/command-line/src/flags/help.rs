//! The output of `rusk help`, made from the tables, as plain text of at most [`COLUMNS`] columns.

use super::table::{self, ALL_COMMANDS, COMMANDS, Command, FLAGS};
use super::{CommandSpec, FlagGroup, FlagSpec, parse, pm};
use crate::program_flags;
use rusk_terminal::width::wrap;

/// The terminal width that every line of help fits into.
pub use rusk_terminal::COLUMNS;

/// Column at which the help of a flag starts; after most flags.
const FLAG_COLUMN: usize = 31;

/// Column at which the summary of a command starts.
const COMMAND_COLUMN: usize = 24;

/// rusk in one line.
pub const TAGLINE: &str = "JavaScript runtime, package manager, bundler and test runner";

/// Flags after a page that `rusk page.html` serves; `ext/dev_server` parses them.
pub const PAGE_FLAGS: [(&str, &str); 3] = [
    ("--port=PORT", "Port (default: BUN_PORT, PORT or 3000, or the next that is free)"),
    ("--hostname=NAME", "Address to listen on (default: all)"),
    ("--console", "Print in the terminal what pages write to their console"),
];

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
        "Usage: rusk <command> [flags] [arguments]\n       rusk [flags] <file> [arguments]\n\nCommands:\n",
    );
    for spec in COMMANDS {
        let names: Vec<&str> = [spec.name].into_iter().chain(spec.aliases.iter().copied()).collect();
        push_columns(&mut text, &format!("  {}", names.join(", ")), COMMAND_COLUMN, spec.summary);
    }
    text.push_str("\nFlags of all commands:\n");
    for spec in FLAGS.iter().filter(|spec| spec.commands.len() == ALL_COMMANDS.len()) {
        push_flag(&mut text, spec);
    }
    text.push_str("\nFlags before a program (`rusk [flags] <file>`, `-` for standard input):\n");
    for spec in program_flags::PROGRAM_FLAGS {
        let value = spec.value_name.map(|name| format!(" {name}")).unwrap_or_default();
        let is_long = spec.names[0].starts_with("--");
        let long = spec.names[1..].last().copied().filter(|_| !is_long);
        let shown: Vec<&str> = [spec.names[0]].into_iter().chain(long).collect();
        let indent = if is_long { "      " } else { "  " };
        push_columns(&mut text, &format!("{indent}{}{value}", shown.join(", ")), FLAG_COLUMN, spec.help);
    }
    text.push_str("\nFlags of the development server (`rusk <page.html> [flags]`):\n");
    for (flag, help) in PAGE_FLAGS {
        push_columns(&mut text, &format!("      {flag}"), FLAG_COLUMN, help);
    }
    let install = table::command(Command::Install);
    let add = table::command(Command::Add);
    push_examples(&mut text, &[install.examples[0], add.examples[0]]);
    text.push_str("\n`rusk help <command>` lists the flags of a command, `rusk man` is the manual.\n");
    text
}

/// The help of `rusk pm`, which is no command of its own.
pub fn of_pm() -> String {
    let mut text = String::from(
        "Take commands as bun writes them: `rusk pm ls` is `rusk ls`\n\n\
         Usage: rusk pm <command> [flags] [arguments]\n\n\
         Commands that have another name without `pm`:\n",
    );
    for (bun, ours) in pm::RENAMED {
        let summary = parse::find_command(ours).map_or("", |spec| spec.summary);
        push_columns(&mut text, &format!("  {bun}, {ours}"), COMMAND_COLUMN, summary);
    }
    push_examples(
        &mut text,
        &[("List what is installed", "rusk pm ls"), ("Print the cache directory", "rusk pm cache")],
    );
    text
}

/// The usage; a long list of operands is continued on the next line.
fn usage_lines(usage: &str) -> String {
    let mut lines = String::from("Usage: ");
    let indent = lines.len();
    let mut column = indent;
    for word in usage.split_inclusive('|') {
        if column + word.len() > COLUMNS {
            lines.push_str(&format!("\n{:indent$}", ""));
            column = indent;
        }
        lines.push_str(word);
        column += word.len();
    }
    lines
}

fn of_command(spec: &CommandSpec) -> String {
    let mut text = format!("{}\n\n{}\n", spec.summary, usage_lines(&spec.usage()));
    if !spec.aliases.is_empty() {
        text.push_str(&format!("Aliases: {}\n", spec.aliases.join(", ")));
    }
    if !spec.description.is_empty() {
        text.push('\n');
        push_lines(&mut text, &wrap(spec.description, COLUMNS, 0));
    }
    for group in FlagGroup::ALL {
        let flags: Vec<FlagSpec> = spec.flags().filter(|flag| flag.group == group).collect();
        if !flags.is_empty() {
            text.push_str(&format!("\n{}:\n", group.title()));
            flags.iter().for_each(|flag| push_flag(&mut text, flag));
        }
    }
    push_examples(&mut text, &spec.examples);
    text
}

fn push_flag(text: &mut String, spec: &FlagSpec) {
    let short = match spec.short.first() {
        Some(short) => format!("-{short}, "),
        None => "    ".to_owned(),
    };
    push_columns(text, &format!("  {short}{}", spec.spelling()), FLAG_COLUMN, &spec.full_help());
}

/// Prints `left` with `right` in a column next to it, wrapped; on the next line if `left` is too
/// long.
fn push_columns(text: &mut String, left: &str, column: usize, right: &str) {
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
