//! The object that `--json` prints at the end, on one line. Its shape is documented in
//! docs/reference/json-output.md. Most of it is in `rusk-reports`.

pub use rusk_npm::json::text::{array, line, object, optional, string};
pub use rusk_reports::json::{milliseconds, problem, scripts, summary};
use rusk_scripts::Exit;

use super::tasks::{TaskResult, TaskRow};

/// How scripts ended.
pub fn tasks(rows: &[TaskRow<'_>], warnings: &[String]) -> String {
    let row = |row: &TaskRow<'_>| {
        let state = match row.result {
            None => "not-started",
            Some(result) if result.was_stopped => "stopped",
            Some(TaskResult { exit: Exit::DONE, .. }) => "done",
            Some(_) => "failed",
        };
        let exit = row.result.map(|result| result.exit);
        let code = exit.and_then(|exit| if let Exit::Code(code) = exit { Some(code) } else { None });
        let signal = exit.and_then(|exit| if let Exit::Signal(signal) = exit { Some(signal) } else { None });
        let number = |number: Option<String>| number.unwrap_or_else(|| "null".to_owned());
        object(&[
            ("package", optional(row.package)),
            ("path", string(row.path)),
            ("script", string(row.script)),
            ("state", string(state)),
            ("exitCode", number(code.map(|code| code.to_string()))),
            ("signal", number(signal.map(|signal| signal.to_string()))),
            ("milliseconds", number(row.result.map(|result| milliseconds(result.time)))),
        ])
    };
    line(&[
        ("scripts", array(rows.iter().map(row))),
        ("warnings", array(warnings.iter().map(|text| string(text)))),
    ])
}
