//! `.yarnrc` of Yarn 1.

use rusk_npm::npmrc::Layer;

use super::*;

fn check(text: &str, expected: &[(&str, &str)]) {
    let variables = [("HOST".to_owned(), "one.test".to_owned())].into();
    let layer = parse(text, &variables).layer;
    let mut wanted = Layer::default();
    expected.iter().for_each(|(key, value)| wanted.set(*key, *value));
    assert!(layer == wanted, "{:?}", layer.keys().map(|key| (key, layer.one(key))).collect::<Vec<_>>());
}

#[test]
fn lines_have_a_key_and_a_value() {
    check("registry \"https://one.test/\"", &[("registry", "https://one.test/")]);
    check("# comment\n\nregistry https://${HOST}/\n", &[("registry", "https://one.test/")]);
    check("\"@s:registry\" \"https://two.test\"", &[("@s:registry", "https://two.test")]);
    check("network-timeout 60000\nsave-prefix \"~\"", &[("fetch-timeout", "60000"), ("save-prefix", "~")]);
    check("lastUpdateCheck 1700000000\nyarn-path \".yarn/yarn.js\"", &[]);
}

#[test]
fn flags_of_installs_are_settings() {
    check("--install.production true", &[("production", "true")]);
    check("--install.frozen-lockfile", &[("frozen-lockfile", "true")]);
    check("--*.ignore-scripts true\n--add.exact true", &[("ignore-scripts", "true"), ("save-exact", "true")]);
    check("--install.ignore-optional true", &[("omit", "optional")]);
    check("--install.ignore-optional false\n--run.production true", &[]);
}
