//! URLs of tarballs, as registries write them and as a poisoned lockfile does.

use super::*;

#[track_caller]
fn check(registry: &str, name: &str, tarball: &str, expected: bool) {
    let name = PackageName::parse(name).expect("a name");
    assert_eq!(is_at_registry(tarball, registry, &name), expected, "{tarball}");
}

#[test]
fn registries_have_tarballs_below_the_name() {
    let registry = "https://registry.test/";
    check(registry, "left", "https://registry.test/left/-/left-1.0.0.tgz", true);
    check(registry, "left", "https://registry.test:443/left/-/left-1.0.0.tgz?a=b", true);
    check(registry, "@scope/left", "https://registry.test/@scope/left/-/left-1.0.0.tgz", true);
    check(registry, "@scope/left", "https://registry.test/@scope%2fleft/-/left-1.0.0.tgz", true);
    check(registry, "@scope/left", "https://registry.test/download/@scope/left/1.0.0/0a1b", true);
    check("http://127.0.0.1:1/npm", "left", "http://127.0.0.1:1/npm/left/-/left-1.0.0.tgz", true);
    check("http://127.0.0.1:1/npm/", "left", "https://127.0.0.1:1/npm/left/-/left-1.0.0.tgz", true);
}

#[test]
fn another_place_is_not_the_packages() {
    let registry = "https://registry.test/npm/";
    for tarball in [
        "https://other.test/npm/left/-/left-1.0.0.tgz",
        "https://registry.test:8443/npm/left/-/left-1.0.0.tgz",
        "http://registry.test/npm/left/-/left-1.0.0.tgz",
        "https://registry.test/npm/mimic/-/mimic-1.0.0.tgz",
        "https://registry.test/npm/left/-/../../mimic/-/mimic-1.0.0.tgz",
        "https://registry.test/npm/left/-/%2e%2e/%2e%2e/mimic/-/mimic-1.0.0.tgz",
        "https://registry.test/npm/left/..%5cmimic.tgz/../../mimic",
        "https://registry.test/npm/@evil/left/-/left-1.0.0.tgz",
        "https://registry.test/npm/left-pad/-/left-1.0.0.tgz",
        "https://registry.test/npm/mimic/-/m.tgz?/npm/left/-/left-1.0.0.tgz",
        "https://registry.test/other/left/-/left-1.0.0.tgz",
        "https://registry.test\\@other.test/npm/left/-/left-1.0.0.tgz",
        "https://registry.test@other.test/npm/left/-/left-1.0.0.tgz",
        "left",
        "",
    ] {
        check(registry, "left", tarball, false);
    }
}
