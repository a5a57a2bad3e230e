//! The scripts of a package as text: a line for each, its command beside its name. Absent: the
//! lines that a long command would take after the third; `--json` has it whole.

use rusk_base::problem::printable;
use rusk_npm::manifest::Scripts;

use super::style::{Highlight, OutputStyle};
use super::width::{columns, cut, wrap};
use rusk_command_line::flags::help::COLUMNS;

/// Maximum column of commands; longer names are on a line of their own.
const NAME_COLUMNS_MAX: usize = 24;

/// Lines of one command.
const LINES_MAX: usize = 3;

/// The lines for stdout, each with its end.
pub fn text(scripts: &Scripts, style: &OutputStyle) -> String {
    let name = scripts.package_name.as_deref().unwrap_or("package.json");
    let package: Vec<_> =
        [Some(name), scripts.package_version.as_deref()].into_iter().flatten().map(printable).collect();
    let package = package.join(" ");
    if scripts.commands.is_empty() {
        return format!("{} has no scripts\n", cut(&package, COLUMNS - 15, style.ellipsis()));
    }
    let names = scripts.commands.iter().map(|(name, _)| columns(&printable(name)));
    let column = names.filter(|width| *width <= NAME_COLUMNS_MAX).max().unwrap_or(0) + 4;
    let mut text = format!("scripts of {}:\n", cut(&package, COLUMNS - 12, style.ellipsis()));
    for (name, command) in &scripts.commands {
        push_script(&mut text, name, command, column, style);
    }
    text
}

fn push_script(text: &mut String, name: &str, command: &str, column: usize, style: &OutputStyle) {
    let name = cut(&printable(name), COLUMNS - 2, style.ellipsis());
    let used = 2 + columns(&name);
    text.push_str(&format!("  {}", style.for_stdout(Highlight::Added, &name)));
    match used < column {
        true => text.push_str(&" ".repeat(column - used)),
        false => text.push_str(&format!("\n{}", " ".repeat(column))),
    }
    let mut lines = wrap(&printable(command), COLUMNS - column, 0);
    if lines.len() > LINES_MAX {
        lines.truncate(LINES_MAX);
        lines[LINES_MAX - 1].push_str(style.ellipsis());
    }
    let lines = lines.iter().map(|line| cut(line, COLUMNS - column, style.ellipsis()));
    text.push_str(&lines.collect::<Vec<_>>().join(&format!("\n{}", " ".repeat(column))));
    text.push('\n');
}
