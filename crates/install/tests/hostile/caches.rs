//! Hostile projects that share a cache with others: nothing that only their own settings vouch for
//! is found by another project.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rusk_base::Result;
use rusk_configuration::request::Verify;
use rusk_install::event::NullReporter;
use rusk_install::exec_cache::{ExecRequest, find, find_or_install};
use rusk_install::{InstallRequest, Summary, install, stored};
use rusk_testkit::project::Project;
use rusk_testkit::registry::{Fault, Package, Server};

use super::{Goal, host};

/// Servers of `left` with other bytes; the hostile one is a proxy that responds to everything.
struct Servers {
    genuine: Server,
    hostile: Server,
}

fn left(word: &str) -> Package {
    let manifest = format!(
        r##"{{ "bin": "cli.sh", "+files": {{ "cli.sh": "#!/bin/sh\necho {word}\n", "word": "{word}" }} }}"##
    );
    Package::new("left").version("1.0.0", &manifest)
}

fn servers() -> Servers {
    Servers { genuine: Server::start([left("genuine")]), hostile: Server::start([left("hostile")]) }
}

impl Servers {
    /// A project whose author chose the proxy.
    fn hostile_project(&self) -> Project {
        let project = project();
        project.write(".npmrc", format!("proxy={}", self.hostile.url()));
        project
    }

    fn install(
        &self,
        project: &Project,
        cache: &Project,
        change: &dyn Fn(&mut InstallRequest),
    ) -> Result<Summary> {
        let mut request = InstallRequest::new(Goal::Install);
        request.cache_dir = Some(cache.home().join("cache"));
        change(&mut request);
        install(&project.path(), &request, &host(project, &self.genuine), &mut NullReporter)
    }

    /// Installs, and returns what the package says.
    #[track_caller]
    fn word(&self, project: &Project, cache: &Project, change: &dyn Fn(&mut InstallRequest)) -> String {
        self.install(project, cache, change).unwrap_or_else(|problem| panic!("{problem}"));
        project.read("node_modules/left/word")
    }

    /// What a program of `rusk x` says in a project's directory.
    #[track_caller]
    fn program(&self, project: &Project, cache: &Project) -> String {
        let mut request = InstallRequest::new(Goal::Install);
        request.cache_dir = Some(cache.home().join("cache"));
        let (specifiers, host) = (["left@1.0.0".to_owned()], host(project, &self.genuine));
        let wanted =
            ExecRequest { specifiers: &specifiers, settings_dir: &project.path(), allowed_builds: &[] };
        let cached = match find(&wanted, &request, &host).expect("settings") {
            Some(found) => found,
            None => find_or_install(&wanted, &request, &host, &mut NullReporter).expect("installed"),
        };
        std::fs::read_to_string(cached.bin_dir.join("left")).expect("a program")
    }

    /// Both servers respond with a packument without an integrity.
    fn forget_integrity(&self) {
        let url = format!("{}left/-/left-1.0.0.tgz", self.genuine.url());
        let text = format!(
            r#"{{"name":"left","dist-tags":{{"latest":"1.0.0"}},"versions":{{"1.0.0":{{"name":"left","version":"1.0.0","dist":{{"tarball":"{url}"}}}}}}}}"#
        );
        for server in [&self.genuine, &self.hostile] {
            server.fail("/left", Fault::Body(text.clone().into_bytes()), 9);
        }
    }
}

fn project() -> Project {
    Project::with(&[("package.json", r#"{ "name": "app", "dependencies": { "left": "1.0.0" } }"#)])
}

fn unchanged(_: &mut InstallRequest) {}

#[test]
fn a_projects_proxy_writes_no_packument_for_other_projects() {
    let (servers, cache) = (servers(), Project::new());
    let hostile = servers.hostile_project();
    assert_eq!(servers.word(&hostile, &cache, &unchanged), "hostile");
    assert_eq!(servers.word(&project(), &cache, &unchanged), "genuine");
    hostile.remove("node_modules");
    hostile.remove("bun.lock");
    servers.hostile.forget_requests();
    assert_eq!(servers.word(&hostile, &cache, &unchanged), "hostile");
    assert_eq!(servers.hostile.count("/left"), 0, "its own cache serves it");
}

#[test]
fn a_projects_proxy_writes_no_tarball_without_integrity_for_other_projects() {
    let (servers, cache) = (servers(), Project::new());
    servers.forget_integrity();
    assert_eq!(servers.word(&servers.hostile_project(), &cache, &unchanged), "hostile");
    assert_eq!(servers.word(&project(), &cache, &unchanged), "genuine");
}

#[test]
fn a_projects_proxy_installs_no_program_for_other_projects() {
    let (servers, cache) = (servers(), Project::new());
    assert!(servers.program(&servers.hostile_project(), &cache).contains("hostile"));
    assert!(servers.program(&project(), &cache).contains("genuine"));
}

#[test]
fn what_was_not_verified_is_not_linked_into_other_projects() {
    let (servers, cache) = (servers(), Project::new());
    let first = project();
    assert_eq!(servers.word(&first, &cache, &unchanged), "genuine");
    let (unverified, verified) = (project(), project());
    for project in [&unverified, &verified] {
        project.write("bun.lock", first.read("bun.lock"));
    }
    let cache = Project::new();
    let hostile_tarball = left("hostile").tarball("1.0.0").expect("a version").to_vec();
    servers.genuine.fail("/left/-/left-1.0.0.tgz", Fault::Body(hostile_tarball), 1);
    let no_verify = |request: &mut InstallRequest| request.verify = Verify::Nothing;
    assert_eq!(servers.word(&unverified, &cache, &no_verify), "hostile");
    let frozen = |request: &mut InstallRequest| request.goal = Goal::Clean;
    assert_eq!(servers.word(&verified, &cache, &frozen), "genuine");
    assert_eq!(servers.word(&unverified, &cache, &unchanged), "genuine");
    let dir = cache.home().join("cache");
    assert_eq!(stored::list(&dir).expect("a store").len(), 2);
}

#[test]
fn a_store_that_a_project_brings_is_not_used() {
    let (servers, home) = (servers(), Project::new());
    let author = project();
    assert_eq!(servers.word(&author, &home, &unchanged), "genuine");
    let victim = project();
    victim.write("bun.lock", author.read("bun.lock"));
    victim.write("bunfig.toml", "[install.cache]\ndir = \"./vendor\"");
    copy(&home.home().join("cache"), &victim.path().join("vendor/rusk"));
    let store = victim.path().join("vendor/rusk/store");
    let edited = files_with(&store, "genuine");
    assert_eq!(edited.len(), 1);
    for path in edited {
        let modified = modified(&path);
        std::fs::write(&path, "changed").expect("written");
        set_modified(&path, modified);
    }
    let own_cache = |request: &mut InstallRequest| request.cache_dir = None;
    assert_eq!(servers.word(&victim, &home, &own_cache), "genuine");
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a directory");
    for entry in from.read_dir().expect("a directory").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true => copy(&path, &target),
            false => {
                std::fs::copy(&path, &target).expect("copied");
                set_modified(&target, modified(&path));
            }
        }
    }
}

fn modified(path: &Path) -> SystemTime {
    path.metadata().and_then(|found| found.modified()).expect("a time")
}

fn set_modified(path: &Path, modified: SystemTime) {
    File::options().write(true).open(path).and_then(|file| file.set_modified(modified)).expect("set");
}

fn files_with(dir: &Path, text: &str) -> Vec<PathBuf> {
    let entries = dir.read_dir().expect("a directory").flatten().map(|entry| entry.path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => files_with(&path, text),
            false if std::fs::read(&path).is_ok_and(|bytes| bytes == text.as_bytes()) => vec![path],
            false => Vec::new(),
        })
        .collect()
}
