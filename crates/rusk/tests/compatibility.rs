//! The tables of `docs/compatibility`, compared with the program: each export of a builtin module,
//! each member of `Bun` and each global is there unless a table says that it is missing. Also the
//! imports of builtins, compared with what the imported builtins export.

use std::path::Path;
use std::process::Command;

#[test]
fn the_compatibility_tables_say_what_exists() {
    let arguments = ["--no-warnings", "fixtures/compatibility/check.cjs", "docs/compatibility"];
    assert_eq!(output_of(&arguments), "", "change docs/compatibility/*.json, then run `cargo xtask docs`");
}

const IMPORTS: [&str; 3] = ["--no-warnings", "--expose-internals", "fixtures/builtins/imports.cjs"];

#[test]
fn builtins_import_what_others_export() {
    assert_eq!(output_of(&[&IMPORTS[..], &["ext", "crates/runtime"]].concat()), "");
}

#[test]
fn wrong_imports_of_builtins_are_found() {
    const FILE: &str = "fixtures/builtins/planted/imports.js: ";
    let output = output_of(&[&IMPORTS[..], &["fixtures/builtins/planted"]].concat());
    let found: Vec<&str> = output.lines().map(|line| line.strip_prefix(FILE).unwrap_or(line)).collect();
    assert_eq!(
        found,
        [
            "imports `validateStrings`, which `internal/validators` does not export",
            "imports `errorCodes`, which `internal/errors` does not export",
            "`internal/gone` cannot be loaded: Cannot find module 'internal/gone'",
            "`web/none` cannot be loaded: Cannot find module 'web/none'",
            "imports `readFiles`, which `fs` does not export",
        ]
    );
}

/// What a program prints, which must succeed.
fn output_of(arguments: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_rusk"))
        .args(arguments)
        .current_dir(&root)
        .output()
        .expect("rusk runs");
    let text = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&text));
    String::from_utf8(text).expect("the output is UTF-8")
}
