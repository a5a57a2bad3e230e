//! `--verify-signatures`: which packages are verified, and what is said of a registry without keys.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_configuration::request::{Goal, Linker, Verify};
use rusk_install::event::{InstallEvent, Reporter};
use rusk_install::{HostEnvironment, InstallRequest, Summary, install};
use rusk_testkit::project::Project;
use rusk_testkit::registry::{Fault, Package, Server};

const KEYS: &str = "/-/npm/v1/keys";

/// The warnings of an install.
#[derive(Default)]
struct WarningList(Vec<String>);

impl Reporter for WarningList {
    fn on_event(&mut self, event: InstallEvent<'_>) {
        if let InstallEvent::Warning(text) = event {
            self.0.push(text.to_owned());
        }
    }
}

/// Installs with a cache that the projects of one home share.
fn run(project: &Project, server: &Server, home: &Project, verify: Verify) -> (Result<Summary>, Vec<String>) {
    let request = InstallRequest {
        verify,
        linker: Some(Linker::Global),
        cache_dir: Some(home.home().join("cache")),
        ..InstallRequest::new(Goal::Install)
    };
    let registry = ("npm_config_registry".to_owned(), server.url().to_owned());
    let host = HostEnvironment {
        current_dir: project.path(),
        home_dir: Some(home.home()),
        environment: BTreeMap::from([registry]),
        processors: || 2,
        now_s: 1_800_000_000,
        user_agent: "rusk/0.1.0 linux x64".to_owned(),
        script_output: rusk_base::sys::CWD,
        node_version: |_, _| None,
        node_headers: |_| None,
        program: || None,
        interaction: None,
    };
    let mut warnings = WarningList::default();
    (install(&project.path(), &request, &host, &mut warnings), warnings.0)
}

const MANIFEST: &str = r#"{ "dependencies": { "left": "1", "right": "1" } }"#;

fn server() -> Server {
    let package = |name: &str| Package::new(name).version("1.0.0", "{}");
    Server::start([package("left"), package("right")])
}

#[test]
fn a_registry_without_keys_is_named_once() {
    let (server, project) = (server(), Project::with(&[("package.json", MANIFEST)]));
    server.fail(KEYS, Fault::Status(404), 1);
    let (outcome, warnings) = run(&project, &server, &project, Verify::Signatures);
    outcome.expect("nothing is signed");
    let expected =
        format!("`{}` has no signing keys: 2 packages of it passed without a signature", server.url());
    assert_eq!(warnings, [expected]);
}

#[test]
fn a_package_that_is_shared_already_is_verified() {
    let server = server();
    let first = Project::with(&[("package.json", MANIFEST)]);
    run(&first, &server, &first, Verify::Integrity).0.expect("nothing is verified");
    let second = Project::with(&[("package.json", MANIFEST)]);
    let problem = run(&second, &server, &first, Verify::Signatures).0.expect_err("nothing is signed");
    assert_eq!(problem.code(), "not-signed");
    assert!(second.find("node_modules/left/package.json").is_none());
}
