//! Table of `docs/compatibility/repositories.md`: public repositories with their own lockfiles. In:
//! `conformance/repositories`. Out: Markdown.

use crate::bench::results_file::{grouped, table_line};
use crate::interop::repositories::results::{self, RepositoryRow};

pub fn table() -> Result<String, String> {
    let rows = results::read()?;
    let mut out = String::new();
    if rows.is_empty() {
        return Ok("\nNo results are stored.\n".to_owned());
    }
    let dates: Vec<&str> = rows.iter().map(|row| row.date.as_str()).collect();
    let [first, last] = [dates.iter().min(), dates.iter().max()].map(|date| *date.unwrap_or(&""));
    let range = if first == last { first.to_owned() } else { format!("{first} to {last}") };
    out.push_str(&format!("\n{range}\n\n"));
    out.push_str("| | tool | packages | edges | install | ci | add | remove | update | peers |\n");
    out.push_str("|---|---|--:|--:|---|---|---|---|---|--:|\n");
    for row in &rows {
        let file = format!("../../conformance/repositories/{}.json", row.name);
        out.push_str(&table_line(&format!("[{}]({file})", row.name), cells(row).into_iter()));
    }
    let passed = rows.iter().filter(|row| row.steps.iter().all(|step| step.problems == 0)).count();
    out.push_str(&format!("\n{passed} of {} repositories pass every step.\n", rows.len()));
    Ok(out)
}

fn cells(row: &RepositoryRow) -> Vec<String> {
    let step = |name: &str| row.steps.iter().find(|step| step.step == name);
    let verdict = |name: &str| match step(name) {
        None => "not run".to_owned(),
        Some(step) if step.problems == 0 => "yes".to_owned(),
        Some(step) => format!("{} differ", step.problems),
    };
    let edges = step("install").map_or(0, |step| step.edges);
    let peers = step("install").map_or([0, 0], |step| step.violated_peers);
    let mut cells = vec![row.tool.clone(), grouped(&row.packages.to_string()), grouped(&edges.to_string())];
    cells.extend(["install", "ci", "add", "remove", "update"].map(verdict));
    cells.push(format!("{} / {}", peers[0], peers[1]));
    cells
}
