//! `rusk x` among other runs: killed, at the same time, without a network, under its other name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Instant;

use rusk_testkit::project::Project;
use rusk_testkit::registry::{Package, Server};

/// Kills, spread over the time that an install takes.
const KILLS: u32 = 12;

/// A program that needs twenty packages, each of which has to say its word.
fn server() -> Server {
    let names: Vec<String> = (0..20).map(|number| format!("word{number}")).collect();
    let dependencies: Vec<String> = names.iter().map(|name| format!(r#""{name}": "1.0.0""#)).collect();
    let say = format!(
        r##"{{ "bin": "say.sh", "dependencies": {{ {} }},
            "+files": {{ "say.sh": "#!/bin/sh\ncat \"${{0%/.bin/say}}\"/word*/word\nprintf '<%s>' \"$@\"" }} }}"##,
        dependencies.join(", ")
    );
    let word = |name: &String| Package::new(name).version("1.0.0", r#"{ "+files": { "word": "." } }"#);
    Server::start(names.iter().map(word).chain([Package::new("say").version("1.0.0", &say)]))
}

/// What `say a b` says when all of it is there.
const SAID: &str = "....................<a><b>";

fn start(program: &Path, arguments: &[&str], project: &Project, url: &str) -> Child {
    Command::new(program)
        .args(arguments)
        .current_dir(project.path())
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", project.home())
        .env("npm_config_registry", url)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn say(project: &Project, url: &str) -> Child {
    start(Path::new(env!("CARGO_BIN_EXE_rusk")), &["x", "--silent", "say", "a", "b"], project, url)
}

#[track_caller]
fn check_output(child: Child) {
    let Output { status, stdout, stderr } = child.wait_with_output().expect("a child");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!((text(&stdout), text(&stderr)), (SAID.to_owned(), String::new()));
    assert!(status.success());
}

/// Directories in the cache that hold a project, and records of installs that lead to one.
fn leftovers(project: &Project) -> (usize, usize) {
    let folders = |path: PathBuf| {
        let entries = path.read_dir().into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect::<Vec<_>>()
    };
    let cache = project.home().join(".cache/rusk");
    let shelves = folders(cache.join("x"));
    let records = cache.join("projects").read_dir().expect("records").flatten();
    let records =
        records.filter(|entry| entry.path().extension().is_none_or(|extension| extension != "lock"));
    // What is kept of one install has one name, with several endings.
    let installs: BTreeSet<_> = records.map(|entry| entry.path().with_extension("")).collect();
    (shelves.into_iter().flat_map(folders).count(), installs.len())
}

#[test]
fn a_killed_run_leaves_nothing_half_made() {
    let server = server();
    let project = Project::in_memory();
    let started = Instant::now();
    check_output(say(&project, server.url()));
    let time = started.elapsed();
    for number in 0..KILLS {
        let project = Project::in_memory();
        let mut killed = say(&project, server.url());
        std::thread::sleep(time * number / KILLS);
        // It may have ended by itself.
        let _ = killed.kill();
        killed.wait().expect("a child");
        check_output(say(&project, server.url()));
        assert_eq!(leftovers(&project), (1, 1), "kill {number}");
    }
}

#[test]
fn runs_at_the_same_time_do_not_harm_each_other() {
    let server = server();
    let project = Project::in_memory();
    let runs = [(); 6].map(|()| say(&project, server.url()));
    runs.into_iter().for_each(check_output);
    assert_eq!(leftovers(&project), (1, 1));
}

#[test]
fn the_second_time_needs_no_network() {
    let server = server();
    let project = Project::in_memory();
    let url = server.url().to_owned();
    check_output(say(&project, &url));
    drop(server);
    check_output(say(&project, &url));
}

#[test]
fn a_program_named_ruskx_is_rusk_x() {
    let server = server();
    let project = Project::in_memory();
    let other = project.path().join("ruskx");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_rusk"), &other).expect("a link");
    check_output(start(&other, &["--silent", "say", "a", "b"], &project, server.url()));
    let help = start(&other, &["--help"], &project, server.url()).wait_with_output().expect("a child");
    assert!(String::from_utf8_lossy(&help.stdout).contains("Usage: rusk x "));
}

#[test]
fn a_program_named_node_has_its_version() {
    let project = Project::in_memory();
    let other = project.path().join("node");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_rusk"), &other).expect("a link");
    let print = |arguments: &[&str]| {
        let output = std::process::Command::new(&other).args(arguments).output().expect("a child");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let version = print(&["-p", "process.version"]);
    assert_eq!(print(&["--version"]), version);
    assert_eq!(print(&["-v"]), version);
    assert!(version.starts_with('v'), "{version}");
}
