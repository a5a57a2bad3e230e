//! The manual page in roff with the `man` macros, from the table.

use super::help::TAGLINE;
use super::table::{COMMANDS, Command, EVERY, FLAGS, INSTALLING};
use super::{CommandRow, FlagRow, Group, Takes};
use crate::program::flags::{ROWS, Row};

/// What the program reads besides its arguments.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("NO_COLOR", "When set and not empty, the output has no colours unless --color=always asks for them."),
    ("CI", "When set, progress is printed as plain lines, as it is into a pipe."),
    ("TERM", "When it is dumb, progress is printed as plain lines."),
    ("LC_ALL, LC_CTYPE, LANG", "Outside a UTF-8 locale the output keeps to ASCII."),
    ("HOME", "Where the user's own settings and the cache are looked for."),
    ("SSL_CERT_FILE", "Certificates to trust instead of the system's."),
    (
        "RUSK_STARTUP_TRACE",
        "With steps, syscalls or all, standard error ends with where rusk's own start went.",
    ),
];

const EXITS: &[(&str, &str)] = &[
    ("0", "Done."),
    ("1", "The project's own work went wrong: one of its scripts ended with an error."),
    (
        "2",
        "It could not be done: a bad flag, a version that does not exist, no network. The project is as it was.",
    ),
    (
        "any",
        "After rusk run, exec and x, that of the script or program; what a signal ended, ends rusk by the same signal.",
    ),
];

const FILES: &[(&str, &str)] = &[
    (
        "package.json",
        "What the project asks for, and its scripts. Searched for in the current folder and those above it.",
    ),
    ("bun.lock", "What it gets, in bun's format."),
    ("bunfig.toml, .npmrc", "Settings of the project and of the user."),
];

/// The whole page.
pub fn page() -> String {
    let mut page = format!(".TH RUSK 1 \"\" \"rusk {}\" \"User Commands\"\n", env!("CARGO_PKG_VERSION"));
    page.push_str(".nh\n.SH NAME\n");
    page.push_str(&format!("rusk \\- {}\n", escape(TAGLINE)));
    page.push_str(".SH SYNOPSIS\n.B rusk\n.I command\n[flags] [names]\n.br\n.B rusk\n[flags]\n.I file\n[arguments]\n.SH COMMANDS\n");
    for row in COMMANDS {
        push_command(&mut page, row);
    }
    page.push_str(".SH OPTIONS\n");
    page.push_str(&format!("{}\n", escape(&preface())));
    for group in Group::ALL {
        page.push_str(&format!(".SS \"{}\"\n", group.title()));
        FLAGS.iter().filter(|row| row.group == group).for_each(|row| push_flag(&mut page, row));
    }
    page.push_str(".SH \"OPTIONS OF A PROGRAM\"\n");
    page.push_str("They stand before its name; \\- is a program on standard input. Words behind either are the program's own.\n");
    ROWS.iter().for_each(|row| push_program_flag(&mut page, row));
    push_list(&mut page, "ENVIRONMENT", ENVIRONMENT);
    push_list(&mut page, "FILES", FILES);
    push_list(&mut page, "EXIT STATUS", EXITS);
    page.push_str(".SH EXAMPLES\n");
    for (purpose, line) in COMMANDS.iter().flat_map(|row| row.examples) {
        page.push_str(&format!(".TP\n{}\n.B {}\n", escape(purpose), escape(line)));
    }
    page
}

/// What holds for most flags, so that the others can say only where they differ.
fn preface() -> String {
    let fixed: Vec<String> =
        FLAGS.iter().filter(|row| matches!(row.takes, Takes::Switch)).map(|row| row.spelled()).collect();
    format!(
        "A flag is taken by {} where it says nothing else. A switch, but for {}, is taken back by its opposite: \
         --no-offline after --offline, --save after --no-save. The last one counts.",
        names(INSTALLING),
        fixed.join(", ")
    )
}

fn push_command(page: &mut String, row: &CommandRow) {
    page.push_str(&format!(".TP\n.B {}\n{}.\n", escape(&row.usage()), escape(row.summary)));
    if !row.about.is_empty() {
        page.push_str(&format!("{}\n", escape(row.about)));
    }
    if !row.also.is_empty() {
        page.push_str(&format!("Also: {}.\n", escape(&row.also.join(", "))));
    }
}

fn push_flag(page: &mut String, row: &FlagRow) {
    let mut spellings: Vec<String> = row.short.iter().map(|letter| format!("-{letter}")).collect();
    spellings.push(row.spelled());
    spellings.extend(row.also.iter().map(|name| format!("--{name}")));
    page.push_str(&format!(".TP\n.B {}\n{}.\n", escape(&spellings.join(", ")), escape(&row.described())));
    if row.commands.len() == EVERY.len() {
        page.push_str("Taken by every command.\n");
    } else if row.commands != INSTALLING {
        page.push_str(&format!("Taken by {}.\n", names(row.commands)));
    }
}

fn push_program_flag(page: &mut String, row: &Row) {
    let value = row.takes.map(|name| format!(" {name}")).unwrap_or_default();
    let spelled = format!("{}{value}", row.names.join(", "));
    page.push_str(&format!(".TP\n.B {}\n{}.\n", escape(&spelled), escape(row.help)));
}

/// In the table's order.
fn names(commands: &[Command]) -> String {
    let rows = COMMANDS.iter().filter(|row| commands.contains(&row.command));
    rows.map(|row| row.name).collect::<Vec<_>>().join(", ")
}

fn push_list(page: &mut String, title: &str, entries: &[(&str, &str)]) {
    page.push_str(&format!(".SH \"{title}\"\n"));
    for (name, text) in entries {
        page.push_str(&format!(".TP\n.B {}\n{}\n", escape(name), escape(text)));
    }
}

/// Text that roff prints as it stands. A line that starts with a dot or a quote would be a command.
fn escape(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    match text.starts_with(['.', '\'']) {
        true => format!("\\&{text}"),
        false => text,
    }
}

#[cfg(test)]
mod tests;
