//! The transpile cache: entries are found again, and damaged ones are not used.

use std::fs;
use std::path::{Path, PathBuf};

use rusk_testkit::project::Project;

use super::{Cache, codec, key};
use crate::options::{Imports, Jsx, Language, Options};
use crate::script::{ModuleForm, Script, SourceKind};
use crate::transpile::transpile;

const MODULE: &str = "import a, {b} from 'x' with {type: 'json'}; import * as c from 'y';\nexport default class {}\n\
                      export * from 'z'; export {b as 'd e'}; export let f = a(b); export * as g from 'z'; await c;";

fn options(language: Language) -> Options {
    Options::new(language, Some(SourceKind::Module))
}

fn long(text: &str) -> String {
    format!("{text}\n//{}", "x".repeat(super::SOURCE_BYTES_MIN))
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory)
        .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
        .unwrap_or_default()
}

fn check_same(left: &Script, right: &Script) {
    assert_eq!(left.code("", ModuleForm::Generator), right.code("", ModuleForm::Generator));
    assert_eq!(format!("{left:?}"), format!("{right:?}"));
}

#[test]
fn a_script_round_trips() {
    for (language, source) in
        [(Language::JavaScript, MODULE), (Language::TypeScript, "enum A { B }\nexport const c: A = 1")]
    {
        let script = transpile(source, "a", &options(language)).unwrap();
        check_same(&codec::parse(&codec::render(&script)).unwrap(), &script);
    }
}

#[test]
fn truncated_bytes_are_rejected() {
    let bytes = codec::render(&transpile(MODULE, "a", &options(Language::JavaScript)).unwrap());
    (0..bytes.len()).for_each(|end| assert!(codec::parse(&bytes[..end]).is_none(), "{end}"));
}

#[test]
fn a_file_is_made_once() {
    let project = Project::new();
    let directory = project.path().join("cache/transpiled");
    let cache = Cache::new(directory.clone());
    let source = long(MODULE);
    let first = cache.transpile(&source, "a", &options(Language::JavaScript)).unwrap();
    let [entry] = &entries(&directory)[..] else { panic!("one entry") };
    let written = fs::metadata(entry).unwrap().modified().unwrap();
    let second = cache.transpile(&source, "elsewhere", &options(Language::JavaScript)).unwrap();
    check_same(&first, &second);
    assert_eq!(fs::metadata(entry).unwrap().modified().unwrap(), written);
}

#[test]
fn a_damaged_entry_is_made_again() {
    let project = Project::new();
    let directory = project.path().join("cache");
    let cache = Cache::new(directory.clone());
    let source = long(MODULE);
    let script = cache.transpile(&source, "a", &options(Language::JavaScript)).unwrap();
    let [entry] = &entries(&directory)[..] else { panic!("one entry") };
    let whole = fs::read(entry).unwrap();
    for at in [0, 20, whole.len() - 1] {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(entry, damaged).unwrap();
        check_same(&cache.transpile(&source, "a", &options(Language::JavaScript)).unwrap(), &script);
        assert_eq!(fs::read(entry).unwrap(), whole);
    }
}

#[test]
fn the_key_covers_all_options() {
    let base = options(Language::Tsx);
    let jsx = Jsx::Automatic { source: "react".to_owned(), is_development: true };
    let others = [
        key("b", "p", &base),
        key("a", "p", &Options { language: Language::Jsx, ..base.clone() }),
        key("a", "p", &Options { imports: Imports::Verbatim, ..base.clone() }),
        key("a", "p", &Options { jsx: jsx.clone(), ..base.clone() }),
        key("a", "q", &Options { jsx, ..base.clone() }),
        key("a", "p", &base),
    ];
    others
        .iter()
        .enumerate()
        .for_each(|(at, left)| others[..at].iter().for_each(|right| assert_ne!(left, right)));
    assert_eq!(key("a", "q", &base), others[5]);
}

#[test]
fn pruning_removes_the_oldest_half() {
    let project = Project::new();
    let directory = project.path().join("cache");
    fs::create_dir(&directory).unwrap();
    for name in 0..8 {
        fs::write(directory.join(name.to_string()), [0; 100]).unwrap();
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1000 + name);
        fs::File::options()
            .write(true)
            .open(directory.join(name.to_string()))
            .unwrap()
            .set_modified(time)
            .unwrap();
    }
    let names = || {
        let mut names: Vec<_> =
            entries(&directory).iter().map(|path| path.file_name().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    Cache { bytes_max: 800, ..Cache::new(directory.clone()) }.prune().unwrap();
    assert_eq!(names().len(), 8);
    Cache { bytes_max: 700, ..Cache::new(directory.clone()) }.prune().unwrap();
    assert_eq!(names(), ["5", "6", "7"]);
}
