//! Shell completions for bash, zsh and fish, made from the tables: commands, their flags, the
//! choices of a flag, and file names where a path is expected.

use super::table::{COMMANDS, FLAGS};
use super::{CommandSpec, FlagSpec, FlagValue, Operands};
use crate::program_flags::{PROGRAM_FLAGS, ProgramFlag};

/// The script for one of the shells that `rusk completions` accepts.
pub fn script(shell: &str) -> String {
    match shell {
        "zsh" => zsh(),
        "fish" => fish(),
        _ => bash(),
    }
}

fn bash() -> String {
    let mut arms = String::new();
    for spec in COMMANDS {
        let names = names(spec).join("|");
        let (operands, flags) = (known_operands(spec).join(" "), bash_flags(spec));
        arms.push_str(&format!("    {names}) words='{operands}' flags='{flags}' ;;\n"));
    }
    let mut values = String::new();
    for spec in FLAGS.iter().filter(|spec| spec.value.name().is_some()) {
        let reply = match (spec.value, spec.value.choices()) {
            (FlagValue::Path(_), _) => "COMPREPLY=($(compgen -f -- \"$current\"))".to_owned(),
            (_, []) => ":".to_owned(),
            (_, choices) => {
                let list: Vec<&str> =
                    choices.iter().map(|choice| choice.name).filter(|name| *name != "*").collect();
                format!("COMPREPLY=($(compgen -W '{}' -- \"$current\"))", list.join(" "))
            }
        };
        let short: String = spec.short.iter().map(|short| format!("|-{short}")).collect();
        values.push_str(&format!("    --{}{short}) {reply}; return ;;\n", spec.long));
    }
    let commands: Vec<&str> = COMMANDS.iter().map(|spec| spec.name).collect();
    let (program_flags, program_values) = (program_flag_names().join(" "), bash_program_values());
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
         \x20 case $command in\n{arms}    *) words='{}' flags='--help --version {program_flags}' ;;\n\x20 esac\n\
         \x20 if [[ $current == -* ]]; then words=$flags; fi\n\
         \x20 COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n\
         \x20 [[ ${{COMPREPLY[0]}} == *= ]] && compopt -o nospace\n\
         }}\n\
         complete -o default -F _rusk rusk\n",
        commands.join(" ")
    )
}

/// Completions of the values of program flags.
fn bash_program_values() -> String {
    let arms = PROGRAM_FLAGS.iter().filter(|spec| spec.value_name.is_some()).map(|spec| {
        let reply = if takes_path(spec) { "COMPREPLY=($(compgen -f -- \"$current\"))" } else { ":" };
        format!("    {}) {reply}; return ;;\n", spec.names.join("|"))
    });
    arms.collect()
}

fn bash_flags(spec: &CommandSpec) -> String {
    let flags = spec.flags().map(|flag| match flag.value.name() {
        Some(_) => format!("--{}=", flag.long),
        None => format!("--{}", flag.long),
    });
    flags.collect::<Vec<_>>().join(" ")
}

fn zsh() -> String {
    let mut script =
        String::from("#compdef rusk\n# rusk completions for zsh\n_rusk() {\n  local -a commands\n");
    script.push_str("  commands=(\n");
    for spec in COMMANDS {
        script.push_str(&format!("    {}\n", single_quoted(&format!("{}:{}", spec.name, spec.summary))));
    }
    script.push_str("  )\n  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n    _describe command commands\n    return\n  fi\n");
    script.push_str(&zsh_program());
    script.push_str("  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n");
    for spec in COMMANDS {
        script.push_str(&format!("    {})\n      _arguments -s", names(spec).join("|")));
        for flag in spec.flags() {
            for spec in zsh_specs(&flag) {
                script.push_str(&format!(" \\\n        {}", single_quoted(&spec)));
            }
        }
        let rest = match known_operands(spec) {
            operands if operands.is_empty() => "*:name:_files".to_owned(),
            operands => format!("1:{}:({})", spec.name, operands.join(" ")),
        };
        script.push_str(&format!(" \\\n        {} ;;\n", single_quoted(&rest)));
    }
    script.push_str("  esac\n}\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n  _rusk \"$@\"\n");
    script.push_str("else\n  compdef _rusk rusk\nfi\n");
    script
}

/// Flags before a command belong to a program.
fn zsh_program() -> String {
    let mut script = String::from("  if [[ $words[2] == -* ]]; then\n    _arguments -s");
    for spec in PROGRAM_FLAGS {
        let help = spec.help.replace(['[', ']'], "").replace(':', "\\:");
        let value = match spec.value_name {
            Some(name) if takes_path(spec) => format!(":{name}:_files"),
            Some(name) => format!(":{name}: "),
            None => String::new(),
        };
        for name in spec.names {
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
fn zsh_specs(spec: &FlagSpec) -> Vec<String> {
    let help = spec.help.replace(['[', ']'], "");
    let value = match (spec.value, spec.value.name(), spec.value.choices()) {
        (_, None, _) => String::new(),
        (FlagValue::Path(_), Some(name), _) => format!(":{name}:_files"),
        (_, Some(name), []) => format!(":{name}: "),
        (_, Some(name), choices) => {
            let list: Vec<&str> =
                choices.iter().map(|choice| choice.name).filter(|name| *name != "*").collect();
            format!(":{name}:({})", list.join(" "))
        }
    };
    let repeat = if matches!(spec.value, FlagValue::ManyOf { .. }) { "*" } else { "" };
    let equals = if value.is_empty() { "" } else { "=" };
    let short = spec.short.iter().map(|short| format!("{repeat}-{short}[{help}]{value}"));
    short.chain([format!("{repeat}--{}{equals}[{help}]{value}", spec.long)]).collect()
}

fn fish() -> String {
    let mut script = String::from("# rusk completions for fish\ncomplete -c rusk -f\n");
    PROGRAM_FLAGS.iter().for_each(|spec| script.push_str(&fish_program_flag(spec)));
    for spec in COMMANDS {
        script.push_str(&format!(
            "complete -c rusk -n __fish_use_subcommand -a {} -d {}\n",
            spec.name,
            single_quoted_fish(spec.summary)
        ));
        let seen = format!("-n '__fish_seen_subcommand_from {}'", names(spec).join(" "));
        for flag in spec.flags() {
            script.push_str(&format!("complete -c rusk {seen}{}\n", fish_flag(&flag)));
        }
        let operands = known_operands(spec);
        if !operands.is_empty() {
            script.push_str(&format!("complete -c rusk {seen} -a '{}'\n", operands.join(" ")));
        }
    }
    script
}

fn fish_flag(spec: &FlagSpec) -> String {
    let mut text: String = spec.short.iter().map(|short| format!(" -s {short}")).collect();
    text.push_str(&format!(" -l {}", spec.long));
    match (spec.value, spec.value.name(), spec.value.choices()) {
        (_, None, _) => {}
        (FlagValue::Path(_), ..) => text.push_str(" -r -F"),
        (_, _, []) => text.push_str(" -x"),
        (_, _, choices) => {
            let list: Vec<&str> =
                choices.iter().map(|choice| choice.name).filter(|name| *name != "*").collect();
            text.push_str(&format!(" -x -a '{}'", list.join(" ")));
        }
    }
    format!("{text} -d {}", single_quoted_fish(spec.help))
}

/// A flag before any command.
fn fish_program_flag(spec: &ProgramFlag) -> String {
    let spellings = spec.names.iter().map(|name| match name.strip_prefix("--") {
        Some(long) => format!(" -l {long}"),
        // Fish calls long flags with one hyphen old-style.
        None if name.len() > 2 => format!(" -o {}", &name[1..]),
        None => format!(" -s {}", &name[1..]),
    });
    let value = match spec.value_name {
        Some(_) if takes_path(spec) => " -r -F",
        Some(_) => " -x",
        None => "",
    };
    let spellings: String = spellings.collect();
    format!(
        "complete -c rusk -n __fish_use_subcommand{spellings}{value} -d {}\n",
        single_quoted_fish(spec.help)
    )
}

fn takes_path(spec: &ProgramFlag) -> bool {
    matches!(spec.value_name, Some("FILE" | "PATH"))
}

fn program_flag_names() -> Vec<&'static str> {
    PROGRAM_FLAGS.iter().flat_map(|spec| spec.names).copied().collect()
}

fn names(spec: &CommandSpec) -> Vec<&'static str> {
    [spec.name].into_iter().chain(spec.aliases.iter().copied()).collect()
}

/// The operands that a command accepts, if they are fixed.
fn known_operands(spec: &CommandSpec) -> Vec<&'static str> {
    match spec.operands {
        Operands::OneOf(names) => names.to_vec(),
        Operands::CommandName => COMMANDS.iter().map(|spec| spec.name).collect(),
        Operands::None | Operands::Names { .. } | Operands::Program { .. } => Vec::new(),
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
