//! Hostile packages whose scripts are approved: each attack is tried and contained. A case is a
//! script that exits with 0 if its attack worked. Nothing outside its directory changes.

use std::collections::BTreeMap;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::path::Path;
use std::time::Duration;

use rusk_testkit::project::Project;
use rusk_testkit::registry::{Package, Server};

use super::{request, run};

/// The attacks: a name, and the commands of a shell, in the package's directory. `@HOME@`,
/// `@PROJECT@`, `@PORT@` and `@PID@` (of the installer) stand for values of the run.
const ATTACKS: &[(&str, &str)] = &[
    ("read ~/.npmrc", "cat @HOME@/.npmrc"),
    ("read ~/.ssh", "cat @HOME@/.ssh/id_rsa"),
    ("list the home", "ls @HOME@/"),
    ("read .env of the project", "cat @PROJECT@/.env"),
    ("read .git of the project", "cat @PROJECT@/.git/config"),
    ("list the project", "ls @PROJECT@/"),
    ("read the secret by a relative path", "cat ../../.env"),
    ("read the secret through a symbolic link", "ln -s @HOME@/.npmrc way && cat way"),
    ("read the secret through /proc/self/root", "cat /proc/self/root@HOME@/.npmrc"),
    ("read the secret through /proc/self/cwd", "cat /proc/self/cwd/../../.env"),
    ("hard-link the secret into its folder", "ln @HOME@/.npmrc stolen && cat stolen"),
    ("move the secret into its folder", "mv @HOME@/.npmrc stolen"),
    ("read /etc/shadow", "cat /etc/shadow"),
    ("a token in the environment", "env | grep -q a-secret-token"),
    ("the environment of the installer", "cat /proc/@PID@/environ"),
    ("the memory of the installer", "head -c 1 /proc/@PID@/mem"),
    ("the open files of the installer", "readlink /proc/@PID@/fd/0 || readlink /proc/@PID@/fd/1"),
    ("inherited file descriptors", "test -e /proc/self/fd/3 || test -e /proc/self/fd/4"),
    ("standard input of the user", "read -r line"),
    ("the terminal", "echo x > /dev/tty"),
    ("write to the project", "echo x > @PROJECT@/evil"),
    ("write to package.json", "echo {} > @PROJECT@/package.json"),
    ("write to the lockfile", "echo {} >> @PROJECT@/bun.lock"),
    ("write to the home", "echo x >> @HOME@/.bashrc"),
    ("write to another package", "echo evil > ../victim/index.js"),
    ("add a file to another package", "touch ../victim/added"),
    ("replace another package", "rm -rf ../victim && mkdir ../victim"),
    ("rename another package", "mv ../victim ./victim"),
    ("add a program to node_modules/.bin", "mkdir -p ../.bin && ln -s ../evil/x ../.bin/node"),
    ("plant a package in node_modules", "mkdir ../planted"),
    ("write through a symbolic link", "ln -s @PROJECT@/evil way && echo x > way"),
    (
        "race with a symbolic link",
        "mkdir d; i=0; while [ $i -lt 50 ]; do ln -sfn @PROJECT@ d/l; echo x > d/l/evil && exit 0; rm -rf d/l; i=$((i+1)); done; exit 1",
    ),
    ("truncate a file outside", "truncate -s 0 @PROJECT@/.env"),
    ("remove a file outside", "rm -f @PROJECT@/.env && ! test -e @PROJECT@/.env"),
    ("make a directory in the temporary directory of all", "mkdir /tmp/rusk-evil-@PID@"),
    ("write to shared memory", "echo x > /dev/shm/rusk-evil-@PID@"),
    ("write to the record of installed packages", "echo x > ../.rusk/installed"),
    (
        "write to the store",
        "find @HOME@/.cache -name '*' -type f -exec sh -c 'echo x >> {}' ';' 2>/dev/null; grep -rq evil @HOME@/.cache",
    ),
    ("a device", "mknod device b 1 1"),
    ("connect by TCP", "bash -c 'exec 3<>/dev/tcp/127.0.0.1/@PORT@'"),
    ("send by UDP", "bash -c 'echo secret > /dev/udp/127.0.0.1/@UDP@'"),
    ("kill the installer", "kill -0 @PID@"),
    ("leave its process group", "setsid true"),
    ("a user namespace", "unshare -U true"),
    ("a network namespace", "unshare -n true"),
    ("mount", "mount -t tmpfs none ."),
    ("change the root", "chroot . true"),
    ("regain privileges", "! grep -q 'NoNewPrivs:.*1' /proc/self/status"),
    ("run without the filter", "! grep -q 'Seccomp:.*2' /proc/self/status"),
];

/// Attacks that need system calls: Python where a shell cannot.
const CALLS: &[(&str, &str)] = &[
    (
        "connect to a Unix socket",
        "import socket; s = socket.socket(socket.AF_UNIX); s.connect('@HOME@/socket')",
    ),
    (
        "connect to an abstract socket",
        "import socket; s = socket.socket(socket.AF_UNIX); s.connect('\\0rusk-evil')",
    ),
    (
        "send from a pair of sockets",
        "import socket; a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.sendto(b'secret', '@HOME@/datagrams')",
    ),
    ("a raw socket", "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)"),
    ("a netlink socket", "import socket; socket.socket(16, 3, 0)"),
    ("trace the installer", "import ctypes; c = ctypes.CDLL(None); exit(c.ptrace(16, @PID@, 0, 0) != 0)"),
    (
        "read the installer's memory by process_vm_readv",
        "import ctypes, errno; c = ctypes.CDLL(None, use_errno=True); c.process_vm_readv(@PID@, None, 0, None, 0, 0); exit(ctypes.get_errno() == errno.EPERM)",
    ),
    (
        "io_uring",
        "import ctypes; c = ctypes.CDLL(None); b = ctypes.create_string_buffer(512); exit(c.syscall(425, 8, b) < 0)",
    ),
    (
        "BPF",
        "import ctypes; c = ctypes.CDLL(None); b = ctypes.create_string_buffer(128); exit(c.syscall(321, 0, b, 128) < 0)",
    ),
    ("userfaultfd", "import ctypes; c = ctypes.CDLL(None); exit(c.syscall(323, 0) < 0)"),
    ("the kernel's keys", "import ctypes; c = ctypes.CDLL(None); exit(c.syscall(250, 0, -3, 0) < 0)"),
    (
        "performance events",
        "import ctypes; c = ctypes.CDLL(None); b = ctypes.create_string_buffer(128); exit(c.syscall(298, b, 0, -1, -1, 0) < 0)",
    ),
    ("System V shared memory", "import ctypes; c = ctypes.CDLL(None); exit(c.shmget(0, 4096, 0o1600) < 0)"),
    (
        "set the owner of a file outside",
        "import os; os.chown('@HOME@/.npmrc', 1, 1); exit(os.stat('@HOME@/.npmrc').st_uid != 1)",
    ),
    ("set an attribute of a file outside", "import os; os.setxattr('@HOME@/.npmrc', 'user.evil', b'x')"),
    ("make a program with the rights of its owner", "import os; os.chmod('attack.sh', 0o4755)"),
    ("limits of the installer", "import resource; resource.prlimit(@PID@, resource.RLIMIT_CORE, (0, 0))"),
];

/// What attacks want to reach.
struct Victim {
    project: Project,
    server: Server,
    tcp: TcpListener,
    udp: UdpSocket,
    _stream: UnixListener,
    datagrams: UnixDatagram,
}

impl Victim {
    fn new(attack: &str) -> Victim {
        let project = Project::new();
        let home = project.home();
        fs::create_dir_all(home.join(".ssh")).expect("works on this machine");
        for file in [".npmrc", ".ssh/id_rsa", ".bashrc"] {
            fs::write(home.join(file), "a secret").expect("works on this machine");
        }
        project.write(".env", "SECRET=1").write(".git/config", "[remote]");
        project.write("package.json", MANIFEST);
        let tcp = TcpListener::bind("127.0.0.1:0").expect("works on this machine");
        let udp = UdpSocket::bind("127.0.0.1:0").expect("works on this machine");
        udp.set_read_timeout(Some(Duration::from_millis(1))).expect("works on this machine");
        let attack = attack
            .replace("@HOME@", &home.display().to_string())
            .replace("@PROJECT@", &project.path().display().to_string())
            .replace("@PORT@", &tcp.local_addr().expect("works on this machine").port().to_string())
            .replace("@UDP@", &udp.local_addr().expect("works on this machine").port().to_string())
            .replace("@PID@", &std::process::id().to_string());
        let mut files = String::new();
        rusk_npm_quote(&mut files, &attack);
        let evil = format!(
            r#"{{ "scripts": {{ "install": "sh attack.sh" }}, "+files": {{ "attack.sh": {files} }} }}"#
        );
        let server = Server::start([
            Package::new("evil").version("1.0.0", &evil),
            Package::new("victim").version("1.0.0", "{}"),
        ]);
        let _stream = UnixListener::bind(home.join("socket")).expect("works on this machine");
        let datagrams = UnixDatagram::bind(home.join("datagrams")).expect("works on this machine");
        datagrams.set_read_timeout(Some(Duration::from_millis(1))).expect("works on this machine");
        Victim { project, server, tcp, udp, _stream, datagrams }
    }

    /// Everything outside of the package's directory: contents, modes, links.
    fn state(&self) -> BTreeMap<String, (String, u32)> {
        let mut state = BTreeMap::new();
        for top in [self.project.path(), self.project.home()] {
            collect(&top, &self.project.path().join("node_modules/evil"), &mut state);
        }
        state
    }
}

const MANIFEST: &str =
    r#"{ "dependencies": { "evil": "1", "victim": "1" }, "trustedDependencies": ["evil"] }"#;

fn rusk_npm_quote(out: &mut String, text: &str) {
    rusk_npm::json::quote_into(out, text);
}

fn collect(dir: &Path, except: &Path, state: &mut BTreeMap<String, (String, u32)>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        let found = path.symlink_metadata().expect("works on this machine");
        // The record of installed packages is of the install itself, as the lock of the project.
        if path == except || path.ends_with(".rusk") || path.ends_with("projects") {
            continue;
        }
        let content = if found.is_file() {
            String::from_utf8_lossy(&fs::read(&path).expect("works on this machine")).into_owned()
        } else {
            fs::read_link(&path).map(|target| target.display().to_string()).unwrap_or_default()
        };
        state.insert(path.display().to_string(), (content, found.mode()));
        if found.is_dir() {
            collect(&path, except, state);
        }
    }
}

#[track_caller]
fn check(name: &str, attack: &str) {
    let victim = Victim::new(attack);
    // Everything but the script: what a hostile script must leave alone.
    let without =
        rusk_install::InstallRequest { scripts: rusk_install::request::Scripts::Ignore, ..request() };
    run(&victim.project, &victim.server, &without).unwrap_or_else(|problem| panic!("{name}: {problem}"));
    let before = victim.state();
    let outcome = run(&victim.project, &victim.server, &request());
    let after = victim.state();
    for (path, content) in &before {
        assert_eq!(after.get(path), Some(content), "{name}: {path} changed");
    }
    let added: Vec<&String> = after.keys().filter(|path| !before.contains_key(*path)).collect();
    assert!(added.is_empty(), "{name}: {added:?} was added");
    let problem = match outcome {
        Err(problem) => problem,
        Ok(_) => panic!("{name}: the attack worked"),
    };
    assert_eq!(problem.code(), "script-failed", "{name}: {problem}");
    victim.tcp.set_nonblocking(true).expect("works on this machine");
    assert!(victim.tcp.accept().is_err(), "{name}: connected");
    assert!(victim.udp.recv(&mut [0; 16]).is_err(), "{name}: sent by UDP");
    assert!(victim.datagrams.recv(&mut [0; 16]).is_err(), "{name}: sent a datagram");
}

#[test]
fn attacks_by_commands_are_contained() {
    ATTACKS.iter().for_each(|(name, attack)| check(name, attack));
}

#[test]
fn attacks_by_system_calls_are_contained() {
    for (name, attack) in CALLS {
        let mut quoted = String::new();
        attack.chars().for_each(|character| match character {
            '\'' => quoted.push_str("'\\''"),
            character => quoted.push(character),
        });
        check(name, &format!("python3 -c '{quoted}'"));
    }
}

#[test]
fn a_process_does_not_outlive_its_script() {
    let victim = Victim::new(
        "(trap '' HUP TERM; while :; do sleep 0.05; echo x >> alive; done) >/dev/null 2>&1 & sleep 0.2; exit 0",
    );
    run(&victim.project, &victim.server, &request()).unwrap_or_else(|problem| panic!("{problem}"));
    let alive = victim.project.path().join("node_modules/evil/alive");
    let bytes = || fs::metadata(&alive).map_or(0, |found| found.len());
    let before = bytes();
    assert!(before > 0, "it was alive during the script");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(bytes(), before, "it is dead after the script");
}
