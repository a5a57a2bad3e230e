//! Table of `docs/package-manager/registries-and-auth.md`: rusk with a real Verdaccio. In:
//! `conformance/verdaccio.json`. Out: Markdown.

use crate::bench::results_file::table_line;
use crate::interop::verdaccio::results;

pub fn table() -> Result<String, String> {
    let stored = results::read()?;
    if stored.cases.is_empty() {
        return Ok("\nNo results are stored.\n".to_owned());
    }
    let mut out = format!("\n{}: {}, rusk {}\n\n", stored.date, stored.verdaccio, stored.rusk);
    out.push_str("| | user | command | |\n|---|---|---|---|\n");
    for case in &stored.cases {
        let result = case.difference.as_ref().map_or("yes", |_| "differs");
        let cells = [case.user.clone(), format!("`{}`", case.command), result.to_owned()];
        out.push_str(&table_line(&case.name, cells.into_iter()));
    }
    Ok(out)
}
