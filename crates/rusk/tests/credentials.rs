//! A token is sent to its registry only, by the longest prefix of its path.

use rusk_testkit::project::Project;
use rusk_testkit::registry::{Fault, Package, Server};
use std::process::{Command, Output};

fn server(name: &str) -> Server {
    Server::start([Package::new(name).version("1.0.0", "{}")])
}

/// `127.0.0.1:port`
fn host(server: &Server) -> &str {
    server.url().trim_start_matches("http://").trim_end_matches('/')
}

fn project(dependency: &str, npmrc: &str) -> Project {
    let manifest = format!(r#"{{ "name": "app", "dependencies": {{ "{dependency}": "1.0.0" }} }}"#);
    Project::with(&[("package.json", &manifest), (".npmrc", npmrc)])
}

fn install(project: &Project, token: &str) -> Output {
    run(project, token, &["install", "--verbose"])
}

/// As in a CI job, where the project's own `.npmrc` may send a variable to its registry.
fn run(project: &Project, token: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rusk"))
        .args(arguments)
        .current_dir(project.path())
        .env_clear()
        .env("CI", "true")
        .env("HOME", project.home())
        .env("TOKEN", token)
        .output()
        .expect("the program starts")
}

#[track_caller]
fn check_success(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What a server was asked for, and with which `Authorization`.
#[track_caller]
fn check_asked(server: &Server, wanted: &[(&str, Option<&str>)]) {
    let requests = server.requests();
    let found: Vec<_> =
        requests.iter().map(|request| (request.path.as_str(), request.header("authorization"))).collect();
    assert_eq!(found, wanted);
}

#[test]
fn the_longest_prefix_has_the_token() {
    let server = server("left");
    let host = host(&server);
    let npmrc = format!(
        "registry={}\n//{host}/left/-/:_authToken=for-tarballs\n//{host}/:_authToken=${{TOKEN}}\n\
         //{host}/lef/:_authToken=for-nobody\n",
        server.url()
    );
    let project = project("left", &npmrc);
    check_success(&install(&project, "for-all"));
    check_asked(
        &server,
        &[("/left", Some("Bearer for-all")), ("/left/-/left-1.0.0.tgz", Some("Bearer for-tarballs"))],
    );
}

#[test]
fn another_registry_gets_no_token() {
    let (main, other) = (server("left"), server("@scope/box"));
    let npmrc = format!(
        "registry={}\n@scope:registry={}\n//{}/:_authToken=secret\n",
        main.url(),
        other.url(),
        host(&main)
    );
    let project = project("@scope/box", &npmrc);
    check_success(&install(&project, ""));
    check_asked(&main, &[]);
    check_asked(&other, &[("/@scope/box", None), ("/@scope/box/-/box-1.0.0.tgz", None)]);
}

/// One path of the registry is redirected to another server.
#[track_caller]
fn check_redirect(path: &str) {
    let (main, other) = (server("left"), server("left"));
    main.fail(path, Fault::Redirect(format!("{}{path}", other.url().trim_end_matches('/'))), 1);
    let npmrc = format!("registry={}\n//{}/:_authToken=secret\n", main.url(), host(&main));
    check_success(&install(&project("left", &npmrc), ""));
    assert!(main.requests().iter().all(|request| request.header("authorization") == Some("Bearer secret")));
    assert_eq!(other.count(path), 1);
    assert!(other.requests().iter().all(|request| request.header("authorization").is_none()));
}

#[test]
fn the_target_of_a_redirect_gets_no_token() {
    check_redirect("/left");
    check_redirect("/left/-/left-1.0.0.tgz");
}

#[test]
fn a_refused_token_is_not_shown_and_nothing_is_touched() {
    let server = server("left");
    server.require_authorization("Bearer right");
    let npmrc = format!("registry={}\n//{}/:_authToken=${{TOKEN}}\n", server.url(), host(&server));
    let project = project("left", &npmrc);
    let output = install(&project, "wrong-secret");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("401") && !text.contains("wrong-secret"), "{text}");
    assert!(text.contains(&format!("`{}`", host(&server))) && text.contains("wanted by"), "{text}");
    assert_eq!(project.tree(""), [".npmrc", "package.json"]);
    check_success(&install(&project, "right"));
}

#[test]
fn a_404_names_the_variable_that_the_credentials_need() {
    let server = server("left");
    let npmrc = format!("registry={}\n//{}/:_authToken=${{UNSET_TOKEN}}\n", server.url(), host(&server));
    let project = project("hidden", &npmrc);
    for arguments in [&["install"][..], &["info", "hidden"]] {
        let text = String::from_utf8(run(&project, "", arguments).stderr).expect("UTF-8");
        assert!(text.contains("no-package") && text.contains("variable `UNSET_TOKEN`"), "{text}");
    }
}

/// Neither what is printed, nor the lockfile, the timeline, node_modules and the cache.
#[test]
fn a_token_is_written_nowhere() {
    let token = "a-secret-token";
    let server = server("left");
    server.require_authorization(&format!("Bearer {token}"));
    let npmrc = format!("registry={}\n//{}/:_authToken=${{TOKEN}}\n", server.url(), host(&server));
    let project = project("left", &npmrc);
    let output = run(&project, token, &["install", "--verbose", "--timeline=timeline.html"]);
    check_success(&output);
    assert!(project.path().join("timeline.html").exists());
    let mut contents = vec![output.stdout, output.stderr];
    read_all(&project.path(), &mut contents);
    read_all(&project.home(), &mut contents);
    assert!(contents.len() > 8, "{} files", contents.len());
    for content in contents {
        let is_token = |part: &[u8]| part == token.as_bytes();
        assert!(!content.windows(token.len()).any(is_token), "{}", String::from_utf8_lossy(&content));
    }
}

/// A dependency by a URL with a password: what is printed, the timeline, the store and documents
/// that are published do not have it. The project's own files do: it is in package.json.
#[test]
fn a_password_in_a_url_is_not_shown() {
    let password = "a-secret-password";
    let server = server("left");
    let url = format!("http://me:{password}@{}/left/-/left-1.0.0.tgz", host(&server));
    let manifest = format!(r#"{{ "name": "app", "dependencies": {{ "left": "{url}" }} }}"#);
    let project = Project::with(&[("package.json", &manifest)]);
    let mut contents = Vec::new();
    for arguments in [
        vec!["install", "--verbose", "--timeline=timeline.html"],
        vec!["install", "--linker=isolated"],
        vec!["list"],
        vec!["list", "--json"],
        vec!["why", "left"],
        vec!["why", "left", "--json"],
        vec!["sbom", "--sbom-format=cyclonedx"],
        vec!["sbom", "--sbom-format=spdx"],
    ] {
        let output = run(&project, "", &arguments);
        check_success(&output);
        contents.extend([output.stdout, output.stderr]);
    }
    contents.push(std::fs::read(project.path().join("timeline.html")).expect("a file"));
    read_all(&project.home(), &mut contents);
    contents.push(project.tree("node_modules").concat().into_bytes());
    contents.push(paths_below(&project.home()).into_bytes());
    for content in contents {
        let is_password = |part: &[u8]| part == password.as_bytes();
        assert!(!content.windows(password.len()).any(is_password), "{}", String::from_utf8_lossy(&content));
    }
    let npmrc = format!("registry=http://me:{password}@registry.test/\n");
    project.write(".npmrc", &npmrc);
    let output = run(&project, "", &["config", "list"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("registry = http://registry.test/") && !text.contains(password), "{text}");
}

/// A package by a URL with a password: its install script does not see the URL, and neither the
/// approval nor a failure shows it.
#[test]
fn a_password_in_a_url_is_not_shown_of_scripts() {
    let password = "a-secret-password";
    let script = r#"{ "scripts": { "postinstall": "export -p > environment; exit 3" } }"#;
    let server = Server::start([Package::new("left").version("1.0.0", script)]);
    let url = format!("http://me:{password}@{}/left/-/left-1.0.0.tgz", host(&server));
    let manifest = format!(r#"{{ "name": "app", "dependencies": {{ "left": "{url}" }} }}"#);
    let project = Project::with(&[("package.json", &manifest)]);
    let mut text = String::new();
    for (arguments, code) in [
        (vec!["install"], 0),
        (vec!["install", "--fail-on-blocked"], 2),
        (vec!["approve"], 0),
        (vec!["approve", "--json"], 0),
        (vec!["approve", "left"], 1),
        (vec!["install", "--verbose"], 1),
        (vec!["approve"], 0),
    ] {
        let output = run(&project, "", &arguments);
        text += &String::from_utf8_lossy(&[output.stdout, output.stderr].concat());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    }
    assert!(text.contains("left@http://127.0.0.1") && !text.contains(password), "{text}");
    let environment = project.read("node_modules/left/environment");
    assert!(environment.contains("npm_package_version='1.0.0'\n"), "{environment}");
    assert!(!environment.contains(password), "{environment}");
}

fn paths_below(dir: &std::path::Path) -> String {
    let mut paths = String::new();
    for entry in std::fs::read_dir(dir).expect("a directory").flatten() {
        paths += &entry.path().display().to_string();
        if entry.file_type().expect("an entry has a type").is_dir() {
            paths += &paths_below(&entry.path());
        }
    }
    paths
}

fn read_all(dir: &std::path::Path, contents: &mut Vec<Vec<u8>>) {
    for entry in std::fs::read_dir(dir).expect("a directory").flatten() {
        match entry.file_type().expect("an entry has a type") {
            kind if kind.is_dir() => read_all(&entry.path(), contents),
            kind if kind.is_file() => contents.push(std::fs::read(entry.path()).expect("a file")),
            _ => {}
        }
    }
}
