//! Approvals and grants in whole installs: of one tarball, and of packages whose scripts know of
//! each other. One must not get what the other was granted.

use std::fs;
use std::os::unix::fs::symlink;

use rusk_configuration::request::{Goal, Scripts};
use rusk_install::InstallRequest;
use rusk_testkit::project::Project;
use rusk_testkit::registry::{Package, Server};

use super::{ran, request, run};

/// A package and the integrity that an approval of its version 1.0.0 pins.
fn scripted(name: &str, command: &str, more: &str) -> (Package, String) {
    let manifest = format!(r#"{{ "scripts": {{ "postinstall": "{command}" }}{more} }}"#);
    let package = Package::new(name).version("1.0.0", &manifest);
    let integrity = package.integrity("1.0.0").expect("works on this machine").to_owned();
    (package, integrity)
}

fn approval(name: &str, integrity: &str, grants: &str) -> String {
    format!(r#""{name}@1.0.0": {{ "integrity": "{integrity}"{grants} }}"#)
}

fn manifest(dependencies: &str, approvals: &[String]) -> String {
    let approved = approvals.join(", ");
    format!(
        r#"{{ "dependencies": {{ {dependencies} }}, "rusk": {{ "approvedScripts": {{ {approved} }} }} }}"#
    )
}

/// `maker` may write to `shared`, where it makes a link to the home; `user` was granted what is now
/// that link.
fn with_link(grant: &str, command: &str) -> (Server, String, String) {
    let (maker, of_maker) =
        scripted("maker", "rm -rf ../../shared/inner; ln -s $PWD/../../../home ../../shared/inner", "");
    let (user, of_user) = scripted("user", command, r#", "dependencies": { "maker": "1" }"#);
    let maker_approval = approval("maker", &of_maker, r#", "write": ["shared"]"#);
    (Server::start([maker, user]), maker_approval, approval("user", &of_user, grant))
}

#[test]
fn a_grant_does_not_lead_through_the_link_of_another_script() {
    for (grant, command) in [
        (r#", "write": ["shared/inner"]"#, "echo evil > ../../shared/inner/.bashrc"),
        (r#", "write": ["shared/inner/deep/new"]"#, "true"),
        (r#", "read": ["shared/inner"]"#, "cp ../../shared/inner/.npmrc ."),
    ] {
        let (server, maker, user) = with_link(grant, command);
        let both = manifest(r#""maker": "1", "user": "1""#, &[maker, user]);
        let project = Project::with(&[("package.json", &both)]);
        fs::write(project.home().join(".npmrc"), "a secret").expect("works on this machine");
        let problem = run(&project, &server, &request()).unwrap_err();
        assert!(problem.message().contains("a symbolic link that a script may have made"), "{problem}");
        assert!(!project.home().join(".bashrc").exists() && !project.home().join("deep").exists(), "{grant}");
        assert!(project.find("node_modules/user/.npmrc").is_none(), "{grant}");
    }
}

/// Neither without the maker's approval, nor without node_modules.
#[test]
fn a_link_of_an_earlier_install_is_not_followed() {
    let (server, maker, user) =
        with_link(r#", "write": ["shared/inner"]"#, "echo evil > ../../shared/inner/x");
    let project = Project::with(&[("package.json", &manifest(r#""maker": "1""#, &[maker]))]);
    assert_eq!(ran(&project, &server), ["maker@1.0.0"]);
    project.write("package.json", manifest(r#""maker": "1", "user": "1""#, &[user]));
    for goal in [Goal::Install, Goal::Clean] {
        let problem = run(&project, &server, &InstallRequest { goal, ..request() }).unwrap_err();
        assert!(problem.message().contains("a symbolic link that a script may have made"), "{problem}");
    }
    assert!(!project.home().join("x").exists());
}

#[test]
fn links_of_the_user_lead_to_grants() {
    let (package, integrity) = scripted("cached", "echo built > ../../cache/of/this/built", "");
    let server = Server::start([package]);
    let project = Project::new();
    fs::create_dir_all(project.home().join("real")).expect("works on this machine");
    symlink(project.home().join("real"), project.path().join("cache")).expect("works on this machine");
    let approved = approval("cached", &integrity, r#", "write": ["cache/of/this"]"#);
    project.write("package.json", manifest(r#""cached": "1""#, &[approved]));
    assert_eq!(ran(&project, &server), ["cached@1.0.0"]);
    assert!(project.home().join("real/of/this/built").exists());
}

/// `outer` ran when it had no package in its directory; then `inner` 1.0.0 is nested there.
#[test]
fn a_package_that_is_nested_later_does_not_use_its_grants() {
    let (outer, of_outer) = scripted(
        "outer",
        "mkdir -p node_modules/helper; echo planted > node_modules/helper/index.js",
        r#", "dependencies": { "inner": "1" }"#,
    );
    let (inner, of_inner) = scripted("inner", "touch it-ran", "");
    let server = Server::start([outer, inner.version("2.0.0", "{}")]);
    let outer = approval("outer", &of_outer, "");
    let project =
        Project::with(&[("package.json", &manifest(r#""outer": "1""#, std::slice::from_ref(&outer)))]);
    assert_eq!(ran(&project, &server), ["outer@1.0.0"]);
    let inner = approval("inner", &of_inner, r#", "read": ["package.json"]"#);
    let both = r#""outer": "1", "inner": "2""#;
    let nested = manifest(both, &[outer, inner.clone()]);
    project.write("package.json", &nested);
    for _ in 0..2 {
        assert_eq!(run(&project, &server, &request()).unwrap_err().code(), "enclosed-script");
    }
    project.write("package.json", manifest(both, &[]));
    let without = InstallRequest { scripts: Scripts::Ignore, ..request() };
    run(&project, &server, &without).expect("works on this machine");
    run(&project, &server, &request()).expect("works on this machine");
    project.write("package.json", manifest(both, &[inner]));
    assert_eq!(
        run(&project, &server, &request()).unwrap_err().code(),
        "enclosed-script",
        "what the script changed stays when its approval does not"
    );
    project.write("package.json", &nested);
    fs::remove_dir_all(project.path().join("node_modules/outer")).expect("works on this machine");
    assert_eq!(ran(&project, &server), ["inner@1.0.0", "outer@1.0.0"]);
}

/// A directory and an alias whose packages call themselves, or are called, as a trusted one.
#[test]
fn a_name_approves_what_the_registry_or_the_project_calls_so() {
    let (left, _) = scripted("left", "touch it-ran", "");
    let server = Server::start([left]);
    let directory =
        r#"{ "name": "esbuild", "version": "1.0.0", "scripts": { "postinstall": "touch it-ran" } }"#;
    let runs = |trusted: &str| {
        let manifest = format!(
            r#"{{ "dependencies": {{ "foo": "file:./dir", "bar": "npm:left@1" }}, "trustedDependencies": ["{trusted}"] }}"#
        );
        let project = Project::with(&[("package.json", &manifest), ("dir/package.json", directory)]);
        let ran = ran(&project, &server);
        let found = ["foo", "bar"].map(|key| project.find(&format!("node_modules/{key}/it-ran")).is_some());
        assert_eq!(found.iter().filter(|found| **found).count(), ran.len(), "{trusted}");
        ran
    };
    assert!(runs("esbuild").is_empty(), "what a directory says of itself");
    assert!(runs("bar").is_empty(), "an alias of a release");
    assert_eq!(runs("foo"), ["esbuild@file:dir"]);
    assert_eq!(runs("left"), ["left@1.0.0"]);
}

/// `outer` with `inner@1` nested in its directory, which its script changes; they need each other.
fn nested_packages() -> [Package; 2] {
    let outer = r#"{ "dependencies": { "inner": "1" }, "scripts": { "install": "touch node_modules/inner/changed" } }"#;
    let inner = r#"{ "dependencies": { "outer": "1" }, "scripts": { "install": "test ! -e changed && touch it-ran" } }"#;
    [
        Package::new("outer").version("1.0.0", outer),
        Package::new("inner").version("1.0.0", inner).version("2.0.0", "{}"),
    ]
}

fn nesting(approvals: &str) -> String {
    format!(r#"{{ "dependencies": {{ "outer": "1", "inner": "2" }}, {approvals} }}"#)
}

#[test]
fn a_nested_package_runs_before_the_one_around_it() {
    let server = Server::start(nested_packages());
    let approvals = r#""trustedDependencies": ["outer", "inner"]"#;
    let project = Project::with(&[("package.json", &nesting(approvals))]);
    assert_eq!(ran(&project, &server), ["inner@1.0.0", "outer@1.0.0"]);
    assert!(project.find("node_modules/outer/node_modules/inner/it-ran").is_some());
    assert!(project.find("node_modules/outer/node_modules/inner/changed").is_some());
    assert!(ran(&project, &server).is_empty());
}

#[test]
fn grants_are_not_used_in_a_changed_package() {
    let packages = nested_packages();
    let integrity = packages[1].integrity("1.0.0").expect("works on this machine").to_owned();
    let server = Server::start(packages);
    let only_outer = r#""trustedDependencies": ["outer"]"#;
    let project = Project::with(&[("package.json", &nesting(only_outer))]);
    assert_eq!(ran(&project, &server), ["outer@1.0.0"]);
    let approvals = |grants: &str| {
        let inner = format!(r#"{{ "integrity": "{integrity}"{grants} }}"#);
        nesting(&format!(r#"{only_outer}, "rusk": {{ "approvedScripts": {{ "inner@1.0.0": {inner} }} }}"#))
    };
    project.write("package.json", approvals(r#", "read": ["package.json"]"#));
    assert_eq!(run(&project, &server, &request()).unwrap_err().code(), "enclosed-script");
    project.write("package.json", approvals(""));
    assert_eq!(run(&project, &server, &request()).unwrap_err().code(), "script-failed", "it runs");
    fs::remove_dir_all(project.path().join("node_modules/outer")).expect("works on this machine");
    project.write("package.json", approvals(r#", "read": ["package.json"]"#));
    assert_eq!(ran(&project, &server), ["inner@1.0.0", "outer@1.0.0"]);
}

#[test]
fn a_pinned_approval_is_of_one_tarball() {
    let (package, integrity) = scripted("scripted", "touch it-ran", "");
    let server = Server::start([package]);
    let project = Project::with(&[("package.json", r#"{ "dependencies": { "scripted": "1" } }"#)]);
    let approve = |integrity: &str| {
        let approved = format!(r#"{{ "approvedScripts": {{ "scripted@1.0.0": "{integrity}" }} }}"#);
        project.write(
            "package.json",
            format!(r#"{{ "dependencies": {{ "scripted": "1" }}, "rusk": {approved} }}"#),
        );
    };
    approve("sha512-another");
    assert!(ran(&project, &server).is_empty());
    approve(&integrity);
    assert_eq!(ran(&project, &server), ["scripted@1.0.0"]);
}

/// A lockfile may have any URL, with the integrity of what is there.
#[test]
fn a_name_does_not_approve_a_tarball_from_elsewhere() {
    let (published, _) = scripted("scripted", "touch ran", "");
    let (other, integrity) = scripted("scripted", "touch other-ran", "");
    let (server, elsewhere) = (Server::start([published]), Server::start([other]));
    let lock = format!(
        r#"{{ "lockfileVersion": 1, "workspaces": {{ "": {{ "dependencies": {{ "scripted": "1" }} }} }},
        "packages": {{ "scripted":
          ["scripted@1.0.0", "{}scripted/-/scripted-1.0.0.tgz", {{}}, "{integrity}"] }} }}"#,
        elsewhere.url()
    );
    let by_name = [
        r#""trustedDependencies": ["scripted"]"#,
        r#""allowScripts": { "scripted@1.0.0": true }"#,
        r#""pnpm": { "onlyBuiltDependencies": ["scripted"] }"#,
    ];
    for approvals in by_name {
        let manifest = format!(r#"{{ "dependencies": {{ "scripted": "1" }}, {approvals} }}"#);
        let project = Project::with(&[("package.json", &manifest), ("bun.lock", &lock)]);
        let summary = run(&project, &server, &request()).expect("works on this machine");
        let expected = (vec![], vec!["scripted@1.0.0".to_owned()]);
        assert_eq!((summary.scripts_run, summary.scripts_held_back), expected, "{approvals}");
    }
    let approved = manifest(r#""scripted": "1""#, &[approval("scripted", &integrity, "")]);
    let project = Project::with(&[("package.json", &approved), ("bun.lock", &lock)]);
    assert_eq!(ran(&project, &server), ["scripted@1.0.0"], "an approval of this tarball");
}
