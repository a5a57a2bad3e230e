//! The page `reference/exit-codes.md`.

use super::markdown::{head, paragraph, table};
use rusk_command_line::reference::{EXIT_CODES, ExitCode};

pub fn page() -> Result<String, String> {
    let mut out = head("Exit codes", "The exit codes of rusk.");
    let row = |exit: &ExitCode| vec![exit.code.to_owned(), exit.meaning.to_owned()];
    let rows: Vec<Vec<String>> = EXIT_CODES.iter().map(row).collect();
    out.push_str(&format!("\n{}\n", table(&["exit code", "meaning"], &rows)));
    out.push_str(&paragraph(
        "A JavaScript program ends as in Node: 0 if nothing is wrong, 1 after an uncaught error or an unhandled \
         rejection, 7 if a handler of uncaught errors throws, 13 if a top-level `await` never ends, else the \
         number of `process.exit` or `process.exitCode`.",
    ));
    out.push('\n');
    out.push_str(&paragraph("Each error has a stable code as well: [error codes](error-codes.md)."));
    Ok(out)
}
