//! Which texts name a variable that passes.

use std::path::Path;

use super::Noted;

#[track_caller]
fn check(text: &str, names_passing: bool) {
    let mut noted = Noted::default();
    noted.read(Path::new("/.npmrc"), text);
    assert_eq!(noted, Noted { files: vec!["/.npmrc".into()], names_passing }, "{text}");
}

#[test]
fn a_variable_that_passes_is_seen() {
    check("cache=${PWD}/cache", true);
    check("cache=$PWD/cache", true);
    check("a=${HOME}\nb=${SHLVL?}", true);
    check("a=$PWD", true);
    check("a=${HOME}/PWD", false);
    check("a=$PWDX", false);
    check("price=5$", false);
}
