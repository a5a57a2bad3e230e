//! Install scripts of dependencies: which run, in which order, when again, and what a failure says.
//! The hostile ones are in `red_team`, approvals with grants in `grants`. Offline, with a registry
//! on loopback.

mod grants;
mod red_team;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::sync::{Mutex, PoisonError};

use rusk_base::Result;
use rusk_configuration::request::{
    BlockedScripts, DependencyScriptFlags, Goal, JailFlag, Linker, Reruns, Scripts,
};
use rusk_install::event::{InstallEvent, NullReporter, Reporter};
use rusk_install::{HostEnvironment, InstallRequest, Summary, install};
use rusk_testkit::project::Project;
use rusk_testkit::registry::{Package, Server};

fn request() -> InstallRequest {
    InstallRequest { linker: Some(Linker::Hoisted), ..InstallRequest::new(Goal::Install) }
}

/// One run at a time: a process has one handler of signals.
static ALONE: Mutex<()> = Mutex::new(());

fn run(project: &Project, server: &Server, request: &InstallRequest) -> Result<Summary> {
    run_reported(project, server, request, &mut NullReporter)
}

fn run_reported(
    project: &Project,
    server: &Server,
    request: &InstallRequest,
    reporter: &mut dyn Reporter,
) -> Result<Summary> {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let path = std::env::var("PATH").expect("tests have a PATH");
    let variables = [("npm_config_registry", server.url()), ("PATH", &path), ("NPM_TOKEN", "a-secret-token")];
    let host = HostEnvironment {
        current_dir: project.path(),
        home_dir: Some(project.home()),
        environment: BTreeMap::from(variables.map(|(name, value)| (name.to_owned(), value.to_owned()))),
        processors: || 2,
        now_s: 1_800_000_000,
        user_agent: "rusk/0.1.0 linux x64".to_owned(),
        script_output: rusk_base::sys::CWD,
        node_version: |_, _| None,
        node_headers: |_| None,
        program: || None,
        interaction: None,
    };
    install(&project.path(), request, &host, reporter)
}

/// The warnings of an install.
#[derive(Default)]
struct Warnings(Vec<String>);

impl Reporter for Warnings {
    fn on_event(&mut self, event: InstallEvent<'_>) {
        if let InstallEvent::Warning(text) = event {
            self.0.push(text.to_owned());
        }
    }
}

#[track_caller]
fn ran(project: &Project, server: &Server) -> Vec<String> {
    run(project, server, &request()).unwrap_or_else(|problem| panic!("{problem}")).scripts_run
}

/// A registry with a package whose postinstall is this command.
fn server_of(command: &str) -> Server {
    let manifest = format!(r#"{{ "scripts": {{ "postinstall": "{command}" }} }}"#);
    Server::start([Package::new("scripted").version("1.0.0", &manifest)])
}

const TRUSTING: &str = r#"{ "dependencies": { "scripted": "1" }, "trustedDependencies": ["scripted"] }"#;

#[test]
fn only_approved_scripts_run() {
    let server = server_of("touch it-ran");
    let project = Project::with(&[("package.json", r#"{ "dependencies": { "scripted": "1" } }"#)]);
    let summary = run(&project, &server, &request()).expect("works on this machine");
    assert_eq!((summary.scripts_run, summary.scripts_held_back), (vec![], vec!["scripted@1.0.0".to_owned()]));
    assert!(project.find("node_modules/scripted/it-ran").is_none());
    project.write("package.json", TRUSTING);
    assert_eq!(ran(&project, &server), ["scripted@1.0.0"]);
    assert!(project.find("node_modules/scripted/it-ran").is_some());
}

#[test]
fn scripts_run_again_only_when_something_changed() {
    let server = server_of("touch it-ran");
    let project = Project::with(&[("package.json", TRUSTING)]);
    assert_eq!(ran(&project, &server), ["scripted@1.0.0"]);
    assert!(ran(&project, &server).is_empty(), "nothing changed");
    project.write("package.json", TRUSTING.replace("{ \"dep", "{ \"private\": true, \"dep"));
    assert!(ran(&project, &server).is_empty(), "the package did not change");
    fs::remove_dir_all(project.path().join("node_modules/scripted")).expect("works on this machine");
    assert_eq!(ran(&project, &server), ["scripted@1.0.0"], "it was made again");
    let dependency_scripts = DependencyScriptFlags { reruns: Reruns::Packages(vec![]), ..Default::default() };
    let again = InstallRequest { dependency_scripts, ..request() };
    assert_eq!(
        run(&project, &server, &again).expect("works on this machine").scripts_run,
        ["scripted@1.0.0"],
        "rebuilt"
    );
    let ignoring = InstallRequest { scripts: Scripts::Ignore, goal: Goal::Clean, ..request() };
    assert!(run(&project, &server, &ignoring).expect("works on this machine").scripts_run.is_empty());
    assert!(project.find("node_modules/scripted/it-ran").is_none());
}

#[test]
fn scripts_run_in_order_of_dependencies() {
    let depends = |on: &str| {
        format!(
            r#"{{ "dependencies": {{ {on} }}, "scripts": {{ "install": "test -f ../z/built && touch built" }} }}"#
        )
    };
    let z = r#"{ "scripts": { "preinstall": "sleep 0.2", "install": "touch built" } }"#;
    let server = Server::start([
        Package::new("a").version("1.0.0", &depends(r#""z": "1", "m": "1""#)),
        Package::new("m").version("1.0.0", &depends(r#""z": "1""#)),
        Package::new("z").version("1.0.0", z),
    ]);
    let manifest = r#"{ "dependencies": { "a": "1" }, "trustedDependencies": ["a", "m", "z"] }"#;
    let project = Project::with(&[("package.json", manifest)]);
    assert_eq!(ran(&project, &server), ["a@1.0.0", "m@1.0.0", "z@1.0.0"]);
}

#[test]
fn every_layout_runs_scripts_and_leaves_the_store_alone() {
    for linker in [Linker::Hoisted, Linker::Isolated, Linker::Global] {
        let server = server_of("echo changed > index.js");
        let project = Project::with(&[("package.json", TRUSTING)]);
        let request = InstallRequest { linker: Some(linker), ..request() };
        assert_eq!(
            run(&project, &server, &request).expect("works on this machine").scripts_run,
            ["scripted@1.0.0"],
            "{linker:?}"
        );
        let installed = project.path().join("node_modules/scripted/index.js");
        assert_eq!(fs::read_to_string(&installed).expect("works on this machine"), "changed\n", "{linker:?}");
        assert_eq!(fs::metadata(&installed).expect("works on this machine").nlink(), 1, "{linker:?}");
        let other = Project::with(&[("package.json", r#"{ "dependencies": { "scripted": "1" } }"#)]);
        fs::rename(project.home().join(".cache"), other.home().join(".cache"))
            .expect("works on this machine");
        run(&other, &server, &request).expect("works on this machine");
        let text = fs::read_to_string(other.path().join("node_modules/scripted/index.js"))
            .expect("works on this machine");
        assert!(!text.contains("changed"), "{linker:?}: the store has the published file");
    }
}

#[test]
fn a_failure_shows_the_output_and_ends_the_install() {
    let server = server_of("echo to stdout; echo to stderr >&2; exit 3");
    let project = Project::with(&[("package.json", TRUSTING)]);
    for _ in 0..2 {
        let problem = run(&project, &server, &request()).unwrap_err();
        let text = problem.to_string();
        assert_eq!(problem.code(), "script-failed");
        for part in ["`postinstall` of `scripted@1.0.0` ended with exit code 3", "| to stdout", "| to stderr"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}

#[test]
fn an_optional_package_may_fail() {
    let server = server_of("exit 3");
    let manifest = TRUSTING.replace("\"dependencies\"", "\"optionalDependencies\"");
    let project = Project::with(&[("package.json", &manifest)]);
    assert!(ran(&project, &server).is_empty(), "it did not run to its end");
}

#[test]
fn an_optional_package_that_the_jail_stopped_says_what_it_needs() {
    let server = server_of("echo x > ../../made || exit 3");
    let manifest = TRUSTING.replace("\"dependencies\"", "\"optionalDependencies\"");
    let project = Project::with(&[("package.json", &manifest)]);
    let mut warnings = Warnings::default();
    let summary = run_reported(&project, &server, &request(), &mut warnings).expect("it is optional");
    assert!(summary.scripts_run.is_empty(), "{:?}", summary.scripts_run);
    let text = warnings.0.join("\n");
    for part in
        ["the optional package `scripted@1.0.0` is not built", "denied", "`rusk approve scripted --write"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_rebuild_that_failed_is_not_forgotten() {
    let server = server_of("if test -f built; then rm built; exit 3; fi; touch built");
    let project = Project::with(&[("package.json", TRUSTING)]);
    assert_eq!(ran(&project, &server), ["scripted@1.0.0"]);
    assert!(ran(&project, &server).is_empty(), "nothing changed");
    assert!(project.find("node_modules/.rusk/still").is_some(), "the project is up to date");
    let dependency_scripts = DependencyScriptFlags { reruns: Reruns::Packages(vec![]), ..Default::default() };
    let again = InstallRequest { dependency_scripts, goal: Goal::Frozen, ..request() };
    assert_eq!(run(&project, &server, &again).unwrap_err().code(), "script-failed");
    assert!(project.find("node_modules/.rusk/still").is_none(), "the project is not up to date");
    assert_eq!(ran(&project, &server), ["scripted@1.0.0"]);
    assert!(project.find("node_modules/scripted/built").is_some());
}

#[test]
fn a_rebuild_of_one_package_runs_those_that_it_needs_and_no_other() {
    let script =
        |command: &str, more: &str| format!(r#"{{ "scripts": {{ "install": "{command}" }}{more} }}"#);
    let server = Server::start([
        Package::new("broken").version("1.0.0", &script("exit 3", "")),
        Package::new("left")
            .version("1.0.0", &script("touch it-ran", r#", "dependencies": { "base": "1" }"#)),
        Package::new("base").version("1.0.0", &script("touch it-ran", "")),
    ]);
    let manifest = r#"{ "dependencies": { "broken": "1", "left": "1" }, "trustedDependencies": ["broken", "left", "base"] }"#;
    let project = Project::with(&[("package.json", manifest)]);
    let one_by_one = DependencyScriptFlags { concurrency: Some(1), ..Default::default() };
    let problem = run(&project, &server, &InstallRequest { dependency_scripts: one_by_one, ..request() });
    assert_eq!(problem.unwrap_err().code(), "script-failed");
    let reruns = Reruns::Packages(vec!["left".to_owned()]);
    let dependency_scripts = DependencyScriptFlags { reruns, ..Default::default() };
    let only_left = InstallRequest { dependency_scripts, ..request() };
    let summary = run(&project, &server, &only_left).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(summary.scripts_run, ["base@1.0.0", "left@1.0.0"]);
    assert_eq!(run(&project, &server, &request()).unwrap_err().code(), "script-failed", "it is still due");
}

/// Pasting what is proposed must run no command of the script's choice.
#[test]
fn a_proposed_grant_is_quoted_for_the_shell() {
    let server = server_of("echo 'EACCES: permission denied, open /x;touch${IFS}/tmp/y;#'; exit 1");
    let project = Project::with(&[("package.json", TRUSTING)]);
    let text = run(&project, &server, &request()).unwrap_err().to_string();
    assert!(text.contains("the script says that it was denied writing `/x;touch${IFS}/tmp/y;#`"), "{text}");
    assert!(text.contains("rusk approve scripted --write '/x;touch${IFS}/tmp/y;#'"), "{text}");
}

#[test]
fn a_denial_names_the_path_and_the_grant() {
    let project = Project::with(&[("package.json", TRUSTING)]);
    let secret = project.home().join(".npmrc");
    fs::write(&secret, "token").expect("works on this machine");
    let absolute = server_of(&format!("cat {}", secret.display()));
    let text = run(&project, &absolute, &request()).unwrap_err().to_string();
    let path = secret.display();
    assert!(text.contains(&format!("the script says that it was denied reading `{path}`")), "{text}");
    assert!(text.contains(&format!("rusk approve scripted --read {path}")), "{text}");
    assert!(text.contains("\"scripted@1.0.0\": { \"integrity\": \"sha512-"), "{text}");
    let relative = Project::with(&[("package.json", TRUSTING), (".env", "A=1")]);
    let text = run(&relative, &server_of("cat ../../.env"), &request()).unwrap_err().to_string();
    assert!(text.contains("the script says that it was denied reading `.env`"), "{text}");
    assert!(text.contains(r#""read": [".env"]"#), "{text}");
    assert!(text.contains("rusk approve scripted --read .env"), "{text}");
}

/// What a script makes is missing, so it was not denied a read.
#[test]
fn a_denied_creation_names_what_to_write_to() {
    let text_of = |command: &str| {
        let project = Project::with(&[("package.json", TRUSTING), ("build/x", "")]);
        run(&project, &server_of(command), &request()).unwrap_err().to_string()
    };
    let text = text_of("echo EACCES: permission denied, open $INIT_CWD/build/out; exit 1");
    assert!(text.contains("denied writing `build`") && text.contains("scripted --write build`"), "{text}");
    let text = text_of("echo 1 > ../../made");
    assert!(text.contains("denied writing `made`") && text.contains(r#""write": ["made"]"#), "{text}");
    assert!(text.contains("`made` is missing: the grant makes a directory; make a file first"), "{text}");
}

#[test]
fn a_denied_connection_names_the_address() {
    let project = Project::with(&[("package.json", TRUSTING)]);
    let server = server_of("bash -c 'exec 3<>/dev/tcp/127.0.0.1/9'");
    let text = run(&project, &server, &request()).unwrap_err().to_string();
    assert!(text.contains("the script says that it was denied the network: `127.0.0.1:9`"), "{text}");
    assert!(text.contains("rusk approve scripted --connect 127.0.0.1:9"), "{text}");
}

#[test]
fn a_grant_is_honoured_and_without_the_jail_everything_is_allowed() {
    let project = Project::new();
    fs::create_dir_all(project.home().join("build")).expect("works on this machine");
    let server = server_of("echo built > $HOME_OF_USER/build/x || echo built > ../../../home/build/x");
    let package = Package::new("scripted").version(
        "1.0.0",
        r#"{ "scripts": { "postinstall": "echo built > $HOME_OF_USER/build/x || echo built > ../../../home/build/x" } }"#,
    );
    let integrity = package.integrity("1.0.0").expect("works on this machine");
    let approval = format!(r#"{{ "integrity": "{integrity}", "write": ["~/build"] }}"#);
    let approved = format!(r#"{{ "approvedScripts": {{ "scripted@1.0.0": {approval} }} }}"#);
    project
        .write("package.json", format!(r#"{{ "dependencies": {{ "scripted": "1" }}, "rusk": {approved} }}"#));
    assert_eq!(ran(&project, &server), ["scripted@1.0.0"]);
    assert_eq!(fs::read_to_string(project.home().join("build/x")).expect("works on this machine"), "built\n");

    let project = Project::with(&[("package.json", TRUSTING)]);
    fs::create_dir_all(project.home().join("build")).expect("works on this machine");
    run(&project, &server, &request()).unwrap_err();
    let dependency_scripts = DependencyScriptFlags { jail: JailFlag::Off, ..Default::default() };
    run(&project, &server, &InstallRequest { dependency_scripts, ..request() })
        .expect("works on this machine");
    assert_eq!(fs::read_to_string(project.home().join("build/x")).expect("works on this machine"), "built\n");
}

/// Approves `scripted@1.0.0` with this grant of the network.
fn approve_with_network(project: &Project, command: &str, network: &str) {
    let manifest = format!(r#"{{ "scripts": {{ "postinstall": "{command}" }} }}"#);
    let package = Package::new("scripted").version("1.0.0", &manifest);
    let integrity = package.integrity("1.0.0").expect("works on this machine");
    let approval = format!(r#"{{ "integrity": "{integrity}", "network": {network} }}"#);
    let approved = format!(r#"{{ "approvedScripts": {{ "scripted@1.0.0": {approval} }} }}"#);
    project
        .write("package.json", format!(r#"{{ "dependencies": {{ "scripted": "1" }}, "rusk": {approved} }}"#));
}

#[test]
fn a_grant_of_a_host_reaches_no_other() {
    let listener = || std::net::TcpListener::bind("127.0.0.1:0").expect("works on this machine");
    let port =
        |listener: &std::net::TcpListener| listener.local_addr().expect("works on this machine").port();
    let (granted, other) = (listener(), listener());
    let (granted, other_port) = (port(&granted), port(&other));
    let connect = |host: &str, port: u16| format!("bash -c 'exec 3<>/dev/tcp/{host}/{port}'");
    let command = connect("localhost", granted);
    let (project, server) = (Project::new(), server_of(&command));
    approve_with_network(&project, &command, &format!(r#"["localhost:{granted}"]"#));
    assert_eq!(ran(&project, &server), ["scripted@1.0.0"]);

    for (host, refused) in
        [("127.0.0.1", format!("127.0.0.1:{other_port}")), ("evil.test", "evil.test".to_owned())]
    {
        let command = connect(host, other_port);
        let (project, server) = (Project::new(), server_of(&command));
        approve_with_network(&project, &command, &format!(r#"["localhost:{granted}"]"#));
        let text = run(&project, &server, &request()).unwrap_err().to_string();
        assert!(text.contains(&format!("the jail denied the network: `{refused}`")), "{text}");
        let line = format!(r#""network": ["{refused}", "localhost:{granted}"]"#);
        let other_order = format!(r#""network": ["localhost:{granted}", "{refused}"]"#);
        assert!(text.contains(&line) || text.contains(&other_order), "{text}");
        assert!(text.contains(&format!("rusk approve scripted --connect {refused}")), "{text}");
    }
    other.set_nonblocking(true).expect("works on this machine");
    assert!(other.accept().is_err(), "nothing was sent");

    let (project, server) = (Project::new(), server_of("true"));
    approve_with_network(&project, "true", r#"["https://a.test"]"#);
    assert_eq!(run(&project, &server, &request()).unwrap_err().code(), "no-host");
}

#[test]
fn blocked_scripts_may_fail_the_install() {
    let server = server_of("touch it-ran");
    let project = Project::with(&[("package.json", r#"{ "dependencies": { "scripted": "1" } }"#)]);
    let dependency_scripts = DependencyScriptFlags { blocked: BlockedScripts::Refused, ..Default::default() };
    let strict = InstallRequest { dependency_scripts, ..request() };
    assert_eq!(run(&project, &server, &strict).unwrap_err().code(), "blocked-scripts");
    assert!(project.find("node_modules/scripted/package.json").is_none(), "nothing was linked");
    run(&project, &server, &request()).expect("works on this machine");
    let again = run(&project, &server, &strict).unwrap_err();
    assert_eq!(again.code(), "blocked-scripts", "nothing is to be linked");
    project.write("package.json", TRUSTING);
    let ignoring = InstallRequest { scripts: Scripts::Ignore, ..strict.clone() };
    run(&project, &server, &ignoring).expect("what is approved is not blocked");
    run(&project, &server, &strict).expect("works on this machine");
}
