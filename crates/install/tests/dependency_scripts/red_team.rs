//! Hostile packages whose scripts are approved: each attack is tried and contained. A case is a
//! script that exits with 0 if its attack worked. Nothing outside its directory changes.

use std::collections::BTreeMap;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::path::Path;
use std::time::Duration;

use rusk_npm::json::{self, Dialect, Node};
use rusk_testkit::project::Project;
use rusk_testkit::registry::{Package, Server};

use super::{request, run};

/// A case of `fixtures/attacks.json`: the commands of a shell, in the package's directory, or a
/// program for Python where a shell cannot make the calls. `@HOME@`, `@PROJECT@`, `@PORT@`, `@UDP@`
/// and `@PID@` (of the installer) stand for values of the run.
struct Attack {
    name: String,
    commands: String,
}

fn attacks() -> Vec<Attack> {
    let text = include_str!("../../../../fixtures/attacks.json");
    let root = json::parse(text, Dialect::Strict).expect("the attacks are JSON");
    let text_of = |node: &Node<'_>, key: &str| node.find(key).and_then(Node::as_str).map(str::to_owned);
    let attack = |node: &Node<'_>| {
        let python = || text_of(node, "python").map(|program| format!("python3 -c {}", quoted(&program)));
        let commands = text_of(node, "shell").or_else(python).expect("an attack has commands");
        Attack { name: text_of(node, "name").expect("an attack has a name"), commands }
    };
    root.elements().iter().map(attack).collect()
}

/// For a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

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
        rusk_install::InstallRequest { scripts: rusk_configuration::request::Scripts::Ignore, ..request() };
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
fn attacks_are_contained() {
    let attacks = attacks();
    assert!(attacks.len() >= 66, "{} attacks", attacks.len());
    attacks.iter().for_each(|attack| check(&attack.name, &attack.commands));
}

#[test]
fn a_process_does_not_outlive_its_script() {
    let victim = Victim::new(
        "(trap '' HUP TERM; while :; do sleep 0.05; echo x >> alive; done) >/dev/null 2>&1 & \
         until test -s alive; do sleep 0.01; done",
    );
    run(&victim.project, &victim.server, &request()).unwrap_or_else(|problem| panic!("{problem}"));
    let alive = victim.project.path().join("node_modules/evil/alive");
    let bytes = || fs::metadata(&alive).map_or(0, |found| found.len());
    let before = bytes();
    assert!(before > 0, "it was alive during the script");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(bytes(), before, "it is dead after the script");
}
