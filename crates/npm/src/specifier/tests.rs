//! Every kind of specifier, by one line each. What is read is shown as `kind text`.

use super::*;

fn shown(specifier: &Specifier) -> String {
    match specifier {
        Specifier::Npm { name, range, .. } => format!("npm {name} {range}"),
        Specifier::DistTag { name, tag, .. } => format!("tag {name} {tag}"),
        Specifier::Workspace(rest) => format!("workspace {rest}"),
        Specifier::Directory(path) => format!("directory {path}"),
        Specifier::Link(path) => format!("link {path}"),
        Specifier::TarballPath(path) => format!("tarball {path}"),
        Specifier::TarballUrl(url) => format!("url {url}"),
        Specifier::Git { url, committish, .. } => format!("git {url}{committish}"),
        Specifier::Github { owner, repo, committish } => format!("github {owner}/{repo}{committish}"),
        Specifier::Catalog { group } => format!("catalog {}", group.as_deref().unwrap_or("-")),
    }
}

/// Also: what it displays as is read as the same.
fn check(literal: &str, wanted: &str) {
    let specifier = Specifier::parse("left", literal).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(shown(&specifier), wanted, "{literal}");
    let again =
        Specifier::parse("left", &specifier.to_string()).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(again, specifier, "{literal}");
}

fn check_refused(literal: &str) {
    let found = Specifier::parse("left", literal).map(|specifier| shown(&specifier));
    assert!(found.is_err(), "{literal:?} is {found:?}");
}

fn check_request(text: &str, name: Option<&str>, wanted: &str) {
    let request = Specifier::parse_request(text).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(request.name.as_ref().map(PackageName::as_str), name, "{text}");
    assert_eq!(shown(&request.specifier), wanted, "{text}");
}

#[test]
fn ranges_and_tags_go_to_the_registry() {
    check("^1.2.3", "npm left >=1.2.3 <2.0.0-0");
    check(" 1.2.3\n", "npm left 1.2.3");
    check("", "npm left *");
    check("*", "npm left *");
    check("~1 || >=3 <4", "npm left >=1.0.0 <2.0.0-0||>=3.0.0 <4.0.0-0");
    check("latest", "tag left latest");
    check("v2-latest", "tag left v2-latest");
    check("next.1", "tag left next.1");
}

#[test]
fn packages_of_jsr_have_names_of_npm() {
    check("jsr:@s/p@^1", "npm @jsr/s__p >=1.0.0 <2.0.0-0");
    check("jsr:@s/p", "npm @jsr/s__p *");
    check("jsr:@s/p@beta", "tag @jsr/s__p beta");
    for literal in ["jsr:^1", "jsr:", "jsr:left@1", "jsr:@s@1", "jsr:@../p@1", "jsr:@s/p/q@1"] {
        check_refused(literal);
    }
    let specifier = Specifier::parse("@s/p", "jsr:^1").unwrap();
    assert_eq!(shown(&specifier), "npm @jsr/s__p >=1.0.0 <2.0.0-0");
    assert_eq!(specifier.to_string(), "jsr:@s/p@^1");
}

#[test]
fn an_alias_names_another_package() {
    check("npm:right@^1", "npm right >=1.0.0 <2.0.0-0");
    check("npm:@scope/right@beta", "tag @scope/right beta");
    check("npm:@scope/right", "npm @scope/right *");
    check("npm:right", "npm right *");
    check_refused("npm:");
    check_refused("npm:../x@1");
    check_refused("npm:right@npm:x@1");
    check_refused("npm:right@file:../x");
}

#[test]
fn workspaces_links_and_catalogs_keep_their_text() {
    check("workspace:*", "workspace *");
    check("workspace:^1.0.0", "workspace ^1.0.0");
    check("workspace:./path", "workspace ./path");
    check("link:../x", "link ../x");
    check("catalog:", "catalog -");
    check("catalog: react18 ", "catalog react18");
}

#[test]
fn paths_are_dirs_or_tarballs() {
    check("./x", "directory ./x");
    check("../x", "directory ../x");
    check("/x/y", "directory /x/y");
    check("~/x", "directory ~/x");
    check(".", "directory .");
    check("file:x", "directory x");
    check("file:", "directory .");
    check("file:../x", "directory ../x");
    check("file:./x", "directory ./x");
    check("file:///x", "directory /x");
    check("file://x", "directory /x");
    check("file:/../x", "directory ../x");
    check("file://../x", "directory ../x");
    check("file:/~/x", "directory ~/x");
    check("file:/~x", "directory /~x");
    check("file:/.x", "directory /.x");
    check("file:x.tgz", "tarball x.tgz");
    check("../x.tar.gz", "tarball ../x.tar.gz");
    check("x.TGZ", "tarball x.TGZ");
    check("a/b.tar", "tarball a/b.tar");
}

#[test]
fn repositories_of_github_are_fetched_as_tarballs() {
    check("user/repo", "github user/repo");
    check("user/repo#main", "github user/repo#main");
    check("user/repo#feature/x@2", "github user/repo#feature/x@2");
    check("user/repo#semver:^1.2", "github user/repo#semver:^1.2");
    check("github:user/repo.git#v1", "github user/repo#v1");
    check("git://github.com/user/repo", "github user/repo");
    check("git+https://github.com/user/repo.git#v1", "github user/repo#v1");
    check("https://github.com/user/repo", "github user/repo");
    check("https://www.github.com/user/repo/", "github user/repo");
    check("https://github.com/user/repo/tree/feature/x", "github user/repo#feature/x");
    check_refused("github:user");
    check_refused("github:user/repo/more");
    check_refused("user/repo/more");
    check_refused("user/..");
    check_refused("user/repo.git.git");
    check_refused("-user/repo");
}

#[test]
fn other_repositories_are_cloned() {
    check("git@github.com:user/repo", "git git@github.com:user/repo");
    check("git@github.com:user/repo.git#v1", "git git@github.com:user/repo.git#v1");
    check("git+ssh://git@github.com/user/repo#v1", "git ssh://git@github.com/user/repo#v1");
    check("git+ssh://git@host.test:user/repo", "git git@host.test:user/repo");
    check("git+ssh://git@host.test:1234/repo", "git ssh://git@host.test:1234/repo");
    check("git+ssh://git@host.test/repo#semver:%5E1.2", "git ssh://git@host.test/repo#semver:%5E1.2");
    check("ssh://git@host.test/repo", "git ssh://git@host.test/repo");
    check("host.test:user/repo.git", "git host.test:user/repo.git");
    check("git://host.test/repo", "git git://host.test/repo");
    check("git+https://host.test/repo#v1", "git https://host.test/repo#v1");
    check("git+file:///x/repo", "git file:///x/repo");
    check("https://user:secret@github.com/user/repo", "git https://user:secret@github.com/user/repo");
    check("https://gitlab.com/group/sub/repo.git", "git https://gitlab.com/group/sub/repo.git");
    check("https://bitbucket.org/user/repo", "git https://bitbucket.org/user/repo");
    check("gitlab:group/sub/repo#v1", "git https://gitlab.com/group/sub/repo.git#v1");
    check("bitbucket:user/repo", "git https://bitbucket.org/user/repo.git");
    check("gist:11081aaa281", "git https://gist.github.com/11081aaa281.git");
    check("sourcehut:~user/repo", "git https://git.sr.ht/~user/repo.git");
}

#[test]
fn other_urls_are_tarballs() {
    for url in [
        "https://host.test/x.tgz",
        "http://host.test/x",
        "https://host.test:8080/x?y=z#w",
        "https://github.com/user/repo/tarball/main",
        "https://github.com/user/repo/archive/main.tar.gz",
        "https://gitlab.com/user/repo/-/archive/main.tar.gz",
        "https://bitbucket.org/user/repo/get/main.zip",
    ] {
        check(url, &format!("url {url}"));
    }
}

#[test]
fn what_is_nothing_of_this_is_refused() {
    for literal in [
        "a b",
        "tag/",
        "latest?",
        "exec:./x",
        "patch:left@1#x",
        "ext::sh -c x",
        "https://",
        "https://host test/x",
        "git+ssh://-oProxyCommand=x/y",
        "git+ssh://git@-oProxyCommand=x/y",
        "-oProxyCommand=x@host.test:repo",
        "user/repo#--upload-pack=x",
        "user/repo#a..b",
        "user/repo#path:dist",
        "user/repo#semver:nothing",
        "1.2.3\0",
        "./x\ny",
        "git@host.test:",
    ] {
        check_refused(literal);
    }
    assert!(Specifier::parse("../left", "1").is_err());
    check_refused(&"1".repeat(SPECIFIER_BYTES_MAX + 1));
}

#[test]
fn the_owner_of_a_host_is_known() {
    let forge = |literal| match Specifier::parse("left", literal) {
        Ok(Specifier::Git { forge, .. }) => forge,
        other => panic!("{other:?}"),
    };
    assert_eq!(forge("git@github.com:user/repo"), Some(Forge::Github));
    assert_eq!(forge("gitlab:user/repo"), Some(Forge::Gitlab));
    assert_eq!(forge("git+https://host.test/repo"), None);
}

#[test]
fn a_request_carries_its_name() {
    check_request("left", Some("left"), "tag left latest");
    check_request("left@", Some("left"), "tag left latest");
    check_request("left@^1", Some("left"), "npm left >=1.0.0 <2.0.0-0");
    check_request("@s/p", Some("@s/p"), "tag @s/p latest");
    check_request("@s/p@beta", Some("@s/p"), "tag @s/p beta");
    check_request("alias@npm:x@1.0.0", Some("alias"), "npm x 1.0.0");
    check_request("npm:x@1.0.0", Some("x"), "npm x 1.0.0");
    check_request("jsr:@s/p", Some("@s/p"), "tag @jsr/s__p latest");
    check_request("jsr:@s/p@^1", Some("@s/p"), "npm @jsr/s__p >=1.0.0 <2.0.0-0");
    check_request("alias@jsr:@s/p@1.0.0", Some("alias"), "npm @jsr/s__p 1.0.0");
    check_request("@s/p@jsr:1.0.0", Some("@s/p"), "npm @jsr/s__p 1.0.0");
    check_request("left@file:../x", Some("left"), "directory ../x");
    check_request("left@user/repo#v1@2", Some("left"), "github user/repo#v1@2");
    check_request("@s/p@git+ssh://git@host.test/repo", Some("@s/p"), "git ssh://git@host.test/repo");
    check_request("left@https://host.test/x.tgz", Some("left"), "url https://host.test/x.tgz");
    check_request("left@workspace:*", Some("left"), "workspace *");
    check_request("./directory", None, "directory ./directory");
    check_request("../left@1.0.0", None, "directory ../left@1.0.0");
    check_request("left-1.0.0.tgz", None, "tarball left-1.0.0.tgz");
    check_request("user/repo#v1@2", None, "github user/repo#v1@2");
    check_request("git@host.test:user/repo", None, "git git@host.test:user/repo");
    check_request("https://host.test/x@1.tgz", None, "url https://host.test/x@1.tgz");
    for text in ["", "@s", "a b", "left@a b", "user/repo/more", "@/x@1"] {
        assert!(Specifier::parse_request(text).is_err(), "{text}");
    }
}
