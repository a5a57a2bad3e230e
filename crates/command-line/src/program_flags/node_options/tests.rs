//! What NODE_OPTIONS begins a program with.

use rusk_runtime::PreloadKind;

use super::NodeOptions;

fn check(text: &str, preloads: &[(PreloadKind, &str)], conditions: &[&str]) {
    let options = NodeOptions::parse(text).expect(text);
    let found: Vec<_> =
        options.preloads.iter().map(|preload| (preload.kind, preload.name.as_str())).collect();
    assert_eq!(found, preloads, "{text}");
    assert_eq!(options.conditions, conditions, "{text}");
}

#[test]
fn what_is_loaded_first_is_taken() {
    check("", &[], &[]);
    check("--no-warnings  --title=x", &[], &[]);
    check("--require ./a.js", &[(PreloadKind::Require, "./a.js")], &[]);
    check("--import=b --loader c", &[(PreloadKind::Import, "b"), (PreloadKind::Hooks, "c")], &[]);
    check("-r \"/a b/\\\"c\\\"\" -C dev", &[(PreloadKind::Require, "/a b/\"c\"")], &["dev"]);
    check("--report-on-signal --title=x", &[(PreloadKind::Internal, "internal/process/report")], &[]);
    // The value of another flag is no flag.
    check("--title --require", &[], &[]);
}

#[test]
fn limits_and_missing_values_are_refused() {
    let code = |text| NodeOptions::parse(text).expect_err(text).code().to_owned();
    assert_eq!(code("--no-warnings --permission=1"), "no-permissions");
    assert_eq!(code("--require"), "value-missing");
}
