//! The tables of `docs/conformance.md`: what others' tests say of the runtime. In: the JSON texts of `conformance`. Out: Markdown.

use crate::bench::stored::{number_of, table_head, table_line};
use crate::conformance::node::summary::{FILE, Summary};

/// A share as it is shown and compared: whole per cents, rounded down, so that nothing is met that is not.
fn percent(part: usize, whole: usize) -> usize {
    (part * 100).checked_div(whole).unwrap_or_default()
}

pub fn node() -> Result<String, String> {
    let summary = Summary::read()?;
    if summary.rows.is_empty() {
        return Ok("\nNo results are stored: `cargo xtask conformance node` makes them.\n".to_owned());
    }
    let version = |name: &str| {
        let said = summary.versions.get(name).map(|said| number_of(said)).unwrap_or_default();
        format!("{name} {said}")
    };
    let heads = ["files".to_owned(), version("node"), version("rusk"), "rusk, %".to_owned()];
    let heads =
        heads.into_iter().chain([version("bun"), "bun, %".to_owned(), "wanted, %".to_owned(), String::new()]);
    let mut out = format!("\n{}\n\n{}", summary.date, table_head(&heads.collect::<Vec<_>>()));
    let (mut files, mut node, mut rusk, mut bun) = (0, 0, 0, Some(0));
    for row in summary.rows.values() {
        (files, node, rusk) = (files + row.files, node + row.node, rusk + row.rusk);
        bun = bun.zip(row.bun).map(|(sum, bun)| sum + bun);
        let cells = cells([row.files, row.node, row.rusk], row.bun, row.target);
        out.push_str(&table_line(
            &format!("[{0}](../conformance/node/{0}.txt)", row.area),
            cells.into_iter(),
        ));
    }
    out.push_str(&table_line("all", cells([files, node, rusk], bun, None).into_iter()));
    out.push_str(&format!("\nAll counts: [{FILE}](../{FILE})\n"));
    Ok(out)
}

fn cells([files, node, rusk]: [usize; 3], bun: Option<usize>, target: Option<u32>) -> Vec<String> {
    let verdict = |target: u32| if percent(rusk, node) >= target as usize { "met" } else { "NOT MET" };
    let shown = |number: Option<usize>| number.map_or_else(String::new, |number| number.to_string());
    vec![
        files.to_string(),
        node.to_string(),
        rusk.to_string(),
        percent(rusk, node).to_string(),
        shown(bun),
        shown(bun.map(|bun| percent(bun, node))),
        shown(target.map(|target| target as usize)),
        target.map(verdict).unwrap_or_default().to_owned(),
    ]
}
