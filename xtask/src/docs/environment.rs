//! The page `reference/environment.md`: every environment variable that rusk reads.

use super::markdown::{code, head, table};
use rusk_command_line::reference::{ENVIRONMENT, EnvironmentVariable, Reader};

pub fn page() -> Result<String, String> {
    let mut out = head(
        "Environment variables",
        "Every environment variable that rusk reads. A name that ends in `*` is a prefix. What package scripts \
         get is in [rusk run](../package-manager/run.md#the-environment-of-a-script).",
    );
    for reader in Reader::ALL {
        let variables = ENVIRONMENT.iter().filter(|variable| variable.reader == reader);
        let rows: Vec<Vec<String>> = variables.map(row).collect();
        if !rows.is_empty() {
            out.push_str(&format!("\n## {}\n\n{}", reader.title(), table(&["variable", "meaning"], &rows)));
        }
    }
    Ok(out)
}

fn row(variable: &EnvironmentVariable) -> Vec<String> {
    let names: Vec<String> = variable.names.iter().map(|name| code(name)).collect();
    vec![names.join(", "), variable.meaning.to_owned()]
}
