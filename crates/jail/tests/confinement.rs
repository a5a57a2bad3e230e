//! A jail around real programs: what they may read, write and call.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use rusk_jail::{HostGrants, HostPattern, Jail, NetworkGrant, Policy, SharedRoots, system};
use rusk_spawn::{Command, Exit, Stdio};
use rusk_testkit::project::Project;

/// A package that may write to its own directory only; a file outside.
struct Case {
    project: Project,
    shared: SharedRoots,
}

impl Case {
    fn new() -> Case {
        let project = Project::new();
        std::fs::create_dir_all(project.path().join("package")).unwrap();
        std::fs::write(project.path().join("package/own"), "own").unwrap();
        std::fs::write(project.path().join("secret"), "secret").unwrap();
        let path: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH").unwrap()).collect();
        let root = project.path();
        let surroundings =
            system::Surroundings { path: &path, home: Some(&root), project: &root, private: &[] };
        let shared = SharedRoots::open(&system::readable_roots(&surroundings));
        Case { project, shared }
    }

    fn package(&self) -> PathBuf {
        self.project.path().join("package")
    }

    fn jail(&self, network: NetworkGrant, readable: &[&Path]) -> Jail {
        let readable = readable.iter().map(|path| path.to_path_buf()).collect();
        let policy = Policy { readable, writable: vec![self.package()], network };
        Jail::new(&self.shared, &policy).unwrap()
    }

    /// Whether a shell command exits with 0.
    fn runs(&self, jail: &Jail, line: &str) -> bool {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", line]).current_dir(self.package()).stdin(Stdio::Null);
        command.stdout(Stdio::Null).stderr(Stdio::Null);
        jail.confine(&mut command).unwrap();
        command.spawn().unwrap().wait().unwrap() == Exit::Status(0)
    }
}

#[track_caller]
fn check(allowed: &[&str], denied: &[&str]) {
    let case = Case::new();
    let jail = case.jail(NetworkGrant::None, &[]);
    for line in allowed {
        assert!(case.runs(&jail, line), "allowed: {line}");
    }
    for line in denied {
        assert!(!case.runs(&jail, line), "denied: {line}");
        // The same line works outside, so it is the jail that denies it.
        let outside = std::process::Command::new("/bin/sh")
            .args(["-c", line])
            .current_dir(case.package())
            .output()
            .unwrap();
        assert!(outside.status.success(), "works outside: {line}: {outside:?}");
    }
}

#[test]
fn files_outside_are_neither_read_nor_written() {
    check(
        &[
            "cat own && echo new > new && mkdir dir && mv new dir/ && rm -r dir",
            "ln -s ../secret link && readlink link",
            "ls /usr/bin && cat /proc/cpuinfo && echo x > /dev/null && head -c 1 /dev/urandom",
        ],
        &[
            "cat ../secret",
            "ls ..",
            "echo x > ../new",
            "echo x >> ../secret",
            "mkdir ../dir",
            "ln -s x ../made",
            "ln ../secret stolen",
            "cp own ../copy",
            "ln -sf ../secret way && cat way",
            "truncate -s 1 ../secret",
            "mv own .. ",
        ],
    );
}

#[test]
fn other_processes_are_not_reached() {
    let pid = std::process::id();
    check(
        &["kill -0 $$", "sleep 0 & wait"],
        &[&format!("kill -0 {pid}"), &format!("cat /proc/{pid}/environ"), "setsid true"],
    );
}

#[test]
fn a_grant_allows_what_it_names() {
    let case = Case::new();
    let secret = case.project.path().join("secret");
    assert!(case.runs(&case.jail(NetworkGrant::None, &[&secret]), "cat ../secret"));
    assert!(!case.runs(&case.jail(NetworkGrant::None, &[&secret]), "echo x > ../secret"));
    let missing = case.project.path().join("missing");
    let policy = Policy { readable: vec![missing], ..Policy::default() };
    assert_eq!(Jail::new(&case.shared, &policy).err().unwrap().code(), "no-granted-path");
}

#[test]
fn the_network_needs_a_grant() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let case = Case::new();
    let line = format!("exec 3<>/dev/tcp/127.0.0.1/{port}");
    let line = format!("bash -c '{line}'");
    assert!(!case.runs(&case.jail(NetworkGrant::None, &[]), &line));
    assert!(case.runs(&case.jail(NetworkGrant::All, &[]), &line));
}

/// Accepts a connection on a free port; returns the port.
fn listener() -> (std::net::TcpListener, u16) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

fn hosts(names: &[&str]) -> NetworkGrant {
    let hosts = names.iter().map(|name| HostPattern::parse(name).unwrap()).collect();
    NetworkGrant::Hosts(HostGrants { hosts, resolve: |_| vec!["127.0.0.1".parse().unwrap()] })
}

#[test]
fn a_grant_of_hosts_allows_no_other() {
    let case = Case::new();
    let ((_granted, port), (other, other_port)) = (listener(), listener());
    let jail = case.jail(hosts(&[&format!("granted.test:{port}")]), &[]);
    let connect =
        |host: &str, port: u16| format!("RES_OPTIONS=use-vc bash -c 'exec 3<>/dev/tcp/{host}/{port}'");
    assert!(case.runs(&jail, &connect("granted.test", port)), "by name");
    assert!(case.runs(&jail, &connect("127.0.0.1", port)), "by the address of the name");
    assert!(!case.runs(&jail, &connect("127.0.0.1", other_port)), "another port");
    assert!(!case.runs(&jail, &connect("other.test", port)), "another name");
    assert!(!case.runs(&jail, &connect("::1", port)), "another address");
    other.set_nonblocking(true).unwrap();
    assert!(other.accept().is_err());
    let refused = [format!("127.0.0.1:{other_port}"), "other.test".to_owned(), format!("[::1]:{port}")];
    assert_eq!(jail.refused_hosts(), refused);
    let datagram = format!("bash -c 'echo x > /dev/udp/127.0.0.1/{port}'");
    assert!(!case.runs(&jail, &datagram), "UDP");
}

/// Connects to a port of this machine from a thread of its own; exits with 0 if that worked.
const CLIENT: &str = r#"
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
static struct sockaddr_in address;
static int is_connected;
static void *run(void *how) {
    struct sockaddr *to = (struct sockaddr *)&address;
    socklen_t size = sizeof address;
    int client = socket(AF_INET, SOCK_STREAM, 0);
    if (strcmp(how, "blocking") == 0) {
        is_connected = connect(client, to, size) == 0;
    } else if (strcmp(how, "nonblocking") == 0) {
        struct pollfd polled = {client, POLLOUT, 0};
        fcntl(client, F_SETFL, O_NONBLOCK);
        connect(client, to, size);
        poll(&polled, 1, -1);
        is_connected = getpeername(client, to, &size) == 0;
    } else {
        is_connected = sendto(client, "x", 1, 0x20000000, to, size) == 1;
    }
    return NULL;
}
int main(int count, char **words) {
    pthread_t thread;
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(atoi(words[count - 1]));
    pthread_create(&thread, NULL, run, words[1]);
    pthread_join(thread, NULL);
    return !is_connected;
}
"#;

#[test]
fn connections_of_threads_and_without_blocking_are_supervised() {
    let case = Case::new();
    let (source, program) = (case.package().join("client.c"), case.package().join("client"));
    std::fs::write(&source, CLIENT).unwrap();
    let mut compiler = std::process::Command::new("cc");
    assert!(compiler.arg("-pthread").arg("-o").arg(&program).arg(&source).status().unwrap().success());
    let (_granted, port) = listener();
    let jail = case.jail(hosts(&[&format!("127.0.0.1:{port}")]), &[]);
    assert!(case.runs(&jail, &format!("./client blocking {port}")));
    assert!(case.runs(&jail, &format!("./client nonblocking {port}")));
    let (_other, port) = listener();
    assert!(!case.runs(&jail, &format!("./client blocking {port}")));
    assert!(!case.runs(&jail, &format!("./client fast-open {port}")), "TCP Fast Open");
}

#[test]
fn privileges_are_gone() {
    check(&["grep -q 'NoNewPrivs:.*1' /proc/self/status", "grep -q 'Seccomp:.*2' /proc/self/status"], &[]);
    let case = Case::new();
    let line = "read -r _ set < /dev/stdin";
    let jail = case.jail(NetworkGrant::None, &[]);
    assert!(
        case.runs(&jail, &format!("grep CapEff /proc/self/status | ({line}; test $((0x$set & ~10)) = 0)"))
    );
}

/// Processor time of this process and its children, in ticks of 10 ms.
fn processor_ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields = stat.rsplit(") ").next().unwrap().split(' ');
    fields.skip(11).take(4).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}

/// Prints what a jail costs: `cargo test -p rusk-jail --release -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn cost_of_a_jail() {
    const ROUNDS: u32 = 2000;
    let case = Case::new();
    let start = |is_jailed: bool| {
        let (begin, ticks) = (Instant::now(), processor_ticks());
        for _ in 0..ROUNDS {
            let mut command = Command::new("/bin/true");
            command.stdin(Stdio::Null);
            if is_jailed {
                case.jail(NetworkGrant::None, &[]).confine(&mut command).unwrap();
            }
            assert_eq!(command.spawn().unwrap().wait().unwrap(), Exit::Status(0));
        }
        let processor_us = (processor_ticks() - ticks) * 10_000 / u64::from(ROUNDS);
        format!("{:?} ({processor_us} us of processor)", begin.elapsed() / ROUNDS)
    };
    for _ in 0..4 {
        println!("free {}, jailed {}", start(false), start(true));
    }
}
