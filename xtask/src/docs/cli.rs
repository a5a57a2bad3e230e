//! The page `reference/cli.md`: every command and flag, from the tables that the parser, the help
//! and the manual use.

use super::markdown::{code, head, paragraph, table};
use rusk_command_line::reference::{
    COMMANDS, CommandSpec, FLAGS, FlagGroup, FlagSpec, FlagValue, PAGE_FLAGS, PROGRAM_FLAGS, ProgramFlag,
};

pub fn page() -> Result<String, String> {
    let mut out = head(
        "Command line",
        "Every command and flag of rusk. `rusk help COMMAND` and `rusk man` show the same in a terminal.",
    );
    out.push_str("\n## Commands\n\n");
    let rows: Vec<Vec<String>> = COMMANDS.iter().map(command_row).collect();
    out.push_str(&table(&["command", "aliases", "purpose"], &rows));
    out.push('\n');
    out.push_str(&paragraph(
        "`rusk FILE` runs a program; see [Programs](#programs). A switch is negated by its opposite \
         (`--no-offline` after `--offline`, `--save` after `--no-save`), and any switch by `--NAME=false`; the last \
         one counts. A value may stand after `=` or as the next argument.",
    ));
    COMMANDS.iter().for_each(|spec| push_command(&mut out, spec));
    push_programs(&mut out);
    Ok(out)
}

fn command_row(spec: &CommandSpec) -> Vec<String> {
    let aliases: Vec<String> = spec.aliases.iter().map(|name| code(name)).collect();
    let link = format!("[`{0}`](#rusk-{0})", spec.name);
    vec![link, aliases.join(", "), spec.summary.to_owned()]
}

fn push_command(out: &mut String, spec: &CommandSpec) {
    out.push_str(&format!("\n## rusk {}\n\n    {}\n\n", spec.name, spec.usage()));
    out.push_str(&paragraph(&format!("{}. {}", spec.summary, spec.description)));
    for group in FlagGroup::ALL {
        let flags: Vec<FlagSpec> = spec.flags().filter(|flag| flag.group == group).collect();
        let rows: Vec<Vec<String>> = flags.iter().map(flag_row).collect();
        if !rows.is_empty() {
            out.push_str(&format!("\n{}:\n\n{}", group.title(), table(&["flag", "meaning"], &rows)));
        }
    }
    out.push_str("\nExamples:\n\n```sh\n");
    let width = spec.examples.iter().map(|(_, line)| line.len()).max().unwrap_or_default();
    for (purpose, line) in spec.examples {
        out.push_str(&format!("{line:width$}  # {purpose}\n"));
    }
    out.push_str("```\n");
}

fn flag_row(spec: &FlagSpec) -> Vec<String> {
    let mut spellings: Vec<String> = vec![code(&spec.spelling())];
    spellings.extend(spec.short.iter().map(|short| code(&format!("-{short}"))));
    spellings.extend(spec.aliases.iter().map(|name| code(&format!("--{name}"))));
    spellings.extend(spec.negation().map(|name| code(&format!("--{name}"))));
    let mut meaning = format!("{}.", spec.full_help());
    match spec.value {
        FlagValue::Number { max, .. } if max > 0 => meaning.push_str(&format!(" 0 to {max}.")),
        FlagValue::Count { max, .. } => meaning.push_str(&format!(" 1 to {max}.")),
        _ => {}
    }
    let conflicts = conflicts(spec);
    if !conflicts.is_empty() {
        meaning.push_str(&format!(" Not with {}.", conflicts.join(", ")));
    }
    vec![spellings.join(", "), meaning]
}

/// The flags that contradict this one, listed on either side.
fn conflicts(spec: &FlagSpec) -> Vec<String> {
    let contradict =
        |other: &&FlagSpec| other.conflicts.contains(&spec.flag) || spec.conflicts.contains(&other.flag);
    FLAGS.iter().filter(contradict).map(|other| code(&format!("--{}", other.long))).collect()
}

fn push_programs(out: &mut String) {
    out.push_str("\n## Programs\n\n    rusk [flags] <file> [argument...]\n    rusk [flags] -e <code> [argument...]\n\n");
    out.push_str(&paragraph(
        "Flags before a program. `-` as the file is standard input. Arguments after the file belong to the \
         program. The names are Node's and bun's. Node's other flags, and V8's, are accepted without effect.",
    ));
    out.push('\n');
    let rows: Vec<Vec<String>> = PROGRAM_FLAGS.iter().map(program_row).collect();
    out.push_str(&table(&["flag", "meaning"], &rows));
    out.push_str("\nFlags after a page that the [development server](../bundler/dev-server.md) serves:\n\n");
    let rows: Vec<Vec<String>> =
        PAGE_FLAGS.iter().map(|(flag, help)| vec![code(flag), format!("{help}.")]).collect();
    out.push_str(&table(&["flag", "meaning"], &rows));
}

fn program_row(spec: &ProgramFlag) -> Vec<String> {
    let spelling = |name: &&str| match spec.value_name {
        Some(value) => code(&format!("{name} {value}")),
        None => code(name),
    };
    let names: Vec<String> = spec.names.iter().map(spelling).collect();
    vec![names.join(", "), format!("{}.", spec.help)]
}
