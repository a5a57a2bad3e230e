//! Commits of repositories made by the test: which one is found, what is stored of it, what is
//! refused.

use std::path::PathBuf;
use std::process::Command;

use rusk_testkit::project::Project;

use super::*;

/// A repository, a cache and a store.
struct Fixture {
    project: Project,
    environment: Environment,
    store: Store,
}

impl Fixture {
    /// A repository of three commits, on `main` except for the second: tags `v1.0.0`, `v1.1.0` on
    /// `feature/x`, `release-2.0.0` with a message, and `3.0.0-rc.1`.
    fn new() -> Fixture {
        let fixture = Fixture::empty();
        fixture.commit(r#"{"name":"left","version":"1.0.0"}"#);
        fixture.git("tag v1.0.0");
        fixture.git("checkout -q -b feature/x");
        fixture.commit(r#"{"name":"left","version":"1.1.0"}"#);
        fixture.git("tag v1.1.0");
        fixture.git("checkout -q main");
        fixture.commit(r#"{"name":"left","version":"2.0.0"}"#);
        fixture.git("tag -a -m annotated release-2.0.0");
        fixture.git("tag 3.0.0-rc.1");
        fixture
    }

    fn empty() -> Fixture {
        let project = Project::new();
        let environment = environment(&project);
        let store = Store::open(&project.path().join("store")).expect("a store");
        let fixture = Fixture { project, environment, store };
        std::fs::create_dir_all(fixture.repository()).expect("a directory");
        fixture.git("init -q -b main");
        fixture
    }

    fn repository(&self) -> PathBuf {
        self.project.path().join("repository")
    }

    /// Arguments must not contain blanks; returns git's output.
    fn git(&self, arguments: &str) -> String {
        let mut command = Command::new("git");
        command.current_dir(self.repository()).env_clear().envs(&self.environment);
        command.args(["-c", "user.name=a", "-c", "user.email=a@mail.test"]);
        let output = command.args(arguments.split(' ')).output().expect("git runs");
        assert!(output.status.success(), "git {arguments}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    }

    fn write(&self, path: &str, text: &str) {
        self.project.write(&format!("repository/{path}"), text);
    }

    fn commit(&self, manifest: &str) {
        self.write("package.json", manifest);
        self.git("add -A");
        self.git("commit -q -m x");
    }

    fn wanted(&self, committish: &str) -> RepositorySource {
        wanted(&format!("git+file://{}{committish}", self.repository().display()))
    }

    fn fetch(&self, committish: &str) -> Result<FetchedCommit> {
        fetch(&self.wanted(committish), &self.project.path().join("cache"), &self.environment, &self.store)
    }

    /// The committish resolves to the version, and to the commit that git resolves the reference
    /// to.
    fn check(&self, committish: &str, version: &str, reference: &str) {
        let found = self.fetch(committish).unwrap_or_else(|problem| panic!("{committish}: {problem}"));
        assert_eq!(found.package.index.manifest.version, version, "{committish}");
        assert_eq!(found.commit, self.git(&format!("rev-parse {reference}^{{commit}}")), "{committish}");
        assert!(found.manifest_text.contains(version), "{committish}");
        assert_eq!(self.store.find(&found.key).expect("looked"), Some(found.package), "{committish}");
    }

    fn check_refused(&self, committish: &str, code: &str) {
        let problem = self.fetch(committish).expect_err(committish);
        assert_eq!(problem.code(), code, "{committish}: {problem}");
    }
}

pub(super) fn environment(project: &Project) -> Environment {
    let home = project.home().display().to_string();
    let path = "/usr/local/bin:/usr/bin:/bin".to_owned();
    [("PATH".to_owned(), path), ("HOME".to_owned(), home)].into()
}

fn wanted(literal: &str) -> RepositorySource {
    RepositorySource::of(&Specifier::parse("left", literal).expect("a specifier")).expect("a repository")
}

#[test]
fn a_committish_resolves_to_its_commit() {
    let fixture = Fixture::new();
    fixture.check("", "2.0.0", "main");
    fixture.check("#main", "2.0.0", "main");
    fixture.check("#feature/x", "1.1.0", "feature/x");
    fixture.check("#refs/heads/feature/x", "1.1.0", "feature/x");
    fixture.check("#v1.0.0", "1.0.0", "v1.0.0");
    fixture.check("#release-2.0.0", "2.0.0", "main");
    fixture.check(&format!("#{}", fixture.git("rev-parse v1.0.0")), "1.0.0", "v1.0.0");
    fixture.check(&format!("#{}", &fixture.git("rev-parse v1.1.0")[..8]), "1.1.0", "v1.1.0");
    fixture.check("#semver:^1.0.0", "1.1.0", "v1.1.0");
    fixture.check("#semver:1.0.x", "1.0.0", "v1.0.0");
    fixture.check("#semver:>=1", "2.0.0", "main");
    fixture.check("#semver:*", "2.0.0", "main");
}

#[test]
fn a_committish_without_a_commit_is_refused() {
    let fixture = Fixture::new();
    fixture.check_refused("#nope", "no-commit");
    fixture.check_refused("#semver:^9.0.0", "no-commit");
    fixture.check_refused("#0123456789012345678901234567890123456789", "no-commit");
    fixture.check_refused("#refs/pull/1/head", "no-commit");
    fixture.git("rm -q --cached package.json");
    fixture.git("commit -q -m without");
    fixture.check_refused("", "no-manifest");
    std::fs::remove_dir_all(fixture.repository()).expect("removed");
    fixture.check_refused("", "git-failed");
}

#[test]
fn a_commit_on_no_branch_is_found_by_hash_and_by_name() {
    let fixture = Fixture::new();
    fixture.check("#main", "2.0.0", "main");
    fixture.git("checkout -q --detach");
    fixture.commit(r#"{"name":"left","version":"4.0.0"}"#);
    fixture.git("update-ref refs/pull/1/head HEAD");
    fixture.git("config uploadpack.allowAnySHA1InWant true");
    fixture.check("#refs/pull/1/head", "4.0.0", "HEAD");
    fixture.check(&format!("#{}", fixture.git("rev-parse HEAD")), "4.0.0", "HEAD");
}

#[test]
fn branches_are_fetched_and_tags_and_hashes_need_no_network() {
    let fixture = Fixture::new();
    fixture.check("", "2.0.0", "main");
    fixture.git("branch -D -q feature/x");
    fixture.commit(r#"{"name":"left","version":"5.0.0"}"#);
    fixture.git("branch feature");
    fixture.check("#main", "5.0.0", "main");
    fixture.check("", "5.0.0", "main");
    fixture.check("#feature", "5.0.0", "main");
    let hash = fixture.git("rev-parse v1.0.0");
    std::fs::remove_dir_all(fixture.repository()).expect("removed");
    assert_eq!(fixture.fetch("#v1.0.0").expect("in the mirror").commit, hash);
    assert_eq!(fixture.fetch(&format!("#{hash}")).expect("in the mirror").commit, hash);
    assert_eq!(fixture.fetch(&format!("#{}", &hash[..7])).expect("in the mirror").commit, hash);
    fixture.check_refused("#main", "git-failed");
    assert_eq!(fixture.fetch("#v1.0.0").expect("the mirror is still there").commit, hash);
}

#[test]
fn the_tree_is_stored_like_a_checkout_with_the_tag() {
    let fixture = Fixture::empty();
    fixture.write(".gitattributes", "hidden export-ignore\nsubst export-subst\n*.txt text eol=crlf\n");
    fixture.write("hidden", "h");
    fixture.write("subst", "$Format:%H$");
    fixture.write("lines.txt", "a\n");
    fixture.write("lib/run", "#!/bin/sh\n");
    std::os::unix::fs::symlink("/etc/passwd", fixture.repository().join("link")).expect("linked");
    let run = fixture.repository().join("lib/run");
    std::fs::set_permissions(run, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("executable");
    fixture.commit(r#"{"name":"left","version":"1.0.0"}"#);
    let found = fixture.fetch("").expect("found");
    let files: Vec<&str> =
        found.package.index.listing().expect("plain").files().map(|file| file.path).collect();
    assert_eq!(
        files,
        [".bun-tag", ".gitattributes", "hidden", "lib/run", "lines.txt", "package.json", "subst"]
    );
    let modes: Vec<u16> =
        found.package.index.listing().expect("plain").files().map(|file| file.mode & 0o111).collect();
    assert_eq!(modes, [0, 0, 0, 0o111, 0, 0, 0]);
    let stored = |path: &str| fixture.store.find_file(&found.package, path).expect("a file of it");
    let text = |path: &str| std::fs::read_to_string(stored(path)).expect("stored");
    assert_eq!(text(".bun-tag"), found.commit);
    assert_eq!(text("subst"), "$Format:%H$");
    assert_eq!(text("lines.txt"), "a\r\n");
}

#[test]
fn a_damaged_mirror_is_made_again() {
    let fixture = Fixture::new();
    fixture.check("#main", "2.0.0", "main");
    let dir = fixture.project.path().join("cache/git");
    let mut entries = std::fs::read_dir(&dir).expect("listed").map(|entry| entry.expect("read").path());
    let mirror = entries.find(|path| path.is_dir()).expect("a mirror");
    fixture.commit(r#"{"name":"left","version":"6.0.0"}"#);
    // A lock file as left by a killed fetch.
    std::fs::write(mirror.join("refs/heads/main.lock"), "").expect("written");
    fixture.check("#main", "6.0.0", "main");
    std::fs::remove_dir_all(mirror.join("objects")).expect("removed");
    fixture.check("#v1.0.0", "1.0.0", "v1.0.0");
    std::fs::create_dir_all(mirror.with_extension("staging").join("left/over")).expect("made");
    std::fs::remove_dir_all(&mirror).expect("removed");
    fixture.check("#main", "6.0.0", "main");
    assert!(!mirror.with_extension("staging").exists());
}

#[test]
fn concurrent_fetches_share_one_mirror() {
    let fixture = Fixture::new();
    let commit = fixture.git("rev-parse v1.1.0");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(fixture.fetch("#v1.1.0").expect("found").commit, commit));
        }
    });
}

#[test]
fn the_environment_does_not_redirect_git() {
    let mut fixture = Fixture::new();
    let other = fixture.project.path().join("elsewhere").display().to_string();
    let hooks = fixture.project.path().join("hooks");
    fixture.project.write("hooks/reference-transaction", "#!/bin/sh\ntouch \"$0.ran\"\n");
    fixture.project.make_executable("hooks/reference-transaction");
    fixture.project.write("../home/.gitconfig", format!("[core]\nhooksPath = {}\n", hooks.display()));
    let before = fixture.environment.clone();
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_TEMPLATE_DIR", "GIT_OBJECT_DIRECTORY"] {
        fixture.environment.insert(name.to_owned(), other.clone());
    }
    let hostile = [("COUNT", "1"), ("KEY_0", "core.gitProxy"), ("VALUE_0", "x"), ("PARAMETERS", "'bad")];
    for (name, value) in hostile {
        fixture.environment.insert(format!("GIT_CONFIG_{name}"), value.to_owned());
    }
    let found = fixture.fetch("#main").expect("found");
    fixture.environment = before;
    assert_eq!(found.commit, fixture.git("rev-parse main"));
    // Check the setting itself: git commands of this test ran the hook, if this git supports it.
    std::fs::remove_file(hooks.join("reference-transaction.ran")).ok();
    fixture.commit(r#"{"name":"left","version":"7.0.0"}"#);
    std::fs::remove_file(hooks.join("reference-transaction.ran")).expect("the hook runs for git itself");
    fixture.fetch("#main").expect("found");
    assert!(!hooks.join("reference-transaction.ran").exists());
    assert!(!std::path::Path::new(&other).exists());
}

#[test]
fn a_missing_git_is_reported() {
    let mut fixture = Fixture::new();
    fixture.environment.insert("PATH".to_owned(), fixture.project.home().display().to_string());
    let problem = fixture.fetch("").expect_err("no git");
    assert_eq!(problem.code(), "no-git");
    assert!(problem.to_string().contains("hint: install git"));
}

#[test]
fn addresses_and_references_that_git_or_ssh_would_misread_are_refused() {
    let code = |url: &str, reference: &str| {
        let committish = Committish::Reference(reference.into());
        check(&RepositorySource { url: url.to_owned(), committish }).err().map(|problem| problem.code())
    };
    let address = Some("git-address");
    assert_eq!(code("https://host.test/x", "main"), None);
    assert_eq!(code("git@host.test:x", "main"), None);
    assert_eq!(code("host.test:x", "main"), None);
    assert_eq!(code("ssh://git@host.test:22/x", "main"), None);
    assert_eq!(code("-x", "main"), address);
    assert_eq!(code("--upload-pack=x", "main"), address);
    assert_eq!(code("ext::sh -c x", "main"), address);
    assert_eq!(code("ext::x", "main"), address);
    assert_eq!(code("ext://x", "main"), address);
    assert_eq!(code("ssh://-oProxyCommand=x/y", "main"), address);
    assert_eq!(code("ssh://git@-oProxyCommand=x/y", "main"), address);
    assert_eq!(code("-oProxyCommand=x:y", "main"), address);
    assert_eq!(code("git@-oProxyCommand=x:y", "main"), address);
    assert_eq!(code("../x", "main"), address);
    assert_eq!(code("/x", "main"), address);
    assert_eq!(code("file://x", "main"), address);
    assert_eq!(code("https://host.test/x y", "main"), address);
    assert_eq!(code("", "main"), address);
    let reference = Some("git-reference");
    assert_eq!(code("https://host.test/x", "-x"), reference);
    assert_eq!(code("https://host.test/x", "--output=x"), reference);
    assert_eq!(code("https://host.test/x", "a..b"), reference);
    assert_eq!(code("https://host.test/x", "a b"), reference);
    assert_eq!(code("https://host.test/x", "a:b"), reference);
    assert_eq!(code("https://host.test/x", ""), reference);
}

#[test]
fn no_password_is_shown() {
    let shown =
        |url: &str| RepositorySource { url: url.to_owned(), committish: Committish::Head }.shown_url();
    assert_eq!(shown("https://user:secret@host.test/x@y"), "https://host.test/x@y");
    assert_eq!(shown("https://secret@host.test/x"), "https://host.test/x");
    assert_eq!(shown("ssh://git@host.test/x"), "ssh://git@host.test/x");
    assert_eq!(shown("git@host.test:x"), "git@host.test:x");
}

/// As bun 1.4.5 named them: `["repo.git@git+file:///tmp/user/repo.git#…", …]`.
#[test]
fn a_package_without_a_name_gets_the_name_of_its_repository() {
    let fixture = Fixture::new();
    let check = |manifest: &str, name: &str| {
        fixture.commit(manifest);
        let found = fixture.fetch("").expect("found");
        assert_eq!(found.name, name, "{manifest}");
        assert_eq!(found.key, key(name, &fixture.wanted(""), &found.commit), "{manifest}");
    };
    check(r#"{"version":"1.0.0"}"#, "repository");
    check(r#"{"name":"Bad Name/../x"}"#, "repository");
    check(r#"{"name":"@scope/left"}"#, "@scope/left");
    assert_eq!(wanted("git+file:///tmp/user/repo.git").fallback_name(), "repo.git");
    assert_eq!(wanted("git@host.test:repo").fallback_name(), "repo");
}

#[test]
fn a_timeline_names_repositories_without_secrets() {
    let check = |url: &str, shown: &str| {
        let wanted = RepositorySource { url: url.to_owned(), committish: Committish::Head };
        assert_eq!(wanted.bare_address(), shown);
    };
    check("https://host.test/owner/repo.git", "host.test/owner/repo.git");
    check("https://user:secret@host.test/owner/repo?token=secret", "host.test/owner/repo");
    check("ssh://git:secret@host.test/owner/repo", "host.test/owner/repo");
    check("git@host.test:owner/repo", "host.test:owner/repo");
    check("https://host.test/@owner/repo", "host.test/@owner/repo");
}
