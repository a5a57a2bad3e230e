//! Workers made and ended, some in the middle of work: what they held is given back. `WORKERS=10000 cargo test -p rusk --test workers` is the
//! long form.

use std::path::Path;
use std::process::Command;

/// Enough for each kind of work a few times.
const WORKERS: &str = "120";

#[test]
fn workers_give_back_what_they_held() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/runtime/workers.cjs");
    let count = std::env::var("WORKERS").unwrap_or_else(|_| WORKERS.to_owned());
    let output = Command::new(env!("CARGO_BIN_EXE_rusk"))
        .args([program.as_os_str(), count.as_ref()])
        .env_remove("RUSK_BUILTINS")
        .output()
        .expect("rusk starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{said}{errors}", output.status);
    assert!(said.contains(&format!("ended {count}")), "{said}{errors}");
}
