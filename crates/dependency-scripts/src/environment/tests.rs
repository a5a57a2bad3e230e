//! Tests of the environment of dependencies' scripts.

use super::*;

#[test]
fn secrets_are_not_passed_on() {
    let variable = |(name, value): (&str, &str)| (OsString::from(name), OsString::from(value));
    let given = [
        ("PATH", "/bin"),
        ("LC_ALL", "C"),
        ("NPM_TOKEN", "secret"),
        ("npm_config__auth", "secret"),
        ("npm_config_//registry.test/:_authToken", "secret"),
        ("npm_config_arch", "arm64"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("SSH_AUTH_SOCK", "/tmp/agent"),
        ("NODE_OPTIONS", "--require /tmp/x.js"),
        ("LD_PRELOAD", "/tmp/x.so"),
        ("HTTPS_PROXY", "http://user:secret@proxy.test"),
        ("HTTP_PROXY", "http://proxy.test"),
    ];
    let names = |has_network| {
        let passed = passed_on(&given.map(variable), has_network);
        passed.into_iter().map(|(name, _)| name.into_string().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(names(false), ["PATH", "LC_ALL", "npm_config_arch"]);
    assert_eq!(names(true), ["PATH", "LC_ALL", "npm_config_arch", "HTTP_PROXY"]);
}
