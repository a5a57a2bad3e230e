//! The tables of `docs/compatibility`, compared with the program: each export of a builtin module,
//! each member of `Bun` and each global is there unless a table says that it is missing.

use std::path::Path;
use std::process::Command;

#[test]
fn the_compatibility_tables_say_what_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_rusk"))
        .args(["--no-warnings", "fixtures/compatibility/check.cjs", "docs/compatibility"])
        .current_dir(&root)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    assert_eq!(
        String::from_utf8_lossy(&text),
        "",
        "change docs/compatibility/*.json, then run `cargo xtask docs`"
    );
    assert!(output.status.success(), "{}", output.status);
}
