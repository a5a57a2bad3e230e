//! Cache of packages for `rusk x`: expiry, contents of a slot, and concurrent runs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusk_base::Result;
use rusk_configuration::request::{Goal, Network, Reuse};
use rusk_install::event::NullReporter;
use rusk_install::exec_cache::{CachedPrograms, ExecRequest, find, find_or_install};
use rusk_install::{HostEnvironment, InstallRequest};
use rusk_testkit::project::Project;
use rusk_testkit::registry::{Package, Server};

const NOW_S: u64 = 1_800_000_000;
const DAY_S: u64 = 24 * 60 * 60;

/// `tool` in these versions; its program says which.
fn server(versions: &[&str]) -> Server {
    let manifest = |version: &str| {
        format!(r##"{{ "bin": "cli.sh", "+files": {{ "cli.sh": "#!/bin/sh\necho {version}\n" }} }}"##)
    };
    let tool = Package::new("tool");
    Server::start([versions.iter().fold(tool, |tool, version| tool.version(version, &manifest(version)))])
}

/// A run at a given time, in a project's directory.
struct Run<'a> {
    project: &'a Project,
    server: &'a Server,
    now_s: u64,
    network: Network,
    reuse: Reuse,
    allowed_builds: Vec<String>,
}

impl<'a> Run<'a> {
    fn at(now_s: u64, project: &'a Project, server: &'a Server) -> Run<'a> {
        Run {
            project,
            server,
            now_s,
            network: Network::Online,
            reuse: Reuse::InstalledFiles,
            allowed_builds: Vec::new(),
        }
    }

    fn run_x(&self, specifiers: &[&str]) -> Result<CachedPrograms> {
        let request = InstallRequest {
            network: self.network,
            reuse: self.reuse,
            // One cache for two registries, to check that they are separate.
            cache_dir: Some(self.project.home().join("cache")),
            ..InstallRequest::new(Goal::Install)
        };
        let registry = ("npm_config_registry".to_owned(), self.server.url().to_owned());
        let host = HostEnvironment {
            current_dir: self.project.path(),
            home_dir: Some(self.project.home()),
            environment: BTreeMap::from([registry]),
            processors: || 2,
            now_s: self.now_s,
            user_agent: "rusk/0.1.0 linux x64".to_owned(),
            script_output: rusk_base::sys::CWD,
            node_version: |_, _| None,
            node_headers: |_| None,
            program: || None,
            interaction: None,
        };
        let specifiers: Vec<String> = specifiers.iter().map(|text| (*text).to_owned()).collect();
        let wanted = ExecRequest {
            specifiers: &specifiers,
            settings_dir: &self.project.path(),
            allowed_builds: &self.allowed_builds,
        };
        match find(&wanted, &request, &host)? {
            Some(found) => Ok(found),
            None => find_or_install(&wanted, &request, &host, &mut NullReporter),
        }
    }

    /// The directory of programs, and whether something was installed for it.
    #[track_caller]
    fn found(&self, specifier: &str) -> (PathBuf, bool) {
        let cached = self.run_x(&[specifier]).unwrap_or_else(|problem| panic!("{specifier}: {problem}"));
        let names: Vec<&str> = cached.programs.iter().map(|program| program.name.as_str()).collect();
        assert_eq!(names, ["tool"], "{specifier}");
        (cached.bin_dir, cached.summary.is_some())
    }
}

fn says(bin_dir: &Path) -> String {
    std::fs::read_to_string(bin_dir.join("tool")).expect("a program").replace("#!/bin/sh\necho ", "")
}

/// The directories in the only slot.
fn directories(project: &Project) -> Vec<String> {
    let slots: Vec<_> = project.home().join("cache/x").read_dir().expect("a slot").flatten().collect();
    assert_eq!(slots.len(), 1);
    let entries = slots[0].path().read_dir().expect("a directory").flatten();
    let dirs = entries.filter(|entry| entry.path().is_dir());
    dirs.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn the_second_run_needs_no_request() {
    let (project, server) = (Project::new(), server(&["1.0.0", "1.1.0"]));
    for specifier in ["tool", "tool@^1.0.0", "tool@latest", "tool@1.0.0"] {
        Run::at(NOW_S, &project, &server).found(specifier);
        server.forget_requests();
        let (_, is_new) = Run::at(NOW_S + DAY_S - 1, &project, &server).found(specifier);
        assert!(!is_new && server.requests().is_empty(), "{specifier}");
    }
}

#[test]
fn a_tag_and_a_range_expire_after_a_day() {
    for specifier in ["tool", "tool@^1.0.0"] {
        let (project, server) = (Project::new(), server(&["1.0.0"]));
        let (first, _) = Run::at(NOW_S, &project, &server).found(specifier);
        server.forget_requests();
        let (second, _) = Run::at(NOW_S + DAY_S, &project, &server).found(specifier);
        assert!(!server.requests().is_empty(), "{specifier}");
        // Nothing is new: programs that run from there continue.
        assert_eq!((first, directories(&project).len()), (second, 1));
        server.forget_requests();
        Run::at(NOW_S + DAY_S + 1, &project, &server).found(specifier);
        assert!(server.requests().is_empty(), "{specifier}");
    }
}

#[test]
fn a_record_from_the_future_is_expired() {
    let (project, server) = (Project::new(), server(&["1.0.0"]));
    Run::at(NOW_S, &project, &server).found("tool");
    assert!(Run::at(NOW_S - 1, &project, &server).found("tool").1);
}

#[test]
fn an_exclusion_from_the_minimum_age_is_of_one_project() {
    for (file, text) in [
        ("bunfig.toml", "[install]\nminimumReleaseAgeExcludes = [\"tool\"]\n"),
        (".npmrc", "min-release-age-exclude[]=tool\n"),
    ] {
        let (project, server) = (Project::new(), server(&["1.0.0"]));
        project.write(file, text);
        let (excluded, _) = Run::at(NOW_S, &project, &server).found("tool");
        std::fs::remove_file(project.path().join(file)).expect("a file");
        let (usual, is_new) = Run::at(NOW_S, &project, &server).found("tool");
        assert!(is_new && excluded != usual, "{file}");
        assert_eq!(Run::at(NOW_S, &project, &server).found("tool"), (usual, false), "{file}");
    }
}

#[test]
fn an_exact_version_never_expires_nor_do_others_offline() {
    let (project, server) = (Project::new(), server(&["1.0.0"]));
    Run::at(NOW_S, &project, &server).found("tool@1.0.0");
    Run::at(NOW_S, &project, &server).found("tool");
    server.forget_requests();
    let later = NOW_S + 1000 * DAY_S;
    assert!(!Run::at(later, &project, &server).found("tool@1.0.0").1);
    for network in [Network::Offline, Network::PreferOffline] {
        assert!(!Run { network, ..Run::at(later, &project, &server) }.found("tool").1);
    }
    assert!(server.requests().is_empty());
    assert!(Run { reuse: Reuse::Nothing, ..Run::at(NOW_S, &project, &server) }.found("tool@1.0.0").1);
}

#[test]
fn a_replaced_project_stays_until_the_next_replacement() {
    let project = Project::new();
    let registry = server(&["1.0.0"]);
    let (first, _) = Run::at(NOW_S, &project, &registry).found("tool");
    assert_eq!(says(&first), "1.0.0\n");
    // As left by a killed run.
    std::fs::create_dir(first.join("../../../0123456789abcdef")).expect("a directory");
    let slot = first.ancestors().nth(3).expect("a slot").to_owned();
    // Another lockfile counts as another version.
    let forget = |bin_dir: &Path| std::fs::remove_file(bin_dir.join("../../bun.lock")).expect("a lockfile");
    forget(&first);
    let (second, _) = Run::at(NOW_S + DAY_S, &project, &registry).found("tool");
    assert!(first != second && says(&first) == "1.0.0\n" && says(&second) == "1.0.0\n");
    assert_eq!(directories(&project).len(), 2);
    forget(&second);
    let (third, _) = Run::at(NOW_S + 2 * DAY_S, &project, &registry).found("tool");
    assert!(!first.exists() && says(&second) == says(&third));
    assert_eq!(directories(&project).len(), 2);
    std::fs::write(slot.join("record"), "damaged").expect("a record");
    assert!(Run::at(NOW_S + 2 * DAY_S, &project, &registry).found("tool").1);
    assert_eq!(directories(&project).len(), 1);
}

#[test]
fn packages_of_two_registries_are_separate() {
    let project = Project::new();
    let (one, other) = (server(&["1.0.0"]), server(&["2.0.0"]));
    let (first, _) = Run::at(NOW_S, &project, &one).found("tool");
    let (second, _) = Run::at(NOW_S, &project, &other).found("tool");
    assert_eq!((says(&first), says(&second)), ("1.0.0\n".to_owned(), "2.0.0\n".to_owned()));
}

#[test]
fn concurrent_runs_share_one_install() {
    let (project, server) = (Project::new(), server(&["1.0.0"]));
    let new = std::thread::scope(|scope| {
        let run_x = || Run::at(NOW_S, &project, &server).found("tool").1;
        let requested: Vec<_> = (0..8).map(|_| scope.spawn(run_x)).collect();
        requested.into_iter().map(|one| one.join().expect("it found")).filter(|new| *new).count()
    });
    assert_eq!(new, 1);
    assert_eq!(server.count("/tool"), 1);
}

#[test]
fn a_failed_install_leaves_nothing() {
    let (project, server) = (Project::new(), server(&["1.0.0"]));
    Run::at(NOW_S, &project, &server).run_x(&["tool@2"]).expect_err("no such version");
    assert_eq!(directories(&project), [""; 0]);
}

#[test]
fn settings_of_the_project_do_not_apply() {
    let (project, server) = (Project::new(), server(&["1.0.0"]));
    project.write(
        "bunfig.toml",
        "[install]\ndryRun = true\nfrozenLockfile = true\nproduction = true\noptional = false\n",
    );
    project.write("package.json", r#"{ "dependencies": { "unknown": "1" } }"#);
    let (bin_dir, _) = Run::at(NOW_S, &project, &server).found("tool");
    assert_eq!(says(&bin_dir), "1.0.0\n");
    assert_eq!(project.tree(""), ["bunfig.toml", "package.json"]);
}

#[test]
fn scripts_run_of_packages_that_are_allowed_to_build() {
    let manifest = r##"{ "bin": "cli.sh", "+files": { "cli.sh": "#!/bin/sh" }, "scripts": { "install": ": > built" } }"##;
    let server = Server::start([Package::new("tool").version("1.0.0", manifest)]);
    let project = Project::new();
    let run = Run::at(NOW_S, &project, &server);
    let built = |cached: &CachedPrograms| cached.bin_dir.join("../tool/built").exists();
    let refused = run.run_x(&["tool"]).expect("an install");
    assert_eq!(refused.summary.as_ref().expect("it is new").scripts_held_back, ["tool@1.0.0"]);
    assert!(!built(&refused));
    let run = Run { allowed_builds: vec!["tool".to_owned()], ..run };
    let allowed = run.run_x(&["tool"]).expect("an install");
    let summary = allowed.summary.as_ref().expect("files of scripts are in a project of their own");
    assert_eq!(summary.scripts_run, ["tool@1.0.0"]);
    assert!(built(&allowed));
    assert!(run.run_x(&["tool"]).expect("no install").summary.is_none());
    assert!(!built(&refused));
}
