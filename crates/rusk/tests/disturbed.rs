//! Installs that are killed, or that work at the same time: afterwards every file is whole, and the
//! tree is the one that an undisturbed install makes.

use rusk_testkit::project::{Project, tree};
use rusk_testkit::registry::{Package, Server};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Packages in the registry: enough for several threads and directories.
const PACKAGES: usize = 36;

/// Kills for each kind of install: half of them spread over the time that it takes, half over the
/// moments after it first changed something in the project.
const KILLS: u32 = 12;

/// From one kill after the first change to the next.
const STEP: Duration = Duration::from_micros(700);

/// Packages that need two others each, have a program, a directory and a nested version of `base`.
fn server() -> Server {
    let package = |number: usize| {
        let next = |step: usize| format!("\"p{}\": \"1.0.0\"", (number * 2 + step) % PACKAGES);
        let base = if number.is_multiple_of(5) { 1 } else { 2 };
        let manifest = format!(
            r##"{{ "bin": {{ "p{number}": "cli.js" }},
                "dependencies": {{ {}, {}, "base": "{base}.0.0" }},
                "+files": {{ "cli.js": "#!/bin/sh\n", "lib/a.js": "{number}", "lib/deep/b.js": "b" }} }}"##,
            next(1),
            next(2)
        );
        Package::new(&format!("p{number}")).version("1.0.0", &manifest)
    };
    let base = Package::new("base").version("1.0.0", "{}").version("2.0.0", "{}");
    let single = Package::new("@scope/single").version("1.0.0", "{}");
    Server::start((0..PACKAGES).map(package).chain([base, single]))
}

const MANIFEST: &str = r#"{ "name": "app", "dependencies": { "p0": "1.0.0", "@scope/single": "1.0.0" } }"#;
const OTHER_MANIFEST: &str = r#"{ "name": "app", "dependencies": { "base": "1.0.0", "p1": "1.0.0" } }"#;
const EMPTY_MANIFEST: &str = r#"{ "name": "app" }"#;

/// A project, and the registry it installs from.
struct Ground<'a> {
    project: Project,
    server: &'a Server,
}

impl Ground<'_> {
    fn new<'a>(server: &'a Server, manifest: &str) -> Ground<'a> {
        let project = Project::in_memory();
        project.write("package.json", manifest);
        Ground { project, server }
    }

    fn start(&self, home: &Path) -> Child {
        Command::new(env!("CARGO_BIN_EXE_rusk"))
            .args(["install", "--silent"])
            .current_dir(self.project.path())
            .env_clear()
            .env("HOME", home)
            .env("npm_config_registry", self.server.url())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts")
    }

    /// Installs, and answers how long that took.
    #[track_caller]
    fn install(&self) -> Duration {
        let started = Instant::now();
        succeed(self.start(&self.project.home()));
        started.elapsed()
    }

    /// Installs until the time is over.
    fn install_for(&self, time: Duration) {
        let child = self.start(&self.project.home());
        std::thread::sleep(time);
        kill(child);
    }

    /// Installs until the project's directory holds something else, and a little longer.
    fn install_past_change(&self, time: Duration) {
        let before = self.names();
        let mut child = self.start(&self.project.home());
        while self.names() == before && child.try_wait().expect("it is a child").is_none() {}
        std::thread::sleep(time);
        kill(child);
    }

    /// What lies directly in the project's directory.
    fn names(&self) -> BTreeSet<OsString> {
        let entries = std::fs::read_dir(self.project.path()).expect("it is there");
        entries.flatten().map(|entry| entry.file_name()).collect()
    }

    /// Every line of the project's tree, with the text of each file, and every line of what
    /// projects share.
    fn tree(&self) -> BTreeMap<String, Option<String>> {
        let lines = self.project.tree("");
        let text = |line: &String| self.project.find(line.trim_end_matches(" *"));
        let home = self.project.home();
        let shown = |line: &str| line.replace(&home.display().to_string(), "[home]");
        let own = lines.into_iter().map(|line| {
            let text = text(&line).filter(|_| !line.contains(" -> "));
            (shown(&line), text)
        });
        let links = home.join(".cache/rusk/links");
        let shared = if links.is_dir() { tree(&links) } else { Vec::new() };
        let is_entry = |line: &String| !line.starts_with('.');
        own.chain(shared.into_iter().filter(is_entry).map(|line| (format!("links/{line}"), None))).collect()
    }

    fn lockfile(&self) -> Option<String> {
        self.project.find("bun.lock")
    }
}

fn kill(mut child: Child) {
    child.kill().expect("it can be killed");
    child.wait().expect("it is a child");
}

#[track_caller]
fn succeed(child: Child) {
    let output = child.wait_with_output().expect("it is a child");
    assert!(output.status.success(), "{:?}: {}", output.status, String::from_utf8_lossy(&output.stderr));
}

/// Kills installs of `manifest` in projects that `prepare` made, and lets the next install repair
/// what is left.
#[track_caller]
fn check_kills(manifest: &str, prepare: impl Fn(&Ground<'_>)) {
    let server = server();
    let ground = || {
        let ground = Ground::new(&server, manifest);
        prepare(&ground);
        let before = ground.lockfile();
        ground.project.write("package.json", manifest);
        (ground, before)
    };
    let (undisturbed, _) = ground();
    let time = undisturbed.install();
    let (wanted, lockfile) = (undisturbed.tree(), undisturbed.lockfile());
    for number in 0..KILLS {
        let (killed, before) = ground();
        match number % 2 {
            0 => killed.install_for(time * number / KILLS),
            _ => killed.install_past_change(STEP * (number / 2)),
        }
        let found = killed.lockfile();
        assert!(found == before || found == lockfile, "kill {number}: bun.lock is neither old nor new");
        assert_eq!(killed.project.read("package.json"), manifest);
        killed.install();
        assert!(killed.tree() == wanted, "kill {number}: {:#?}\nexpected {wanted:#?}", killed.tree());
    }
}

#[test]
fn a_killed_first_install_is_repaired() {
    check_kills(MANIFEST, |_| {});
}

#[test]
fn a_killed_install_from_a_full_store_is_repaired() {
    check_kills(MANIFEST, |ground| {
        ground.install();
        ground.project.remove("bun.lock");
        ground.project.remove("node_modules");
    });
}

#[test]
fn a_killed_change_is_repaired() {
    check_kills(MANIFEST, |ground| {
        ground.project.write("package.json", OTHER_MANIFEST);
        ground.install();
    });
}

#[test]
fn a_killed_repair_of_what_stood_is_repaired() {
    check_kills(MANIFEST, |ground| {
        ground.install();
        // So that all of it is known to stand, but for what goes now.
        ground.install();
        ground.project.remove("node_modules/p1");
    });
}

#[test]
fn a_killed_removal_of_everything_is_finished() {
    check_kills(EMPTY_MANIFEST, |ground| {
        ground.project.write("package.json", MANIFEST);
        ground.install();
    });
}

#[test]
fn a_killed_isolated_install_is_repaired() {
    const ISOLATED: &str = "[install]\nlinker = \"isolated\"\n";
    check_kills(MANIFEST, |ground| {
        ground.project.write("bunfig.toml", ISOLATED);
    });
    check_kills(MANIFEST, |ground| {
        ground.project.write("bunfig.toml", ISOLATED).write("package.json", OTHER_MANIFEST);
        ground.install();
    });
}

#[test]
fn a_killed_install_of_shared_packages_is_repaired() {
    let shared = |ground: &Ground<'_>| {
        ground.project.write("bunfig.toml", "[install]\nlinker = \"isolated\"\nglobalStore = true\n");
    };
    check_kills(MANIFEST, shared);
    check_kills(MANIFEST, |ground| {
        shared(ground);
        ground.project.write("package.json", OTHER_MANIFEST);
        ground.install();
    });
}

/// What a home's cache holds that projects share.
fn links(home: &Path) -> Vec<String> {
    let mut lines = tree(&home.join(".cache/rusk/links"));
    lines.retain(|line| !line.starts_with('.'));
    lines
}

#[test]
fn a_killed_prune_leaves_nothing_half_there() {
    let server = server();
    let ground = |manifest: &str| {
        let ground = Ground::new(&server, manifest);
        ground.project.write("bunfig.toml", "[install]\nlinker = \"isolated\"\nglobalStore = true\n");
        ground
    };
    // The packages depend on each other in one circle: a project that has one of them has all.
    const SMALL: &str = r#"{ "name": "app", "dependencies": { "@scope/single": "1.0.0" } }"#;
    for number in 0..KILLS {
        let (kept, gone) = (ground(SMALL), ground(MANIFEST));
        let home = kept.project.home();
        [&kept, &gone].iter().for_each(|ground| succeed(ground.start(&home)));
        let before = links(&home);
        gone.project.remove("package.json");
        let prune = Command::new(env!("CARGO_BIN_EXE_rusk"))
            .args(["cache", "prune"])
            .current_dir(kept.project.path())
            .env_clear()
            .env("HOME", &home)
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(STEP * number * 2);
        kill(prune);
        let again = ground(MANIFEST);
        [&again, &kept].iter().for_each(|ground| succeed(ground.start(&home)));
        assert_eq!(links(&home), before, "kill {number}");
    }
}

#[test]
fn a_killed_change_of_layouts_is_repaired() {
    check_kills(MANIFEST, |ground| {
        ground.project.write("package.json", MANIFEST);
        ground.install();
        ground.project.write("bunfig.toml", "[install]\nlinker = \"isolated\"\n");
    });
}

#[test]
fn two_installs_in_one_project_do_not_harm_each_other() {
    let server = server();
    let alone = Ground::new(&server, MANIFEST);
    alone.install();
    for manifest in [MANIFEST, OTHER_MANIFEST] {
        let doubled = Ground::new(&server, manifest);
        if manifest == OTHER_MANIFEST {
            doubled.install();
            doubled.project.write("package.json", MANIFEST);
        }
        let home = doubled.project.home();
        let installs = [(); 3].map(|()| doubled.start(&home));
        installs.into_iter().for_each(succeed);
        assert_eq!(doubled.tree(), alone.tree());
    }
}

#[test]
fn two_projects_may_fill_one_store() {
    let server = server();
    let alone = Ground::new(&server, MANIFEST);
    alone.install();
    let grounds = [(); 3].map(|()| Ground::new(&server, MANIFEST));
    let home = grounds[0].project.home();
    let installs = grounds.each_ref().map(|ground| ground.start(&home));
    installs.into_iter().for_each(succeed);
    for ground in &grounds {
        assert_eq!(ground.tree(), alone.tree());
    }
}
