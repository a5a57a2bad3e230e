//! The licence of every outside crate is one that `deny.toml` allows. `cargo deny` checks the same,
//! with the files of the licences; it is not needed for this.

use rusk_npm::json::{self, Dialect, Node};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The list `allow` of the file.
fn allowed() -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("deny.toml")).expect("deny.toml is there");
    let list = text.split("allow = [").nth(1).and_then(|rest| rest.split(']').next());
    let list = list.expect("deny.toml has a list `allow`");
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Whether an SPDX expression can be met: one side of `OR`, all sides of `AND`.
fn is_met(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let expression = expression.replace('/', " OR ");
    let plain = expression.replace(['(', ')'], " ");
    // No crate nests deeper than `(A OR B) AND C`, so `AND` binds last.
    plain.split(" AND ").all(|all| {
        all.split(" OR ").any(|one| allowed.contains(&one.split_whitespace().collect::<Vec<_>>().join(" ")))
    })
}

#[test]
fn every_licence_is_allowed() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version", "1", "--offline", "--locked"]).current_dir(root());
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("metadata is UTF-8");
    let metadata = json::parse(&text, Dialect::Strict).expect("metadata is JSON");
    let packages = metadata.find("packages").map(Node::elements).expect("metadata has packages");
    assert!(packages.len() > 100, "{} packages", packages.len());
    let allowed = allowed();
    let field = |package: &Node<'_>, key: &str| {
        package.find(key).and_then(Node::as_str).unwrap_or_default().to_owned()
    };
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| !is_met(&field(package, "license"), &allowed))
        .map(|package| format!("{}: {}", field(package, "name"), field(package, "license")))
        .collect();
    assert!(refused.is_empty(), "not in deny.toml: {refused:?}");
}

#[test]
fn expressions_are_understood() {
    let allowed = ["MIT", "ISC"].map(str::to_owned).into();
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-2.0-only", false),
        ("GPL-2.0-only OR MIT", true),
        ("MIT/Apache-2.0", true),
        ("MIT AND ISC", true),
        ("MIT AND GPL-2.0-only", false),
        ("(Apache-2.0 OR MIT) AND ISC", true),
        ("(Apache-2.0 OR MIT) AND GPL-2.0-only", false),
        ("", false),
    ] {
        assert_eq!(is_met(expression, &allowed), expected, "{expression}");
    }
}
