//! Tests of the environment of dependencies' scripts.

use super::*;

#[test]
fn switches_are_passed_on() {
    let check = |name: &str, value: &str, passed: usize| {
        let given = [(OsString::from(name), OsString::from(value))];
        assert_eq!(passed_on(&given, false).len(), passed, "{name}={value}");
    };
    check("PUPPETEER_SKIP_DOWNLOAD", "true", 1);
    check("CYPRESS_INSTALL_BINARY", "0", 1);
    check("PIN", "11", 0);
    check("PUPPETEER_CACHE_DIR", "/tmp/cache", 0);
}

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
