//! Up-to-date check: an unchanged project is recognized by `stat` alone, and a changed one is
//! installed again.

use std::collections::BTreeMap;
use std::fs;
use std::os::fd::AsFd;
use std::path::Path;

use rusk_configuration::request::{Goal, Linker, Omit};
use rusk_install::event::{InstallEvent, Phase, Reporter};
use rusk_install::{HostEnvironment, InstallRequest, install};
use rusk_testkit::project::Project;
use rusk_testkit::registry::{Package, Server};

/// Runs until nothing may have changed within the last step of the clock; each takes some
/// milliseconds.
const RUNS_MAX: usize = 1_000;

/// How an install got its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Check {
    UpToDate,
    Full,
}

struct PhaseObserver(Check);

impl Reporter for PhaseObserver {
    fn on_event(&mut self, event: InstallEvent<'_>) {
        if event == InstallEvent::Phase(Phase::Resolve) {
            self.0 = Check::Full;
        }
    }
}

fn server() -> Server {
    let inner = Package::new("inner").version("1.0.0", "{}").version("2.0.0", "{}");
    let outer =
        r##"{ "dependencies": { "inner": "2" }, "bin": "cli.sh", "+files": { "cli.sh": "#!/bin/sh\n" } }"##;
    Server::start([inner, Package::new("outer").version("1.0.0", outer)])
}

const MANIFEST: &str = r#"{ "workspaces": ["packages/*"], "dependencies": { "inner": "1", "outer": "1" } }"#;

fn project() -> Project {
    let project = Project::new();
    project.write("package.json", MANIFEST).write("packages/a/package.json", r#"{ "name": "a" }"#);
    project.write("packages/empty/notes.txt", "no package");
    project
}

fn run(project: &Project, server: &Server, omit: Omit) -> Check {
    let mut observer = PhaseObserver(Check::UpToDate);
    run_observed(project, server, omit, &mut observer);
    observer.0
}

fn run_observed(project: &Project, server: &Server, omit: Omit, reporter: &mut dyn Reporter) {
    let linker = if project.find("isolated").is_some() { Linker::Isolated } else { Linker::Hoisted };
    let request = InstallRequest {
        omit,
        linker: Some(linker),
        cache_dir: Some(project.home().join("cache")),
        ..InstallRequest::new(Goal::Install)
    };
    let stderr: &'static std::io::Stderr = Box::leak(Box::new(std::io::stderr()));
    let host = HostEnvironment {
        current_dir: project.path(),
        home_dir: Some(project.home()),
        environment: BTreeMap::from([("npm_config_registry".to_owned(), server.url().to_owned())]),
        processors: || 2,
        now_s: 1_800_000_000,
        user_agent: "rusk/0.1.0 linux x64".to_owned(),
        script_output: stderr.as_fd(),
        node_version: |_, _| Some("20.0.0".to_owned()),
        node_headers: |_| None,
        program: || None,
        interaction: None,
    };
    install(&project.path(), &request, &host, reporter).expect("the project can be installed");
}

/// Writes a file when linking starts.
struct ConcurrentWriter<'a>(&'a Project, &'static str, &'static str);

impl Reporter for ConcurrentWriter<'_> {
    fn on_event(&mut self, event: InstallEvent<'_>) {
        if event == InstallEvent::Phase(Phase::Link) {
            self.0.write(self.1, self.2);
        }
    }
}

fn has_stamp(project: &Project) -> bool {
    project.find("node_modules/.rusk/still").is_some()
}

#[test]
fn a_file_that_changes_during_an_install_prevents_the_stamp() {
    let cases = [
        ("notes.txt", "mine", true),
        ("package.json", "{}", false),
        ("packages/a/package.json", r#"{ "name": "a", "version": "2.0.0" }"#, false),
        ("packages/new/package.json", r#"{ "name": "new" }"#, false),
        ("packages/empty/package.json", r#"{ "name": "empty" }"#, false),
    ];
    for (path, text, stamped) in cases {
        let (server, project) = (server(), project());
        run_observed(&project, &server, Omit::default(), &mut ConcurrentWriter(&project, path, text));
        assert_eq!(has_stamp(&project), stamped, "{path}");
    }
}

#[test]
fn a_change_during_an_install_is_noticed_by_the_next() {
    let (server, project) = (server(), project());
    project
        .write("isolated", "")
        .write("packages/a/package.json", r#"{ "name": "a", "dependencies": { "inner": "1" } }"#);
    settle(&project, &server);
    let stray = "node_modules/.bun/inner@2.0.0/node_modules/stray";
    project.remove("packages/a/node_modules/inner");
    let file = "node_modules/.bun/inner@2.0.0/node_modules/stray/mine";
    run_observed(&project, &server, Omit::default(), &mut ConcurrentWriter(&project, file, ""));
    assert!(project.path().join(stray).exists());
    assert_eq!(run(&project, &server, Omit::default()), Check::Full);
    assert!(!project.path().join(stray).exists());
}

#[test]
fn only_a_warning_to_be_repeated_prevents_the_stamp() {
    let check = |path: &str, text: &str, stamped: bool| {
        let (server, project) = (server(), project());
        project.write(path, text);
        run(&project, &server, Omit::default());
        assert_eq!(has_stamp(&project), stamped, "{path}");
    };
    check("packages/a/package.json", r#"{ "name": "a", "engines": { "node": ">=30" } }"#, true);
    check(".npmrc", "_authToken=secret\n", false);
}

/// Whether file times show every change.
fn tells_changes_at_once(project: &Project) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|data| data.modified());
    let changed = || time(&project.path().join("clock")).expect("it was written");
    let is_other = |before| {
        project.write("clock", "");
        changed() != before
    };
    project.write("clock", "");
    // Often enough that not each of them is in a step of a coarse clock of its own, by chance.
    (0..200).all(|_| is_other(changed()))
}

#[test]
fn a_workspace_is_up_to_date_right_after_its_install() {
    let (server, project) = (server(), project());
    project
        .write("isolated", "")
        .write("packages/a/package.json", r#"{ "name": "a", "dependencies": { "inner": "1" } }"#);
    let tells_at_once = tells_changes_at_once(&project);
    assert_eq!(run(&project, &server, Omit::default()), Check::Full);
    let second = run(&project, &server, Omit::default());
    assert!(second == Check::UpToDate || !tells_at_once);
    settle(&project, &server);
    fs::remove_file(project.path().join("packages/a/node_modules/inner")).unwrap();
    assert_eq!(run(&project, &server, Omit::default()), Check::Full);
    assert!(project.find("packages/a/node_modules/inner/package.json").is_some());
}

#[track_caller]
fn settle(project: &Project, server: &Server) {
    let settled = (0..RUNS_MAX).any(|_| run(project, server, Omit::default()) == Check::UpToDate);
    assert!(settled, "installed fully {RUNS_MAX} times");
}

/// After a change the next install runs fully and repairs it, and later ones are up to date again.
#[track_caller]
fn check(change: impl Fn(&Path), repaired: impl Fn(&Path) -> bool) {
    check_in(&project(), change, repaired);
}

#[track_caller]
fn check_in(project: &Project, change: impl Fn(&Path), repaired: impl Fn(&Path) -> bool) {
    let server = server();
    settle(project, &server);
    change(&project.path());
    assert_eq!(run(project, &server, Omit::default()), Check::Full);
    assert!(repaired(&project.path()));
    settle(project, &server);
    assert!(repaired(&project.path()));
}

#[test]
fn a_deleted_package_is_noticed() {
    let path = "node_modules/inner";
    check(|at| fs::remove_dir_all(at.join(path)).unwrap(), |at| at.join(path).join("package.json").exists());
    let nested = "node_modules/outer/node_modules/inner";
    check(
        |at| fs::remove_dir_all(at.join(nested)).unwrap(),
        |at| at.join(nested).join("package.json").exists(),
    );
    check(|at| fs::remove_dir_all(at.join("node_modules")).unwrap(), |at| at.join(nested).exists());
    let program = "node_modules/.bin/outer";
    check(|at| fs::remove_file(at.join(program)).unwrap(), |at| at.join(program).exists());
}

#[test]
fn a_replaced_package_is_noticed() {
    let replace = |at: &Path| {
        fs::remove_dir_all(at.join("node_modules/inner")).unwrap();
        fs::create_dir(at.join("node_modules/inner")).unwrap();
    };
    check(replace, |at| at.join("node_modules/inner/package.json").exists());
    let foreign = "node_modules/stranger";
    check(|at| fs::create_dir(at.join(foreign)).unwrap(), |at| !at.join(foreign).exists());
}

#[test]
fn changed_inputs_are_noticed() {
    let removed = MANIFEST.replace(r#""inner": "1", "#, "");
    let write = |at: &Path| fs::write(at.join("package.json"), &removed).unwrap();
    check(write, |at| !fs::read_to_string(at.join("bun.lock")).unwrap().contains("inner@1"));
    check(|at| fs::remove_file(at.join("bun.lock")).unwrap(), |at| at.join("bun.lock").exists());
    let member = |name: &'static str| {
        move |at: &Path| {
            let dir = at.join("packages").join(name);
            fs::create_dir_all(&dir).unwrap();
            fs::write(dir.join("package.json"), format!(r#"{{ "name": "{name}" }}"#)).unwrap();
        }
    };
    check(member("new"), |at| at.join("node_modules/new").exists());
    check(member("empty"), |at| at.join("node_modules/empty").exists());
    check(|at| fs::create_dir(at.join(".rusk-staging")).unwrap(), |at| !at.join(".rusk-staging").exists());
}

#[test]
fn another_request_runs_fully() {
    let (server, project) = (server(), project());
    settle(&project, &server);
    let omit = Omit { development: true, ..Omit::default() };
    assert_eq!(run(&project, &server, omit), Check::Full);
    settle(&project, &server);
    project.write(".npmrc", "fetch-retries=3\n");
    assert_eq!(run(&project, &server, Omit::default()), Check::Full);
}

#[test]
fn a_linked_configuration_file_is_tracked() {
    let (server, project) = (server(), project());
    project.write("dotfiles/real", "fetch-retries=3\n");
    std::os::unix::fs::symlink("real", project.path().join("dotfiles/link")).unwrap();
    std::os::unix::fs::symlink("dotfiles/link", project.path().join(".npmrc")).unwrap();
    settle(&project, &server);
    project.write("dotfiles/real", "fetch-retries=4\n");
    assert_eq!(run(&project, &server, Omit::default()), Check::Full);
    settle(&project, &server);
    fs::remove_file(project.path().join("dotfiles/link")).unwrap();
    project.write("dotfiles/link", "fetch-retries=5\n");
    assert_eq!(run(&project, &server, Omit::default()), Check::Full);
}

#[test]
fn rewritten_configuration_and_a_missing_cache_are_up_to_date() {
    let (server, project) = (server(), project());
    let write = || project.write("../home/.npmrc", "fetch-retries=3\n");
    write();
    settle(&project, &server);
    write();
    assert_eq!(run(&project, &server, Omit::default()), Check::UpToDate);
    project.remove("../home/cache");
    assert_eq!(run(&project, &server, Omit::default()), Check::UpToDate);
    project.write("../home/.npmrc", "fetch-retries=4\n");
    assert_eq!(run(&project, &server, Omit::default()), Check::Full);
    write();
    project.remove("node_modules/inner");
    assert_eq!(run(&project, &server, Omit::default()), Check::Full);
    assert!(project.find("node_modules/inner/package.json").is_some());
}

#[test]
fn a_new_configuration_file_is_noticed() {
    for path in [".npmrc", "bunfig.toml"] {
        let (server, project) = (server(), project());
        settle(&project, &server);
        project.write(path, if path == ".npmrc" { "omit=dev\n" } else { "[install]\ndev = false\n" });
        assert_eq!(run(&project, &server, Omit::default()), Check::Full, "{path}");
    }
}

#[test]
fn scripts_of_the_project_run_each_time() {
    let (server, project) = (server(), project());
    project.write(
        "package.json",
        r#"{ "scripts": { "postinstall": "true" }, "dependencies": { "inner": "1" } }"#,
    );
    assert!((0..20).all(|_| run(&project, &server, Omit::default()) == Check::Full));
}

/// As [`check`], in an isolated layout.
#[track_caller]
fn check_isolated(change: impl Fn(&Path), repaired: impl Fn(&Path) -> bool) {
    let project = project();
    project.write("isolated", "");
    check_in(&project, change, repaired);
}

#[test]
fn a_deletion_in_an_isolated_layout_is_noticed() {
    let entry = "node_modules/.bun/outer@1.0.0";
    check_isolated(
        |at| fs::remove_dir_all(at.join(entry)).unwrap(),
        |at| at.join(entry).join("node_modules/outer/package.json").exists(),
    );
    let package = "node_modules/.bun/outer@1.0.0/node_modules/outer";
    check_isolated(
        |at| fs::remove_dir_all(at.join(package)).unwrap(),
        |at| at.join(package).join("package.json").exists(),
    );
    for link in ["node_modules/.bun/outer@1.0.0/node_modules/inner", "node_modules/.bun/node_modules/outer"] {
        check_isolated(
            |at| fs::remove_file(at.join(link)).unwrap(),
            |at| at.join(link).join("package.json").exists(),
        );
    }
}

#[test]
fn an_addition_to_an_isolated_layout_is_noticed() {
    for dir in ["node_modules/.bun/stray@1.0.0", "node_modules/.bun/outer@1.0.0/node_modules/stray"] {
        check_isolated(|at| fs::create_dir(at.join(dir)).unwrap(), |at| !at.join(dir).exists());
    }
    // A link to another entry.
    let link = "node_modules/.bun/outer@1.0.0/node_modules/inner";
    check_isolated(
        |at| {
            fs::remove_file(at.join(link)).unwrap();
            std::os::unix::fs::symlink("../../inner@1.0.0/node_modules/inner", at.join(link)).unwrap();
        },
        |at| fs::read_link(at.join(link)).unwrap().to_str().unwrap().contains("inner@2.0.0"),
    );
}
