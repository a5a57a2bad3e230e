//! What the engine made of scripts, kept for the next start: written once, used from then on, and
//! never where it is not what was written.
#![cfg(target_arch = "x86_64")]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use rusk_testkit::project::Project;

/// Loads the others, says what they say and where it stands itself, and whether it has the code of
/// a start before it mapped.
const PROGRAM: &str = "
const { one } = require('./lib/0.js');
const maps = require('fs').readFileSync('/proc/self/maps', 'utf8');
let all = 0;
for (let index = 0; index < 40; index++) all += require(`./lib/${index}.js`).one(index);
const place = /app\\.js:\\d+:\\d+/.exec(new Error('here').stack)[0];
console.log(all, one.toString().length, place, (maps.match(/\\/cache\\/code\\//g) ?? []).length);
";

const FIRST: &str = "40 51 app.js:6:38 0\n";
const LATER: &str = "40 51 app.js:6:38 2\n";

fn start(project: &Project, variables: &[(&str, &str)]) -> String {
    start_file(project, "app.js", variables)
}

fn start_file(project: &Project, file: &str, variables: &[(&str, &str)]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_rusk"))
        .arg(file)
        .current_dir(project.path())
        .env("RUSK_CACHE_DIR", project.home().join("cache"))
        // Of a library that was searched for it is not known which file it is.
        .env_remove("LD_LIBRARY_PATH")
        .envs(variables.iter().copied())
        .output()
        .expect("rusk starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is text")
}

/// Modules of half a kilobyte, so that they are worth a file.
fn project() -> Project {
    let project = Project::with(&[("app.js", PROGRAM)]);
    for index in 0..40 {
        project.write(&format!("lib/{index}.js"), module(index, 1));
    }
    project
}

fn module(index: usize, gives: usize) -> String {
    let rest = format!("// {}\n", "words ".repeat(80));
    format!("exports.one = function one(index) {{ return index === {index} ? {gives} : 0; }};\n{rest}")
}

fn packs(project: &Project) -> Vec<PathBuf> {
    let entries = fs::read_dir(project.home().join("cache/code")).expect("it is there");
    entries.map(|entry| entry.expect("it is read").path()).collect()
}

fn inodes(project: &Project) -> Vec<u64> {
    packs(project).iter().map(|pack| fs::metadata(pack).expect("it is there").ino()).collect()
}

#[test]
fn code_is_written_once_and_used_from_then_on() {
    let project = project();
    assert_eq!(start(&project, &[]), FIRST);
    let written = inodes(&project);
    assert_eq!(written.len(), 2);
    assert_eq!(start(&project, &[]), LATER);
    assert_eq!(inodes(&project), written);
}

/// TypeScript, so that what the transpiler made is kept too.
const MODULES: &str = "
import { readFileSync } from 'node:fs';
const maps: string = readFileSync('/proc/self/maps', 'utf8');
let all = 0;
for (let index = 0; index < 40; index++) {
  const { one } = await import(`./lib/${index}.ts`);
  all += one(index as number);
}
console.log(all, (maps.match(/\\/cache\\/code\\//g) ?? []).length);
";

#[test]
fn modules_are_kept_as_they_were_transpiled() {
    let project = Project::with(&[("app.ts", MODULES), ("package.json", "{ \"type\": \"module\" }")]);
    let module = |index: usize, gives: usize| {
        let rest = format!("// {}\n", "words ".repeat(80));
        format!(
            "export function one(index: number): number {{ return index === {index} ? {gives} : 0 }}\n{rest}"
        )
    };
    for index in 0..40 {
        project.write(&format!("lib/{index}.ts"), module(index, 1));
    }
    let start = || start_file(&project, "app.ts", &[]);
    assert_eq!((start().as_str(), start().as_str(), start().as_str()), ("40 0\n", "40 2\n", "40 2\n"));
    project.write("lib/9.ts", module(9, 6));
    assert_eq!(start(), "45 2\n");
}

#[test]
fn what_was_changed_is_what_runs() {
    let project = project();
    start(&project, &[]);
    project.write("lib/7.js", module(7, 3));
    assert_eq!(start(&project, &[]), LATER.replacen("40", "42", 1));
    assert_eq!(start(&project, &[]), LATER.replacen("40", "42", 1));
}

#[test]
fn with_options_of_the_engine_nothing_is_kept() {
    let project = project();
    start(&project, &[]);
    assert_eq!(start(&project, &[("JSC_useDollarVM", "0")]), FIRST);
}

#[test]
fn packs_are_their_users_alone() {
    let project = project();
    let script = format!("umask 0; exec {} app.js", env!("CARGO_BIN_EXE_rusk"));
    for said in [FIRST, LATER] {
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(project.path())
            .env("RUSK_CACHE_DIR", project.home().join("cache"))
            .env_remove("LD_LIBRARY_PATH")
            .output()
            .expect("it starts");
        assert_eq!(String::from_utf8_lossy(&output.stdout), said);
    }
    for pack in packs(&project) {
        assert_eq!(fs::metadata(pack).expect("it is there").mode() & 0o777, 0o600);
    }
}

#[test]
fn a_pack_that_others_may_write_is_not_used() {
    let project = project();
    start(&project, &[]);
    for pack in packs(&project) {
        fs::set_permissions(pack, fs::Permissions::from_mode(0o666)).expect("it is ours");
    }
    assert_eq!(start(&project, &[]), FIRST);
}

#[test]
fn a_damaged_pack_does_no_harm() {
    let harms: [fn(&Path); 4] = [
        |pack| rewrite(pack, |bytes| bytes.truncate(bytes.len() / 2)),
        |pack| rewrite(pack, |bytes| bytes.iter_mut().skip(24).step_by(97).for_each(|byte| *byte ^= 0x55)),
        |pack| rewrite(pack, |bytes| bytes[16..24].fill(0xff)),
        |pack| rewrite(pack, Vec::clear),
    ];
    let project = project();
    for harm in harms {
        start(&project, &[]);
        packs(&project).iter().for_each(|pack| harm(pack));
        let said = start(&project, &[]);
        assert!(said.starts_with("40 51 app.js:6:38"), "{said}");
    }
}

/// As another file: the old one may be mapped.
fn rewrite(pack: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(pack).expect("it is read");
    change(&mut bytes);
    fs::remove_file(pack).expect("it is ours");
    fs::write(pack, bytes).expect("it is written");
    fs::set_permissions(pack, fs::Permissions::from_mode(0o600)).expect("it is ours");
}
