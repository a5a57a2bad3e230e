//! The manual page in roff with the `man` macros, made from the tables.

use super::help::TAGLINE;
use super::table::{ALL_COMMANDS, COMMANDS, Command, FLAGS, INSTALL_COMMANDS, of_command};
use super::{CommandSpec, FlagGroup, FlagSpec, FlagValue};
use crate::program_flags::{PROGRAM_FLAGS, ProgramFlag};
use crate::reference::{ENVIRONMENT, EXIT_CODES, FILES, Reader};

/// The whole page.
pub fn page() -> String {
    let mut page = format!(".TH RUSK 1 \"\" \"rusk {}\" \"User Commands\"\n", env!("CARGO_PKG_VERSION"));
    page.push_str(".nh\n.SH NAME\n");
    page.push_str(&format!("rusk \\- {}\n", escape(TAGLINE)));
    page.push_str(".SH SYNOPSIS\n.B rusk\n.I command\n[flags] [arguments]\n.br\n.B rusk\n[flags]\n.I file\n[arguments]\n.SH COMMANDS\n");
    for spec in COMMANDS {
        push_command(&mut page, spec);
    }
    page.push_str(".SH OPTIONS\n");
    page.push_str(&format!("{}\n", escape(&preface())));
    for group in FlagGroup::ALL {
        page.push_str(&format!(".SS \"{}\"\n", group.title()));
        FLAGS.iter().filter(|spec| spec.group == group).for_each(|spec| push_flag(&mut page, spec));
    }
    page.push_str(".SH \"OPTIONS BEFORE A PROGRAM\"\n");
    page.push_str(
        "They come before the program's name; \\- is standard input. Arguments after the name are passed to the program.\n",
    );
    PROGRAM_FLAGS.iter().for_each(|flag| push_program_flag(&mut page, flag));
    page.push_str(".SH ENVIRONMENT\n");
    for reader in Reader::ALL {
        page.push_str(&format!(".SS \"{}\"\n", reader.title()));
        for variable in ENVIRONMENT.iter().filter(|variable| variable.reader == reader) {
            push_entry(&mut page, &variable.names.join(", "), variable.meaning);
        }
    }
    page.push_str(".SH FILES\n");
    FILES.iter().for_each(|file| push_entry(&mut page, file.name, file.meaning));
    page.push_str(".SH \"EXIT STATUS\"\n");
    EXIT_CODES.iter().for_each(|exit| push_entry(&mut page, exit.code, exit.meaning));
    page.push_str(".SH EXAMPLES\n");
    for (purpose, line) in COMMANDS.iter().flat_map(|spec| spec.examples) {
        page.push_str(&format!(".TP\n{}\n.B {}\n", escape(purpose), escape(line)));
    }
    page
}

/// What applies to most flags, so that the entries of the others mention only the differences.
fn preface() -> String {
    let fixed: Vec<String> = FLAGS
        .iter()
        .filter(|spec| matches!(spec.value, FlagValue::Switch | FlagValue::Optional(_)))
        .map(|spec| spec.spelling())
        .collect();
    format!(
        "Unless its entry says otherwise, a flag is accepted by {}. A switch, except {}, is negated by its opposite: \
         --no-offline after --offline, --save after --no-save. The last one counts.",
        names(INSTALL_COMMANDS),
        fixed.join(", ")
    )
}

fn push_command(page: &mut String, spec: &CommandSpec) {
    page.push_str(&format!(".TP\n.B {}\n{}.\n", escape(&spec.usage()), escape(spec.summary)));
    if !spec.description.is_empty() {
        page.push_str(&format!("{}\n", escape(spec.description)));
    }
    if !spec.aliases.is_empty() {
        page.push_str(&format!("Aliases: {}.\n", escape(&spec.aliases.join(", "))));
    }
}

fn push_flag(page: &mut String, spec: &FlagSpec) {
    let mut spellings: Vec<String> = spec.short.iter().map(|short| format!("-{short}")).collect();
    spellings.push(spec.spelling());
    spellings.extend(spec.aliases.iter().map(|name| format!("--{name}")));
    page.push_str(&format!(".TP\n.B {}\n{}.\n", escape(&spellings.join(", ")), escape(&spec.full_help())));
    let rows = spec.commands.iter().map(|&command| (command, of_command::row(spec, command)));
    let mut others: Vec<(String, Vec<Command>)> = Vec::new();
    for (command, row) in rows.filter(|(_, row)| row.help != spec.help) {
        match others.iter_mut().find(|(help, _)| *help == row.full_help()) {
            Some((_, commands)) => commands.push(command),
            None => others.push((row.full_help(), vec![command])),
        }
    }
    for (help, commands) in others {
        page.push_str(&format!("Of {}: {}.\n", names(&commands), escape(&help)));
    }
    if spec.commands.len() == ALL_COMMANDS.len() {
        page.push_str("Accepted by every command.\n");
    } else if spec.commands != INSTALL_COMMANDS {
        page.push_str(&format!("Accepted by {}.\n", names(spec.commands)));
    }
}

fn push_program_flag(page: &mut String, spec: &ProgramFlag) {
    let value = spec.value_name.map(|name| format!(" {name}")).unwrap_or_default();
    let spelling = format!("{}{value}", spec.names.join(", "));
    page.push_str(&format!(".TP\n.B {}\n{}.\n", escape(&spelling), escape(spec.help)));
}

/// The names of commands in the table's order.
fn names(commands: &[Command]) -> String {
    let rows = COMMANDS.iter().filter(|spec| commands.contains(&spec.command));
    rows.map(|spec| spec.name).collect::<Vec<_>>().join(", ")
}

fn push_entry(page: &mut String, name: &str, meaning: &str) {
    page.push_str(&format!(".TP\n.B {}\n{}\n", escape(name), escape(meaning)));
}

/// Escapes text for roff. A line that starts with a dot or a quote would be a request.
fn escape(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    match text.starts_with(['.', '\'']) {
        true => format!("\\&{text}"),
        false => text,
    }
}

#[cfg(test)]
mod tests;
