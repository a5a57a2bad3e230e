//! Completions for bash, zsh and fish, from the table: commands, their flags, the words a flag
//! knows, and file names where a path is expected.

use super::table::{COMMANDS, FLAGS};
use super::{CommandRow, FlagRow, Takes, Words};
use crate::program::flags::{ROWS, Row};

/// The script for one of the shells that `rusk completions` takes.
pub fn script(shell: &str) -> String {
    match shell {
        "zsh" => zsh(),
        "fish" => fish(),
        _ => bash(),
    }
}

fn bash() -> String {
    let mut arms = String::new();
    for row in COMMANDS {
        let names = names(row).join("|");
        let (words, flags) = (known_words(row).join(" "), bash_flags(row));
        arms.push_str(&format!("    {names}) words='{words}' flags='{flags}' ;;\n"));
    }
    let mut values = String::new();
    for row in FLAGS.iter().filter(|row| row.takes.value_name().is_some()) {
        let answer = match (row.takes, row.takes.words()) {
            (Takes::Path(_), _) => "COMPREPLY=($(compgen -f -- \"$current\"))".to_owned(),
            (_, []) => ":".to_owned(),
            (_, words) => {
                let list: Vec<&str> =
                    words.iter().map(|word| word.word).filter(|word| *word != "*").collect();
                format!("COMPREPLY=($(compgen -W '{}' -- \"$current\"))", list.join(" "))
            }
        };
        let letters: String = row.short.iter().map(|letter| format!("|-{letter}")).collect();
        values.push_str(&format!("    --{}{letters}) {answer}; return ;;\n", row.long));
    }
    let commands: Vec<&str> = COMMANDS.iter().map(|row| row.name).collect();
    let (of_program, program_values) = (program_names().join(" "), bash_program_values());
    format!(
        "# rusk completions for bash\n\
         _rusk() {{\n\
         \x20 local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command= words= flags= at\n\
         \x20 COMPREPLY=()\n\
         \x20 if [[ $current == = ]]; then current=\n\
         \x20 elif [[ $before == = && COMP_CWORD -gt 1 ]]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi\n\
         \x20 for ((at = 1; at < COMP_CWORD; at++)); do\n\
         \x20   if [[ ${{COMP_WORDS[at]}} != -* ]]; then command=${{COMP_WORDS[at]}}; break; fi\n\
         \x20 done\n\
         \x20 if [[ -z $command ]]; then case $before in\n{program_values}\x20 esac; fi\n\
         \x20 case $before in\n{values}\x20 esac\n\
         \x20 case $command in\n{arms}    *) words='{}' flags='--help --version {of_program}' ;;\n\x20 esac\n\
         \x20 if [[ $current == -* ]]; then words=$flags; fi\n\
         \x20 COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n\
         \x20 [[ ${{COMPREPLY[0]}} == *= ]] && compopt -o nospace\n\
         }}\n\
         complete -o default -F _rusk rusk\n",
        commands.join(" ")
    )
}

/// What stands behind a flag of a program.
fn bash_program_values() -> String {
    let arms = ROWS.iter().filter(|row| row.takes.is_some()).map(|row| {
        let answer = if takes_path(row) { "COMPREPLY=($(compgen -f -- \"$current\"))" } else { ":" };
        format!("    {}) {answer}; return ;;\n", row.names.join("|"))
    });
    arms.collect()
}

fn bash_flags(row: &CommandRow) -> String {
    let flags = row.flags().map(|flag| match flag.takes.value_name() {
        Some(_) => format!("--{}=", flag.long),
        None => format!("--{}", flag.long),
    });
    flags.collect::<Vec<_>>().join(" ")
}

fn zsh() -> String {
    let mut script =
        String::from("#compdef rusk\n# rusk completions for zsh\n_rusk() {\n  local -a commands\n");
    script.push_str("  commands=(\n");
    for row in COMMANDS {
        script.push_str(&format!("    {}\n", single_quoted(&format!("{}:{}", row.name, row.summary))));
    }
    script.push_str("  )\n  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n    _describe command commands\n    return\n  fi\n");
    script.push_str(&zsh_program());
    script.push_str("  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n");
    for row in COMMANDS {
        script.push_str(&format!("    {})\n      _arguments -s", names(row).join("|")));
        for flag in row.flags() {
            for spec in zsh_specs(flag) {
                script.push_str(&format!(" \\\n        {}", single_quoted(&spec)));
            }
        }
        let rest = match known_words(row) {
            words if words.is_empty() => "*:name:_files".to_owned(),
            words => format!("1:{}:({})", row.name, words.join(" ")),
        };
        script.push_str(&format!(" \\\n        {} ;;\n", single_quoted(&rest)));
    }
    script.push_str("  esac\n}\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n  _rusk \"$@\"\n");
    script.push_str("else\n  compdef _rusk rusk\nfi\n");
    script
}

/// Flags before any command are a program's.
fn zsh_program() -> String {
    let mut script = String::from("  if [[ $words[2] == -* ]]; then\n    _arguments -s");
    for row in ROWS {
        let help = row.help.replace(['[', ']'], "").replace(':', "\\:");
        let value = match row.takes {
            Some(name) if takes_path(row) => format!(":{name}:_files"),
            Some(name) => format!(":{name}: "),
            None => String::new(),
        };
        for name in row.names {
            let equals = if value.is_empty() || !name.starts_with("--") { "" } else { "=" };
            script.push_str(&format!(
                " \\\n      {}",
                single_quoted(&format!("*{name}{equals}[{help}]{value}"))
            ));
        }
    }
    script.push_str(" \\\n      '*:file:_files'\n    return\n  fi\n");
    script
}

/// `_arguments` takes one specification for each spelling of a flag.
fn zsh_specs(row: &FlagRow) -> Vec<String> {
    let help = row.help.replace(['[', ']'], "");
    let value = match (row.takes, row.takes.value_name(), row.takes.words()) {
        (_, None, _) => String::new(),
        (Takes::Path(_), Some(name), _) => format!(":{name}:_files"),
        (_, Some(name), []) => format!(":{name}: "),
        (_, Some(name), words) => {
            let list: Vec<&str> = words.iter().map(|word| word.word).filter(|word| *word != "*").collect();
            format!(":{name}:({})", list.join(" "))
        }
    };
    let repeat = if matches!(row.takes, Takes::Choices { .. }) { "*" } else { "" };
    let equals = if value.is_empty() { "" } else { "=" };
    let letters = row.short.iter().map(|letter| format!("{repeat}-{letter}[{help}]{value}"));
    letters.chain([format!("{repeat}--{}{equals}[{help}]{value}", row.long)]).collect()
}

fn fish() -> String {
    let mut script = String::from("# rusk completions for fish\ncomplete -c rusk -f\n");
    ROWS.iter().for_each(|row| script.push_str(&fish_program_flag(row)));
    for row in COMMANDS {
        script.push_str(&format!(
            "complete -c rusk -n __fish_use_subcommand -a {} -d {}\n",
            row.name,
            single_quoted_fish(row.summary)
        ));
        let seen = format!("-n '__fish_seen_subcommand_from {}'", names(row).join(" "));
        for flag in row.flags() {
            script.push_str(&format!("complete -c rusk {seen}{}\n", fish_flag(flag)));
        }
        let words = known_words(row);
        if !words.is_empty() {
            script.push_str(&format!("complete -c rusk {seen} -a '{}'\n", words.join(" ")));
        }
    }
    script
}

fn fish_flag(row: &FlagRow) -> String {
    let mut text: String = row.short.iter().map(|letter| format!(" -s {letter}")).collect();
    text.push_str(&format!(" -l {}", row.long));
    match (row.takes, row.takes.value_name(), row.takes.words()) {
        (_, None, _) => {}
        (Takes::Path(_), ..) => text.push_str(" -r -F"),
        (_, _, []) => text.push_str(" -x"),
        (_, _, words) => {
            let list: Vec<&str> = words.iter().map(|word| word.word).filter(|word| *word != "*").collect();
            text.push_str(&format!(" -x -a '{}'", list.join(" ")));
        }
    }
    format!("{text} -d {}", single_quoted_fish(row.help))
}

/// Before any command.
fn fish_program_flag(row: &Row) -> String {
    let spelled = row.names.iter().map(|name| match name.strip_prefix("--") {
        Some(long) => format!(" -l {long}"),
        // Fish takes words behind one hyphen for old ones.
        None if name.len() > 2 => format!(" -o {}", &name[1..]),
        None => format!(" -s {}", &name[1..]),
    });
    let value = match row.takes {
        Some(_) if takes_path(row) => " -r -F",
        Some(_) => " -x",
        None => "",
    };
    let spelled: String = spelled.collect();
    format!("complete -c rusk -n __fish_use_subcommand{spelled}{value} -d {}\n", single_quoted_fish(row.help))
}

fn takes_path(row: &Row) -> bool {
    matches!(row.takes, Some("FILE" | "PATH"))
}

fn program_names() -> Vec<&'static str> {
    ROWS.iter().flat_map(|row| row.names).copied().collect()
}

fn names(row: &CommandRow) -> Vec<&'static str> {
    [row.name].into_iter().chain(row.also.iter().copied()).collect()
}

/// The words that a command knows beforehand.
fn known_words(row: &CommandRow) -> Vec<&'static str> {
    match row.words {
        Words::OneOf(words) => words.to_vec(),
        Words::Command => COMMANDS.iter().map(|row| row.name).collect(),
        Words::None | Words::Names { .. } | Words::Program { .. } => Vec::new(),
    }
}

fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn single_quoted_fish(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[cfg(test)]
mod tests;
