//! Which files refer to a volatile environment variable.

use std::path::Path;

use super::ConfigurationInputs;

#[track_caller]
fn check(text: &str, uses_volatile: bool) {
    let mut inputs = ConfigurationInputs::default();
    inputs.add_file(Path::new("/.npmrc"), text);
    assert_eq!(inputs, ConfigurationInputs { files: vec!["/.npmrc".into()], uses_volatile }, "{text}");
}

#[test]
fn a_volatile_variable_is_noticed() {
    check("cache=${PWD}/cache", true);
    check("cache=$PWD/cache", true);
    check("a=${HOME}\nb=${SHLVL?}", true);
    check("a=$PWD", true);
    check("a=${HOME}/PWD", false);
    check("a=$PWDX", false);
    check("price=5$", false);
}
