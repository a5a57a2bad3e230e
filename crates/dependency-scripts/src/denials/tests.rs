//! Tests of denials in a script's output: lines as programs print them.

use super::*;

#[track_caller]
fn check(line: &str, expected: &[Denial]) {
    let is_allowed = |path: &Path| path.starts_with("/app/node_modules/own") || path.starts_with("/usr");
    assert_eq!(find(line, &is_allowed, false), expected, "{line}");
}

#[test]
fn paths_are_named() {
    let read = |path: &str| [Denial::Read(path.into())];
    let write = |path: &str| [Denial::Write(path.into())];
    check("Error: EACCES: permission denied, open '/home/me/.npmrc'", &read("/home/me/.npmrc"));
    check("cat: /home/me/.ssh/id_rsa: Permission denied", &read("/home/me/.ssh/id_rsa"));
    check("Error: EACCES: permission denied, mkdir '/home/me/.cache/x'", &write("/home/me/.cache/x"));
    check("/bin/sh: 1: cannot create /app/evil: Permission denied", &write("/app/evil"));
    check("touch: cannot touch '/app/evil': Permission denied", &write("/app/evil"));
    check("open '/app/node_modules/own/x' EACCES", &[]);
    check("everything is fine in /home/me", &[]);
}

#[test]
fn hosts_are_named() {
    let host = |name: &str| [Denial::Network(name.to_owned())];
    check("Error: getaddrinfo EAI_AGAIN registry.test", &host("registry.test"));
    check("curl: (6) Could not resolve host: downloads.test", &host("downloads.test"));
    check("Error: connect EACCES 127.0.0.1:80", &host(""));
    check(
        "Error: connect EACCES 1.2.3.4:80\nError: getaddrinfo EAI_AGAIN registry.test",
        &host("registry.test"),
    );
    assert_eq!(find("getaddrinfo EAI_AGAIN registry.test", &|_| false, true), []);
}
