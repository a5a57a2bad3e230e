//! Tests that parser, help, manual and completions agree with the table.

use super::table::{ALL_COMMANDS, COMMANDS, FLAGS};
use super::*;
use crate::program_flags;

/// A value that the flag accepts.
fn sample(spec: &FlagSpec) -> &'static str {
    match spec.value {
        FlagValue::Number { .. } => "0",
        FlagValue::Count { .. } | FlagValue::Duration(_) => "1",
        _ => spec.value.choices().first().map_or("sample", |choice| choice.name),
    }
}

/// A command line of this command that holds one flag.
fn line(command: &CommandSpec, spec: &FlagSpec, name: &str) -> String {
    let operand = match command.operands {
        Operands::Names { .. } | Operands::Program { .. } => "left",
        Operands::OneOf(names) => names[0],
        Operands::None | Operands::CommandName => "",
    };
    match spec.value.name() {
        Some(_) => format!("{} --{name}={} {operand}", command.name, sample(spec)),
        None => format!("{} --{name} {operand}", command.name),
    }
}

fn parses(line: &str) -> bool {
    parse::parse(line.split_whitespace().map(Into::into)).is_ok()
}

#[test]
fn the_parser_accepts_every_flag_in_the_help() {
    for command in COMMANDS {
        let help = help::text(Some(command.command));
        let shown: Vec<&str> = help
            .lines()
            .filter(|line| line.starts_with("  -") || line.starts_with("      --"))
            .flat_map(|line| line.split_whitespace().take(2))
            .filter_map(|word| word.strip_prefix("--"))
            .map(|word| word.split(['=', '[']).next().expect("split has a first part"))
            .collect();
        let table: Vec<&str> = command.flags().map(|spec| spec.long).collect();
        assert_eq!(shown.len(), table.len(), "rusk {}", command.name);
        for name in shown {
            let spec = FLAGS.iter().find(|spec| spec.long == name).expect(name);
            assert!(parses(&line(command, spec, name)), "{}", line(command, spec, name));
        }
    }
}

#[test]
fn the_help_shows_every_flag_that_the_parser_accepts() {
    for command in COMMANDS {
        let help = help::text(Some(command.command));
        for spec in FLAGS {
            let spelling = table::of_command::row(spec, command.command).spelling();
            let shown = [" ", "\n"].iter().any(|end| help.contains(&format!("{spelling}{end}")));
            assert_eq!(parses(&line(command, spec, spec.long)), shown, "{}", line(command, spec, spec.long));
        }
    }
}

#[test]
fn every_spelling_is_parsed() {
    for spec in FLAGS {
        let command = COMMANDS.iter().find(|command| spec.commands.contains(&command.command)).unwrap();
        for name in spec.aliases {
            assert!(parses(&line(command, spec, name)), "{name}");
        }
        if let Some(negation) = spec.negation() {
            assert!(
                parses(&format!("{} left --{negation}", command.name)) || command.operands == Operands::None
            );
        }
    }
}

#[test]
fn names_are_unique_and_short_flags_unique_in_a_command() {
    let once = |mut names: Vec<String>| {
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count, "{names:?}");
    };
    let commands = COMMANDS.iter().flat_map(|spec| spec.aliases.iter().chain([&spec.name]));
    let flags = FLAGS.iter().flat_map(|spec| spec.aliases.iter().chain([&spec.long]));
    let negations = FLAGS.iter().filter_map(|spec| spec.negation());
    let flags = flags.map(|name| name.to_string()).chain(negations).map(|name| format!("--{name}"));
    once(commands.map(|name| name.to_string()).chain(flags).collect());
    for command in COMMANDS {
        once(command.flags().flat_map(|spec| spec.short).map(char::to_string).collect());
    }
}

#[test]
fn the_table_has_every_command() {
    assert_eq!(COMMANDS.len(), ALL_COMMANDS.len());
    assert!(ALL_COMMANDS.iter().all(|command| COMMANDS.iter().any(|spec| spec.command == *command)));
}

#[test]
fn every_example_of_rusk_alone_is_a_valid_command_line() {
    for (_, example) in COMMANDS.iter().flat_map(|spec| spec.examples) {
        let Some(line) = example.strip_prefix("rusk ") else { continue };
        let line = line.split(['>', '|']).next().expect("split has a first part");
        assert!(parses(line), "{example}");
    }
}

/// Names of the flags that a text shows below a heading, up to the next.
fn shown_below(text: &str, heading: &str) -> Vec<String> {
    let below = text.split(heading).nth(1).expect(heading);
    let lines = below.lines().skip(1).take_while(|line| line.starts_with(' '));
    let lines = lines.filter(|line| line.starts_with("  -") || line.starts_with("      -"));
    let words = lines.flat_map(|line| line.split_whitespace().take(2)).map(|word| word.trim_end_matches(','));
    words.filter(|word| word.starts_with('-')).map(str::to_owned).collect()
}

#[test]
fn help_manual_and_completions_list_the_flags_of_a_program() {
    let (help, man) = (help::text(None), man::page().replace("\\-", "-"));
    let shown = shown_below(&help, "Flags before a program");
    for spec in program_flags::PROGRAM_FLAGS {
        assert!(shown.iter().any(|name| spec.names.contains(&name.as_str())), "help: {}", spec.names[0]);
        assert!(help.contains(spec.help.split(' ').next().expect("a help")), "help: {}", spec.help);
        assert!(man.contains(&format!(".B {}", spec.names.join(", "))), "man: {}", spec.names[0]);
        for shell in ["bash", "zsh", "fish"] {
            let script = completions::script(shell);
            for name in spec.names {
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
            program_flags::PROGRAM_FLAGS.iter().any(|spec| spec.names.contains(&name.as_str())),
            "not in the table: {name}"
        );
    }
}
