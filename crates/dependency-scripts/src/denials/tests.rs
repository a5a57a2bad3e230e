//! Tests of denials in a script's output: lines as programs print them.

use super::*;

fn found(output: &str, is_network_known: bool) -> Vec<Denial> {
    let is_allowed = |path: &Path| path.starts_with("/app/node_modules/own") || path.starts_with("/usr");
    let directory = Path::new("/app/node_modules/own");
    find(output, &Surroundings { directory, is_allowed: &is_allowed, is_network_known })
}

#[track_caller]
fn check(line: &str, expected: &[Denial]) {
    assert_eq!(found(line, false), expected, "{line}");
}

#[test]
fn paths_are_named() {
    let read = |path: &str| [Denial::Read(path.into())];
    let write = |path: &str| [Denial::Write(path.into())];
    let create = |path: &str| [Denial::Create(path.into())];
    check("Error: EACCES: permission denied, open '/home/me/.npmrc'", &read("/home/me/.npmrc"));
    check("cat: /home/me/.ssh/id_rsa: Permission denied", &read("/home/me/.ssh/id_rsa"));
    check("Error: EACCES: permission denied, mkdir '/home/me/.cache/x'", &write("/home/me/.cache/x"));
    check("/bin/sh: 1: cannot create /app/evil: Permission denied", &create("/app/evil"));
    check("write.sh: 1: cannot create /app/evil: Permission denied", &create("/app/evil"));
    check("touch: cannot touch '/app/evil': Permission denied", &create("/app/evil"));
    check("cat: ../../.env: Permission denied", &read("/app/.env"));
    check("sh: 1: cannot create ../../made: Permission denied", &create("/app/made"));
    check("mkdir: cannot create directory \u{2018}/opt/x\u{2019}: Permission denied", &write("/opt/x"));
    check("cat: ../own/x: Permission denied", &[]);
    check("cat: ../../../../../../x/y: Permission denied", &read("/x/y"));
    check("open '/app/node_modules/own/x' EACCES", &[]);
    check("everything is fine in /home/me", &[]);
}

#[test]
fn hosts_are_named() {
    let host = |name: &str| [Denial::Network(name.to_owned())];
    check("Error: getaddrinfo EAI_AGAIN registry.test", &host("registry.test"));
    check("curl: (6) Could not resolve host: downloads.test", &host("downloads.test"));
    check("wget: unable to resolve host address \u{2018}downloads.test\u{2019}", &host("downloads.test"));
    check("urlopen error [Errno -3] Temporary failure in name resolution", &host(""));
    check("Error: bind EACCES 0.0.0.0", &host(""));
    check("Error: bind EACCES 0.0.0.0\nError: getaddrinfo EAI_AGAIN registry.test", &host("registry.test"));
    assert_eq!(found("getaddrinfo EAI_AGAIN registry.test", true), []);
    assert_eq!(found("connect EACCES 127.0.0.1:80", true), []);
}

#[test]
fn addresses_are_named_with_their_ports() {
    let host = |name: &str| [Denial::Network(name.to_owned())];
    check("Error: connect EACCES 127.0.0.1:80 - Local (undefined:undefined)", &host("127.0.0.1:80"));
    check("Error: connect EACCES ::1:80 - Local (undefined:undefined)", &host("[::1]:80"));
    check(
        "curl: (7) Failed to connect to 192.0.2.1 port 443 after 0 ms: Couldn't connect to server",
        &host("192.0.2.1:443"),
    );
    check("Connecting to 192.0.2.1:443... failed: Permission denied.", &host("192.0.2.1:443"));
    check("bash: line 1: /dev/tcp/127.0.0.1/4873: Permission denied", &host("127.0.0.1:4873"));
    check("bash: line 1: /dev/udp/127.0.0.1/53: Permission denied", &host(""));
    check("Failed to connect to  port 99999", &[]);
}

#[test]
fn a_unix_socket_is_no_host() {
    check("connect EACCES /run/x.sock", &[Denial::Socket("/run/x.sock".into())]);
}
