//! The help fits the terminal. Its text is compared in tests/command_line.rs.

use super::*;
use rusk_terminal::width::columns;

#[test]
fn no_line_is_wider_than_80_columns() {
    let texts = COMMANDS.iter().map(|spec| text(Some(spec.command))).chain([text(None)]);
    for line in texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()) {
        assert!(columns(&line) <= COLUMNS, "{line}");
    }
}

/// bun's names; their help is on the next line.
const LONG_NAMES: &[&str] = &[
    "allow-unresolved",
    "allow-unverified-tarballs",
    "compile-autoload-bunfig",
    "compile-autoload-dotenv",
    "compile-exec-argv",
    "compile-executable-path",
    "minimum-release-age",
    "minimum-release-age-excludes",
    "no-compile-autoload-package-json",
    "no-compile-autoload-tsconfig",
    "no-deprecated-namespace-object-setters",
    "path-ignore-patterns",
    "reject-unresolved",
    "trust-policy-excludes",
];

#[test]
fn every_flag_fits_its_column() {
    for spec in FLAGS.iter().filter(|spec| !LONG_NAMES.contains(&spec.long)) {
        let left = columns(&spec.spelling()) + "  -x, ".len();
        assert!(left < FLAG_COLUMN, "{} needs a column of {}", spec.long, left + 1);
    }
}
