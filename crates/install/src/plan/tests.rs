//! Paths between places.

use super::*;

fn check(path: &str, target: &str, text: &str) {
    assert_eq!(relative(path, target), text, "{path} -> {target}");
}

#[test]
fn a_link_leads_from_its_own_folder() {
    check("node_modules/ui", "packages/ui", "../packages/ui");
    check("node_modules/@app/ui", "packages/ui", "../../packages/ui");
    check("packages/a/node_modules/b", "packages/b", "../../b");
    check("node_modules/self", ".", "..");
    check("node_modules/out", "../out", "../../out");
    check("node_modules/abs", "/opt/abs", "/opt/abs");
}
