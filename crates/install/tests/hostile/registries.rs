//! A hostile registry: harmful packuments and tarballs.

use rusk_testkit::project::Project;
use rusk_testkit::registry::{Fault, Package, Server};

use super::{Goal, problem, run};

fn project(dependencies: &str) -> Project {
    Project::with(&[("package.json", &format!("{{ \"name\": \"app\", \"dependencies\": {dependencies} }}"))])
}

fn left() -> Server {
    Server::start([Package::new("left").version("1.0.0", "{}"), Package::new("right").version("1.0.0", "{}")])
}

/// Result of installing `left` when its packument has this one release, with these members besides
/// name and version.
fn outcome(server: &Server, members: &str) -> Result<Vec<String>, String> {
    let text = format!(
        "{{\"name\":\"left\",\"dist-tags\":{{\"latest\":\"1.0.0\"}},\"versions\":{{\"1.0.0\":{{\"name\":\"left\",\"version\":\"1.0.0\",{members}}}}}}}"
    );
    server.fail("/left", Fault::Body(text.into_bytes()), 1);
    let project = project("{ \"left\": \"*\" }");
    match run(&project, server, Goal::Install) {
        Ok(_) => Ok(project.tree("node_modules")),
        Err(problem) => Err(problem.to_string()),
    }
}

/// The newest version in a range is fetched while versions are still being resolved.
#[test]
fn a_failed_prefetch_of_an_unneeded_version_is_ignored() {
    let wants = |range: &str| format!("{{ \"dependencies\": {{ \"left\": \"{range}\" }} }}");
    let server = Server::start([
        Package::new("left").version("1.0.0", "{}").version("1.3.0", "{}"),
        Package::new("a").version("1.0.0", &wants("^1.0.0")),
        Package::new("b").version("1.0.0", &wants("~1.0.0")),
    ]);
    server.fail("/left/-/left-1.3.0.tgz", Fault::Status(404), 1);
    let fresh = project;
    let project = project("{ \"a\": \"*\", \"b\": \"*\" }");
    run(&project, &server, Goal::Install).expect("installed");
    assert_eq!(server.count("/left/-/left-1.3.0.tgz"), 1, "it was prefetched");
    assert!(project.read("bun.lock").contains("left@1.0.0"));
    server.fail("/left/-/left-1.0.0.tgz", Fault::Status(404), 1);
    let error = problem(&fresh("{ \"a\": \"*\", \"b\": \"*\" }"), &server);
    assert!(error.contains("left@1.0.0"), "{error}");
}

const INSTALLED: [&str; 2] = ["left/index.js", "left/package.json"];

#[test]
fn a_tarball_is_fetched_over_http_only() {
    let server = left();
    let secret = Project::with(&[("secret.tgz", "")]);
    let file = format!("file://{}", secret.path().join("secret.tgz").display());
    for address in [
        &file,
        "/etc/passwd",
        "ftp://h.test/x.tgz",
        "data:,x",
        "javascript:1",
        "git+ssh://h.test/x",
        "https://",
        "\u{1b}[2J",
    ] {
        let address = address.escape_default().to_string().replace("\\u{1b}", "\\u001b");
        let error =
            outcome(&server, &format!("\"dist\":{{\"tarball\":\"{address}\"}}")).expect_err("no address");
        assert!(error.contains("address") && !error.contains('\u{1b}'), "{address}: {error}");
    }
}

#[test]
fn a_redirect_is_followed_to_http_only() {
    let server = left();
    server.fail("/left/-/left-1.0.0.tgz", Fault::Redirect("file:///etc/passwd".to_owned()), 1);
    let error = problem(&project("{ \"left\": \"*\" }"), &server);
    assert!(error.contains("address"), "{error}");
}

#[test]
fn a_release_without_a_url_has_the_conventional_one() {
    assert_eq!(outcome(&left(), "\"dist\":{}"), Ok(INSTALLED.map(str::to_owned).to_vec()));
}

#[test]
fn the_strongest_supported_integrity_is_used() {
    let server = left();
    let sha512 = server.integrity("left", "1.0.0");
    let wrong_sha512 = server.integrity("right", "1.0.0");
    let shasum = shasum_of(&server);
    let wrong_shasum = "0".repeat(40);
    let url = format!("{}left/-/left-1.0.0.tgz", server.url());
    let check = |integrity: &str, shasum: &str, is_installed: bool| {
        let dist = format!(
            "\"dist\":{{\"tarball\":\"{url}\",\"integrity\":\"{integrity}\",\"shasum\":\"{shasum}\"}}"
        );
        let outcome = outcome(&server, &dist);
        assert_eq!(outcome.is_ok(), is_installed, "{integrity} {shasum}: {outcome:?}");
    };
    check(&sha512, "", true);
    check(&sha512, &wrong_shasum, true);
    check(&wrong_sha512, &shasum, false);
    check("", &shasum, true);
    check("", &wrong_shasum, false);
    check("md5-AAAA", &shasum, true);
    check("md5-AAAA", &wrong_shasum, false);
    check("sha3-512-AAAA", &wrong_shasum, false);
    check(&format!("md5-AAAA {wrong_sha512}"), &shasum, false);
    check("sha512-damaged", &wrong_shasum, false);
}

/// As the registry itself states it.
fn shasum_of(server: &Server) -> String {
    let package = Package::new("left").version("1.0.0", "{}");
    let packument = package.packument(server.url(), false);
    let (_, rest) = packument.split_once("\"shasum\":\"").expect("a shasum");
    rest[..40].to_owned()
}

#[test]
fn a_tarball_must_contain_the_expected_package() {
    let server = left();
    let dist = format!("\"dist\":{{\"tarball\":\"{}right/-/right-1.0.0.tgz\"}}", server.url());
    let error = outcome(&server, &dist).expect_err("another package");
    assert!(error.contains("`right`") && error.contains("`left`"), "{error}");
    let server = Server::start([Package::new("left").version("1.0.0", "{}").version("2.0.0", "{}")]);
    let dist = format!("\"dist\":{{\"tarball\":\"{}left/-/left-2.0.0.tgz\"}}", server.url());
    let error = outcome(&server, &dist).expect_err("another version");
    assert!(error.contains("`2.0.0`") && error.contains("`1.0.0`"), "{error}");
}

#[test]
fn a_dependency_name_is_not_a_path() {
    for name in [
        "../x",
        "/etc",
        "a/b",
        "@s",
        "@s/../x",
        ".bin",
        "node_modules",
        "__proto__",
        "a\\u001b[2J",
        "a\\u0000b",
        "",
    ] {
        for group in ["dependencies", "peerDependencies"] {
            let error = outcome(&left(), &format!("\"{group}\":{{\"{name}\":\"*\"}}")).expect_err("no name");
            assert!(
                error.contains("expected a package name") && !error.contains('\u{1b}'),
                "{name}: {error}"
            );
        }
        let optional = format!("\"optionalDependencies\":{{\"{name}\":\"*\"}}");
        assert_eq!(outcome(&left(), &optional), Ok(INSTALLED.map(str::to_owned).to_vec()), "{name}");
    }
}

#[test]
fn a_published_package_cannot_refer_to_local_files_or_workspaces() {
    for literal in
        ["file:../home", "link:../home", "file:/etc", "../x.tgz", "/etc/x.tgz", "workspace:*", "catalog:"]
    {
        let outcome = outcome(&left(), &format!("\"dependencies\":{{\"x\":\"{literal}\"}}"));
        let tree = outcome.unwrap_or_default();
        assert!(tree.is_empty() || tree == INSTALLED, "{literal}: {tree:?}");
    }
}

#[test]
fn a_version_is_not_a_path() {
    let server = left();
    for version in ["1.0.0/../../x", "../1.0.0", "1.0.0\\u001b[2J", "", "latest"] {
        let text = format!(
            "{{\"name\":\"left\",\"dist-tags\":{{\"latest\":\"{version}\"}},\"versions\":{{\"{version}\":{{}}}}}}"
        );
        server.fail("/left", Fault::Body(text.into_bytes()), 1);
        let error = problem(&project("{ \"left\": \"*\" }"), &server);
        assert!(error.contains("error[no-version]") && !error.contains('\u{1b}'), "{version}: {error}");
    }
}

#[test]
fn programs_are_in_their_package_and_do_not_impersonate_others() {
    let bins = r#"{ "bin": { "cli": "./index.js", "../../x": "index.js", "a": "../../../x", "b": "/etc/passwd",
        "node": "index.js", "npm": "index.js", "sh": "index.js", "..": "index.js" } }"#;
    let server = Server::start([Package::new("left").version("1.0.0", bins)]);
    let project = project("{ \"left\": \"*\" }");
    run(&project, &server, Goal::Install).expect("the good one is installed");
    assert_eq!(project.tree("node_modules/.bin"), ["cli -> ../left/index.js", "x -> ../left/index.js"]);
}

#[test]
fn many_versions_and_large_packuments_are_fast() {
    let server = left();
    let started = std::time::Instant::now();
    let mut versions: Vec<String> = (0..100_000).map(|patch| format!("\"0.0.{patch}\":{{}}")).collect();
    versions.push("\"1.0.0\":{\"dist\":{}}".to_owned());
    let padding = format!("\"readme\":\"{}\"", "x".repeat(50 << 20));
    let nested = format!("\"nested\":{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let text = format!("{{\"name\":\"left\",{padding},{nested},\"versions\":{{{}}}}}", versions.join(","));
    server.fail("/left", Fault::Body(text.into_bytes()), 1);
    let project = project("{ \"left\": \"^1.0.0\" }");
    run(&project, &server, Goal::Install).expect("large, and right");
    assert_eq!(project.tree("node_modules"), INSTALLED);
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

/// A package of which each version depends on the next: deeply nested, many at once.
#[test]
fn a_package_that_depends_on_all_its_versions_is_refused() {
    let chain = |length: usize| {
        let links = (1..=length).fold(Package::new("left"), |package, major| {
            let next = format!("{{ \"dependencies\": {{ \"left\": \"{}.0.0\" }} }}", major + 1);
            package.version(&format!("{major}.0.0"), if major < length { &next } else { "{}" })
        });
        Server::start([links])
    };
    let project = project("{ \"left\": \"1.0.0\" }");
    assert!(problem(&project, &chain(300)).contains("error[version-count]"));
    run(&project, &chain(5), Goal::Install).expect("five are not many");
    assert_eq!(project.tree("node_modules").len(), 10);
}

#[test]
fn a_cycle_is_installed() {
    let package = |name: &str, other: &str| {
        Package::new(name).version("1.0.0", &format!("{{ \"dependencies\": {{ \"{other}\": \"*\" }} }}"))
    };
    let server = Server::start([package("left", "right"), package("right", "left"), package("self", "self")]);
    let project = project("{ \"left\": \"*\", \"self\": \"*\" }");
    run(&project, &server, Goal::Install).expect("installed");
    assert_eq!(project.tree("node_modules").len(), 6);
}
