//! Copies of the engine's library that open in less time: made after some starts, used from then
//! on, and never where they are not what they were made of.
#![cfg(target_arch = "x86_64")]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rusk_testkit::project::Project;

/// Says which files of the engine the process has mapped, and that it works.
const PROGRAM: &str = "
const maps = require('fs').readFileSync('/proc/self/maps', 'utf8');
const has = (name) => maps.includes(name);
if (new Intl.NumberFormat('en').format(1234.5) !== '1,234.5') throw new Error('it is broken');
try { null.x } catch (error) { if (!(error instanceof TypeError)) throw error; }
console.log(has('/cache/engine/'), has('libgio-2.0'));
";

const PLAIN: &str = "false true\n";
const COPIED: &str = "true false\n";

fn start(project: &Project, variables: &[(&str, &str)]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_rusk"))
        .arg("app.js")
        .current_dir(project.path())
        .env("RUSK_CACHE_DIR", project.home().join("cache"))
        .env_remove("LD_LIBRARY_PATH")
        .env_remove("LD_PRELOAD")
        .envs(variables.iter().copied())
        .output()
        .expect("rusk starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is text")
}

/// A project whose cache has copies.
fn prepared() -> Project {
    let project = Project::with(&[("app.js", PROGRAM)]);
    for _ in 0..8 {
        assert_eq!(start(&project, &[]), PLAIN);
    }
    assert_eq!(start(&project, &[]), COPIED);
    project
}

fn copies(project: &Project) -> Vec<PathBuf> {
    let folder = project.home().join("cache/engine");
    let own = std::fs::read_dir(folder)
        .expect("it is there")
        .next()
        .expect("an engine is in it")
        .expect("it is read");
    let found =
        std::fs::read_dir(own.path()).expect("it is read").map(|entry| entry.expect("it is read").path());
    found.filter(|path| path.to_string_lossy().contains(".so")).collect()
}

#[test]
fn copies_are_made_after_eight_starts_and_used_from_then_on() {
    let project = prepared();
    assert_eq!(copies(&project).len(), 2);
}

#[test]
fn who_has_libraries_searched_or_preloaded_gets_the_engine_itself() {
    let project = prepared();
    for variable in ["LD_LIBRARY_PATH", "WEBKIT_DEBUG"] {
        assert_eq!(start(&project, &[(variable, "")]), PLAIN, "{variable}");
    }
}

#[test]
fn a_copy_that_is_not_whole_or_not_ours_alone_is_not_used() {
    let project = prepared();
    let harms: [fn(&Path); 4] = [
        |copy| std::fs::set_permissions(copy, std::fs::Permissions::from_mode(0o666)).expect("it is ours"),
        |copy| {
            std::fs::set_permissions(copy, std::fs::Permissions::from_mode(0o600)).expect("it is ours");
            let bytes = std::fs::read(copy).expect("it is read");
            std::fs::remove_file(copy).expect("it is ours");
            std::fs::write(copy, &bytes[..bytes.len() / 2]).expect("it is written");
        },
        |copy| std::fs::write(copy, b"").expect("it is written"),
        |copy| std::fs::remove_file(copy).expect("it is ours"),
    ];
    let engine = copies(&project).into_iter().find(|copy| copy.to_string_lossy().contains("javascriptcore"));
    let engine = engine.expect("the engine is among them");
    for harm in harms {
        harm(&engine);
        assert_eq!(start(&project, &[]), PLAIN);
    }
}
