//! Damaged files of the cache: one byte of a packument, of the record of what a project uses, of a
//! list of shared packages, or of the record of `rusk x` is another one. The file counts as absent,
//! and is fetched or written again.

use std::fs;
use std::path::{Path, PathBuf};

use rusk_testkit::project::Project;
use rusk_testkit::registry::Server;

use super::sweep::{ALONE, registry, rusk};

const MANIFEST: &str = r#"{ "name": "app", "dependencies": { "left": "1.0.0", "ui": "2", "tool": "1" } }"#;

/// From one changed byte of a packument to the next.
const STEP: usize = 13;

/// No byte of UTF-8.
const DAMAGE: u8 = 0xff;

/// A project whose commands succeed.
fn prepared(server: &Server, commands: &[&[&str]]) -> Project {
    let project = Project::in_memory();
    project.write("package.json", MANIFEST).write("../home/.npmrc", format!("registry={}\n", server.url()));
    succeed(&project, commands, "nothing is damaged");
    project
}

/// Commands that succeed, one after the other.
fn succeed(project: &Project, commands: &[&[&str]], what: &str) {
    for arguments in commands {
        let output = rusk(project, arguments);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{what}: {arguments:?}: {}: {message}", output.status);
    }
}

fn files(dir: &Path, is_wanted: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let (mut found, mut dirs) = (Vec::new(), vec![dir.to_owned()]);
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            match entry.file_type().expect("an entry has a type").is_dir() {
                true => dirs.push(entry.path()),
                false => found.push(entry.path()),
            }
        }
    }
    found.retain(|path| is_wanted(path));
    assert!(!found.is_empty(), "{}", dir.display());
    found
}

#[test]
fn a_damaged_packument_is_fetched_again() {
    let _alone = ALONE.lock();
    let server = registry();
    let project = prepared(&server, &[&["install", "--silent"]]);
    let lockfile = project.read("bun.lock");
    let packuments = project.home().join(".cache/rusk/packuments");
    for path in files(&packuments, &|path| !path.ends_with("tool.packument")) {
        let intact = fs::read(&path).expect("a packument");
        for at in (0..intact.len()).step_by(STEP) {
            let mut damaged = intact.clone();
            damaged[at] ^= DAMAGE;
            fs::write(&path, damaged).expect("the cache can be written");
            project.remove("bun.lock");
            project.remove("node_modules");
            let what = format!("byte {at} of {}", path.display());
            succeed(&project, &[&["install", "--silent", "--lockfile-only"]], &what);
            assert_eq!(project.read("bun.lock"), lockfile, "{what}");
        }
        let mut damaged = intact.clone();
        *damaged.last_mut().expect("it has bytes") ^= DAMAGE;
        fs::write(&path, damaged).expect("the cache can be written");
        let output = rusk(&project, &["cache", "verify"]);
        let removed = format!("removed {}", path.file_name().expect("a name").to_string_lossy());
        assert!(String::from_utf8_lossy(&output.stdout).contains(&removed), "{removed}: {output:?}");
        assert!(!path.exists());
    }
}

#[test]
fn damaged_records_are_written_again() {
    let _alone = ALONE.lock();
    let server = registry();
    let install: &[&str] = &["install", "--silent", "--linker=global"];
    let (prune, x): (&[&str], &[&str]) =
        (&["cache", "prune", "--silent"], &["x", "--silent", "--cwd=../home", "tool"]);
    let project = prepared(&server, &[install, x]);
    let linked = project.path().join("node_modules/ui/package.json");
    let cache = project.home().join(".cache/rusk");
    // The record of a project of `x` is written with the project only.
    let has_closure = |path: &Path| fs::read_to_string(path).is_ok_and(|text| text.contains("\nclosure\t"));
    let is_record = |path: &Path| path.ends_with("record") || has_closure(path);
    let closures = files(&cache.join("links/.closures"), &|_| true);
    let records = [files(&cache.join("projects"), &is_record), files(&cache.join("x"), &is_record), closures];
    for path in records.concat() {
        let what = path.display().to_string();
        let intact = fs::read(&path).expect("a record");
        let mut damaged = intact.clone();
        damaged[intact.len() / 2] = DAMAGE;
        fs::write(&path, damaged).expect("the cache can be written");
        succeed(&project, &[prune], &what);
        assert!(linked.is_file(), "{what}: a shared package was removed");
        project.remove("node_modules");
        succeed(&project, &[install, x, prune], &what);
        assert!(!fs::read(&path).expect("a record").contains(&DAMAGE), "{what}");
        assert!(linked.is_file(), "{what}");
    }
}
