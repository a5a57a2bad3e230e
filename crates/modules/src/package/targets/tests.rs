//! Target selection as values; `fixtures/modules` tests resolution with files.

use super::*;
use rusk_npm::json::{self, Dialect};

fn target(text: &str) -> Target {
    Target::new(&json::parse(text, Dialect::Strict).unwrap())
}

fn conditions() -> Vec<String> {
    ["node", "import"].map(str::to_owned).to_vec()
}

#[track_caller]
fn check(exports: &str, subpath: &str, expected: &str) {
    let exports = target(exports);
    let found = match select_export(&exports, subpath, &conditions()) {
        Ok(ResolvedTarget::Path { target, star }) => target.replace('*', star.unwrap_or("*")),
        other => format!("{other:?}"),
    };
    assert_eq!(found, expected, "{subpath}");
}

#[test]
fn the_first_condition_that_holds_counts() {
    check(r#"{"require":"./r.js","import":"./i.js","default":"./d.js"}"#, ".", "./i.js");
    check(r#"{".":{"default":"./d.js","import":"./i.js"}}"#, ".", "./d.js");
    check(r#"{"node":{"require":"./r.js"},"default":"./d.js"}"#, ".", "./d.js");
    check(r#"{"node":null,"default":"./d.js"}"#, ".", "Err(Undefined)");
}

#[test]
fn a_duplicate_key_keeps_its_position() {
    check(r#"{"import":"./1.js","node":"./2.js","import":"./3.js"}"#, ".", "./3.js");
}

#[test]
fn the_best_pattern_has_the_longest_beginning() {
    let exports = r#"{"./*":"./a/*","./x/*":"./b/*","./x/*.js":"./c/*","./x/y*":"./d/*"}"#;
    check(exports, "./z", "./a/z");
    check(exports, "./x/z", "./b/z");
    check(exports, "./x/z.js", "./c/z");
    check(exports, "./x/yz.js", "./d/z.js");
    check(exports, "./x/", "./a/x/");
}

#[test]
fn a_target_stays_in_its_package() {
    for bad in
        ["../x", "/x", "x", "./../x", "./a/../x", "./NODE_modules/x", "./%2E%2e/x", "./n%6fde_modules/x"]
    {
        let error = TargetError::InvalidTarget { key: ".".to_owned(), target: bad.to_owned() };
        let exports = target(&format!("\"{bad}\""));
        assert_eq!(select_export(&exports, ".", &conditions()), Err(error));
    }
    for good in ["./.x", "./..x/y", "./node_modules2/x", "./%2x"] {
        check(&format!("\"{good}\""), ".", good);
    }
}

#[test]
fn imports_may_name_packages_and_no_urls() {
    let imports = target(r##"{"#a":"left/x","#n":"node:fs","#d/*":"@s/*/x"}"##);
    let select = |expected| select_import(&imports, expected, &[]);
    assert_eq!(select("#a"), Ok(ResolvedTarget::Bare("left/x".to_owned())));
    assert_eq!(select("#d/e"), Ok(ResolvedTarget::Bare("@s/e/x".to_owned())));
    assert!(matches!(select("#n"), Err(TargetError::InvalidTarget { .. })));
    assert_eq!(select("#b"), Err(TargetError::Undefined));
}
