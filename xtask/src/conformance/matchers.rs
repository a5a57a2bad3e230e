//! `conformance matchers`: tests of matchers that bun and jest have, by `conformance/matchers.mjs`.
//! In: checkouts of both. Out: differences, `conformance/matchers.json`. Needs node.

use crate::{files, peers};
use std::process::{Command, Stdio};

/// `[--bun CHECKOUT] [--jest CHECKOUT --packages NODE_MODULES] [--oracle BUN]`
pub fn run(arguments: &[String]) -> Result<(), String> {
    let script = files::root().join("conformance/matchers.mjs");
    let mut command = Command::new("node");
    command.arg(script).arg(files::target().join("matchers")).arg(peers::rusk()?).args(arguments);
    let ended = command.stderr(Stdio::inherit()).output().map_err(|error| format!("node: {error}"))?;
    if !ended.status.success() {
        return Err("the tests of matchers did not run to their end".to_owned());
    }
    files::write(&files::root().join("conformance/matchers.json"), &String::from_utf8_lossy(&ended.stdout))
}
