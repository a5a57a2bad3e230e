//! `rusk create user/repository`: what is downloaded, which commands run, where the token goes.

use std::process::{Command, Stdio};

use rusk_testkit::project::Project;
use rusk_testkit::repository_server::RepositoryServer;
use rusk_testkit::tarball::Builder;

const MANIFEST: &str = r#"{ "name": "template", "bun-create": { "postinstall": "touch ran-task" },
  "scripts": { "prepare": "touch ran-prepare" }, "dependencies": { "local": "file:./local" } }"#;

/// A repository with these files.
fn server_of(files: &[(&str, &str)]) -> RepositoryServer {
    let add =
        |builder: Builder, (path, text): &(&str, &str)| builder.file(&format!("user-repo-1/{path}"), text);
    RepositoryServer::start(files.iter().fold(Builder::new(), add).tgz())
}

fn server() -> RepositoryServer {
    let local = r#"{ "name": "local", "version": "1.0.0" }"#;
    server_of(&[("package.json", MANIFEST), ("local/package.json", local)])
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

/// What a template has besides a package.json with these fields and a dependency, and what the list
/// says that it wants to run: `touch ran` or the like.
fn check_held_back(fields: &str, files: &[(&str, &str)], listed: &[&str]) {
    let dependency = r#"{ "name": "d", "version": "1.0.0", "scripts": { "postinstall": "touch ran" } }"#;
    let manifest = format!(r#"{{ {fields} "dependencies": {{ "d": "file:./d" }} }}"#);
    let all = [&[("package.json", manifest.as_str()), ("d/package.json", dependency)], files].concat();
    let server = server_of(&all);
    for flags in [&[][..], &["--ignore-scripts"]] {
        let project = Project::new();
        let arguments = [&["user/repo", "--no-git"], flags].concat();
        let (code, text) = create(&project, &server, &arguments);
        assert_eq!(code, Some(0), "{fields} {flags:?}: {text}");
        for line in listed.iter().filter(|_| flags.is_empty()) {
            assert!(text.contains(&format!("\n  {line}\n")), "{fields}: `{line}` in {text}");
        }
        let made = |path: &str| project.path().join("repo").join(path).exists();
        let ran = ["ran", "m/ran", "build", "d/ran", "node_modules/d/ran"];
        assert_eq!(ran.into_iter().find(|path| made(path)), None, "{fields} {flags:?}: {text}");
        assert!(made("node_modules/d/package.json"), "{fields} {flags:?}: {text}");
    }
}

#[test]
fn scripts_of_members_wait_for_consent() {
    let postinstall = r#"{ "name": "m", "scripts": { "postinstall": "touch ran" } }"#;
    let member = ("m/package.json", postinstall);
    check_held_back(r#""workspaces": ["m"],"#, &[member], &["postinstall of m: touch ran"]);
    let prepare = r#"{ "name": "m", "scripts": { "prepare": "touch ran" } }"#;
    let files = [("pnpm-workspace.yaml", "packages: [m]\n"), ("m/package.json", prepare)];
    check_held_back("", &files, &["prepare of m: touch ran"]);
}

#[test]
fn a_scanner_of_a_template_waits_for_consent() {
    let bunfig = "[install.security]\nscanner = \"./s.ts\"\n";
    let module = "require('fs').writeFileSync('ran', '');\n\
                  export const scanner = { version: '1', scan: async () => [] };\n";
    let files = [("bunfig.toml", bunfig), ("s.ts", module)];
    check_held_back("", &files, &["security scanner: ./s.ts"]);
    check_held_back(
        r#""scripts": { "prepare": "touch ran" },"#,
        &files,
        &["security scanner: ./s.ts", "prepare: touch ran"],
    );
}

#[test]
fn a_build_that_a_gyp_file_implies_waits_for_consent() {
    check_held_back("", &[("binding.gyp", "{}")], &["install: node-gyp rebuild"]);
}

#[test]
fn what_a_template_approves_waits_for_consent() {
    for fields in [
        r#""trustedDependencies": ["d"],"#,
        r#""allowScripts": { "d": true },"#,
        r#""pnpm": { "onlyBuiltDependencies": ["d"] },"#,
        r#""pnpm": { "allowBuilds": { "d": true } },"#,
    ] {
        check_held_back(fields, &[], &["install scripts of the dependency d"]);
    }
    for settings in ["onlyBuiltDependencies: [d]\n", "allowBuilds: { d: true }\n"] {
        check_held_back("", &[("pnpm-workspace.yaml", settings)], &["install scripts of the dependency d"]);
    }
    let approval = r#"{ "integrity": "i", "network": true, "read": ["~/.ssh"], "write": ["."] }"#;
    check_held_back(
        &format!(r#""rusk": {{ "approvedScripts": {{ "d@file:d": {approval} }} }},"#),
        &[],
        &[
            "install scripts of the dependency d@file:d",
            "  granted network: the internet, and this computer",
            "  granted read: ~/.ssh",
            "  granted write: .",
        ],
    );
}

#[test]
fn a_command_that_names_a_script_is_listed_as_the_script() {
    let fields = r#""bun-create": { "postinstall": ["build"] }, "scripts": { "build": "touch ran" },"#;
    check_held_back(fields, &[], &["touch ran"]);
}

#[test]
fn the_text_of_a_template_does_not_reach_the_terminal_as_it_is() {
    let manifest = r#"{ "bun-create": { "start": "a\u001b[2Jb" } }"#;
    let server = server_of(&[("package.json", manifest)]);
    let (code, text) = create(&Project::new(), &server, &["user/repo", "--no-git"]);
    assert!(code == Some(0) && text.contains(r"a\u{1b}[2Jb") && !text.contains('\u{1b}'), "{text}");
}
