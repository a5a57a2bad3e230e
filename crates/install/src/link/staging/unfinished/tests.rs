//! Which names are those of temporary files.

use super::*;

#[test]
fn only_temporary_files_of_ours_are_removed() {
    for name in [
        ".bun.lock.0123456789abcdef",
        ".package.json.0123456789abcdef",
        ".pnpm-lock.yaml.0123456789abcdef",
        ".rusk-probe-0123456789abcdef",
    ] {
        assert!(is_temporary(name), "{name}");
    }
    for name in [
        "package.json",
        ".package.json",
        ".package.json.",
        ".package.json.0123456789abcde",
        ".package.json.0123456789abcdex",
        ".package.json.0123456789abcdef.bak",
        "package.json.0123456789abcdef",
        ".env.0123456789abcdef",
    ] {
        assert!(!is_temporary(name), "{name}");
    }
}
