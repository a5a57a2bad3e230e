//! Transpile cache: used at the next start with its source positions, rebuilt if it is damaged or
//! cannot be written.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use rusk_testkit::project::Project;

/// Says where it failed, in lines of its own.
const PROGRAM: &str = "enum Color { Red, Blue }\n\n\nfunction told(color: Color): string {\n    throw new Error(Color[color]);\n}\n\
                       try { told(Color.Blue); } catch (error) {\n    const [, line, column] = /:(\\d+):(\\d+)\\)?$/m.exec((error as Error).stack!)!;\n\
                       console.log(`${(error as Error).message} ${line}:${column}`);\n}\n";

const OUTPUT: &str = "Blue 5:11\n";

struct CacheProject {
    project: Project,
}

impl CacheProject {
    fn new() -> CacheProject {
        let project = Project::new();
        // Short files are not cached.
        project.write("told.ts", format!("{PROGRAM}//{}\n", "x".repeat(8 << 10)));
        CacheProject { project }
    }

    fn run(&self) -> String {
        let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_rusk"))
            .arg("told.ts")
            .current_dir(self.project.path())
            .env("RUSK_CACHE_DIR", "cache")
            .output()
            .expect("rusk starts");
        assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).expect("it is text")
    }

    /// The only entry.
    fn entry(&self) -> PathBuf {
        let folder = fs::read_dir(self.project.path().join("cache/scripts")).expect("it was kept");
        let entries: Vec<PathBuf> = folder.map(|entry| entry.expect("it is read").path()).collect();
        let [entry] = &entries[..] else { panic!("one entry, not {entries:?}") };
        entry.clone()
    }
}

#[test]
fn a_file_is_transpiled_once_and_keeps_its_places() {
    let kept = CacheProject::new();
    assert_eq!(kept.run(), OUTPUT);
    let entry = kept.entry();
    let written = fs::metadata(&entry).expect("it is there").modified().expect("it has a time");
    assert_eq!(kept.run(), OUTPUT);
    assert_eq!(kept.entry(), entry);
    assert_eq!(fs::metadata(&entry).expect("it is there").modified().expect("it has a time"), written);
}

#[test]
fn a_damaged_entry_is_made_again() {
    let kept = CacheProject::new();
    assert_eq!(kept.run(), OUTPUT);
    let entry = kept.entry();
    let whole = fs::read(&entry).expect("it is read");
    fs::write(&entry, &whole[..whole.len() / 2]).expect("it is written");
    assert_eq!(kept.run(), OUTPUT);
    assert_eq!(fs::read(&entry).expect("it is read"), whole);
}

#[test]
fn a_cache_that_cannot_be_made_is_none() {
    let kept = CacheProject::new();
    kept.project.write("cache", "a file in its place");
    assert_eq!(kept.run(), OUTPUT);
}
