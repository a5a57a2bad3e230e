//! `conformance/verdaccio.json`: each case and what was not as expected. In: results. Out: the
//! file, or its content.

use crate::bench::results_file;
use crate::report::{self, Json};
use crate::{files, process};
use rusk_npm::json::Node;
use std::path::Path;

pub const FILE: &str = "conformance/verdaccio.json";

pub struct CaseResult {
    pub name: String,
    pub user: String,
    pub command: String,
    pub difference: Option<String>,
}

/// The stored results.
#[derive(Default)]
pub struct VerdaccioResults {
    pub date: String,
    pub verdaccio: String,
    pub rusk: String,
    pub cases: Vec<CaseResult>,
}

/// Stands for no difference.
const SAME: &str = "as expected";

pub fn write(results: &[CaseResult], verdaccio: &str, rusk: &Path) -> Result<(), String> {
    let case = |result: &CaseResult| {
        Json::line([
            ("case", Json::text(&result.name)),
            ("user", Json::text(&result.user)),
            ("command", Json::text(&result.command)),
            ("result", Json::text(result.difference.as_deref().unwrap_or(SAME))),
        ])
    };
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("verdaccio", Json::text(verdaccio)),
        ("rusk", Json::text(process::version(rusk).unwrap_or_default())),
        ("cases", Json::List(results.iter().map(case).collect())),
    ]);
    files::write(&files::root().join(FILE), &json.render())
}

/// Empty if there are none.
pub fn read() -> Result<VerdaccioResults, String> {
    let Some(text) = files::find(&files::root().join(FILE)) else { return Ok(VerdaccioResults::default()) };
    let root = results_file::parse(FILE, &text)?;
    let case = |node: &Node<'_>| {
        let [name, user, command, result] =
            ["case", "user", "command", "result"].map(|key| results_file::text(node, key));
        CaseResult { name, user, command, difference: (result != SAME).then_some(result) }
    };
    Ok(VerdaccioResults {
        date: results_file::text(&root, "date"),
        verdaccio: results_file::text(&root, "verdaccio"),
        rusk: results_file::text(&root, "rusk"),
        cases: root.find("cases").map(Node::elements).unwrap_or_default().iter().map(case).collect(),
    })
}
