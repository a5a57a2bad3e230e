//! `rusk create user/repository`: what is downloaded, which commands run, where the token goes.

use std::process::{Command, Stdio};

use rusk_testkit::project::Project;
use rusk_testkit::repository_server::RepositoryServer;
use rusk_testkit::tarball::Builder;

const MANIFEST: &str = r#"{ "name": "template", "bun-create": { "postinstall": "touch ran-task" },
  "scripts": { "prepare": "touch ran-prepare" }, "dependencies": { "local": "file:./local" } }"#;

fn server() -> RepositoryServer {
    let local = r#"{ "name": "local", "version": "1.0.0" }"#;
    let files = Builder::new().file("user-repo-1/package.json", MANIFEST);
    RepositoryServer::start(files.file("user-repo-1/local/package.json", local).tgz())
}

/// The exit code, and what standard error has.
fn create(project: &Project, server: &RepositoryServer, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rusk"));
    command.arg("create").args(arguments).current_dir(project.path()).env_clear();
    command.env("HOME", project.home()).env("PATH", "/usr/bin:/bin").env("GITHUB_API_DOMAIN", &server.url);
    let output = command.env("GITHUB_TOKEN", "secret").stdin(Stdio::null()).output().expect("it runs");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_repository_is_copied_and_its_commands_wait_for_consent() {
    let (server, project) = (server(), Project::new());
    let (code, text) = create(&project, &server, &["user/repo", "--no-git"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("touch ran-task") && text.contains("touch ran-prepare"), "{text}");
    let made = |path: &str| project.path().join(path).exists();
    assert!(
        made("repo/node_modules/local/package.json") && !made("repo/ran-task") && !made("repo/ran-prepare")
    );
    // The token is for the server that was asked, not for the one it leads to.
    assert_eq!(server.requests(), ["/repos/user/repo/tarball bearer secret", "/files "]);
    let (code, text) = create(&project, &server, &["user/repo#next", "app", "--no-git", "--yes"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(made("app/ran-task") && made("app/ran-prepare"));
    assert!(project.read("app/package.json").contains("\"name\": \"app\""));
    let (code, text) = create(&project, &server, &["user/none"]);
    assert!(code == Some(2) && text.contains("there is no repository `user/none`"), "{text}");
    assert!(!made("none"));
}
