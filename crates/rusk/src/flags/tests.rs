//! The table: every reader of it knows the same flags.

use super::table::{COMMANDS, EVERY, FLAGS};
use super::*;
use crate::program;

/// A value that the flag accepts.
fn sample(row: &FlagRow) -> &'static str {
    match row.takes {
        Takes::Count { .. } => "1",
        _ => row.takes.words().first().map_or("sample", |word| word.word),
    }
}

/// A command line of this command that holds one flag.
fn line(command: &CommandRow, row: &FlagRow, name: &str) -> String {
    let word = match command.words {
        Words::Names { .. } | Words::Program { .. } => "left",
        Words::OneOf(words) => words[0],
        Words::None | Words::Command => "",
    };
    match row.takes.value_name() {
        Some(_) => format!("{} --{name}={} {word}", command.name, sample(row)),
        None => format!("{} --{name} {word}", command.name),
    }
}

fn parses(line: &str) -> bool {
    parse::parse(line.split_whitespace().map(Into::into)).is_ok()
}

#[test]
fn the_parser_takes_what_the_help_shows() {
    for command in COMMANDS {
        let help = help::text(Some(command.command));
        let shown: Vec<&str> = help
            .lines()
            .filter(|line| line.starts_with("  -") || line.starts_with("      --"))
            .flat_map(|line| line.split_whitespace().take(2))
            .filter_map(|word| word.strip_prefix("--"))
            .map(|word| word.split('=').next().expect("split has a first part"))
            .collect();
        let table: Vec<&str> = command.flags().map(|row| row.long).collect();
        assert_eq!(shown.len(), table.len(), "rusk {}", command.name);
        for name in shown {
            let row = FLAGS.iter().find(|row| row.long == name).expect(name);
            assert!(parses(&line(command, row, name)), "{}", line(command, row, name));
        }
    }
}

#[test]
fn the_help_shows_what_the_parser_takes() {
    for command in COMMANDS {
        let help = help::text(Some(command.command));
        for row in FLAGS {
            let shown = help.contains(&format!("{} ", row.spelled()));
            assert_eq!(parses(&line(command, row, row.long)), shown, "{}", line(command, row, row.long));
        }
    }
}

#[test]
fn every_spelling_is_parsed() {
    for row in FLAGS {
        let command = COMMANDS.iter().find(|command| row.commands.contains(&command.command)).unwrap();
        for name in row.also {
            assert!(parses(&line(command, row, name)), "{name}");
        }
        if let Some(undo) = row.undo() {
            assert!(parses(&format!("{} left --{undo}", command.name)) || command.words == Words::None);
        }
    }
}

#[test]
fn names_are_used_once_and_letters_once_in_a_command() {
    let once = |mut names: Vec<String>| {
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count, "{names:?}");
    };
    let commands = COMMANDS.iter().flat_map(|row| row.also.iter().chain([&row.name]));
    let flags = FLAGS.iter().flat_map(|row| row.also.iter().chain([&row.long]));
    let undone = FLAGS.iter().filter_map(|row| row.undo());
    let flags = flags.map(|name| name.to_string()).chain(undone).map(|name| format!("--{name}"));
    once(commands.map(|name| name.to_string()).chain(flags).collect());
    for command in COMMANDS {
        once(command.flags().flat_map(|row| row.short).map(char::to_string).collect());
    }
}

#[test]
fn the_table_has_a_row_for_every_command() {
    assert_eq!(COMMANDS.len(), EVERY.len());
    assert!(EVERY.iter().all(|command| COMMANDS.iter().any(|row| row.command == *command)));
}

#[test]
fn every_example_of_rusk_alone_is_a_valid_command_line() {
    for (_, example) in COMMANDS.iter().flat_map(|row| row.examples) {
        let Some(line) = example.strip_prefix("rusk ") else { continue };
        let line = line.split(['>', '|']).next().expect("split has a first part");
        assert!(parses(line), "{example}");
    }
}

/// Names of the flags that a text shows below a heading, up to the next.
fn shown_below(text: &str, heading: &str) -> Vec<String> {
    let below = text.split(heading).nth(1).expect(heading);
    let lines = below.lines().skip(1).take_while(|line| line.starts_with(' '));
    let words = lines.flat_map(|line| line.split_whitespace().take(2)).map(|word| word.trim_end_matches(','));
    words.filter(|word| word.starts_with('-')).map(str::to_owned).collect()
}

#[test]
fn everybody_knows_the_flags_of_a_program() {
    let (help, man) = (help::text(None), man::page().replace("\\-", "-"));
    let shown = shown_below(&help, "Flags of a program");
    for row in program::flags::ROWS {
        assert!(shown.iter().any(|name| row.names.contains(&name.as_str())), "help: {}", row.names[0]);
        assert!(help.contains(row.help.split(' ').next().expect("a help")), "help: {}", row.help);
        assert!(man.contains(&format!(".B {}", row.names.join(", "))), "man: {}", row.names[0]);
        for shell in ["bash", "zsh", "fish"] {
            let script = completions::script(shell);
            for name in row.names {
                let (kinds, spelled) = match shell {
                    "fish" => {
                        ([" -l ", " -s ", " -o "].as_slice(), format!("{} ", name.trim_start_matches('-')))
                    }
                    _ => ([""].as_slice(), (*name).to_owned()),
                };
                let is_known = kinds.iter().any(|kind| script.contains(&format!("{kind}{spelled}")));
                assert!(is_known, "{shell}: {name}");
            }
        }
    }
    for name in shown {
        assert!(
            program::flags::ROWS.iter().any(|row| row.names.contains(&name.as_str())),
            "nobody takes {name}"
        );
    }
}
