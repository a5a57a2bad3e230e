//! Records of `outdated` and `audit`: the second run on the same files says the same with less
//! work, and any change is noticed.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use rusk_testkit::project::Project;
use rusk_testkit::registry::{Package, Server};

/// Until a record is written: the cached packuments must be older than a step of the clock.
const RECORD_LIMIT: Duration = Duration::from_secs(20);

struct Queries {
    server: Server,
    project: Project,
}

impl Queries {
    /// A project that has left 1.1.0.
    fn new() -> Queries {
        let left = Package::new("left").version("1.0.0", "{}").version("1.1.0", "{}").version("2.0.0", "{}");
        let manifest = r#"{ "name": "app", "dependencies": { "left": "^1.0.0" } }"#;
        let queries =
            Queries { server: Server::start([left]), project: Project::with(&[("package.json", manifest)]) };
        queries.run(&["install"]);
        queries
    }

    fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rusk"));
        command.args(arguments).current_dir(self.project.path()).env_clear();
        command.env("HOME", self.project.home()).env("npm_config_registry", self.server.url());
        let output = command.output().expect("it starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The only file with this ending in a directory of the cache.
    fn cached(&self, directory: &str, ending: &str) -> Option<PathBuf> {
        let entries = self.project.home().join(".cache/rusk").join(directory).read_dir().ok()?;
        entries.flatten().map(|entry| entry.path()).find(|path| path.to_string_lossy().ends_with(ending))
    }

    fn packument(&self) -> PathBuf {
        let directory = self.cached("packuments", "").expect("one registry was asked");
        directory.join("left.packument")
    }

    /// Runs the query until there is a record of it.
    fn run_until_recorded(&self, query: &str) -> String {
        let started = Instant::now();
        loop {
            let said = self.run(&[query]);
            if self.cached("projects", query).is_some() {
                return said;
            }
            assert!(started.elapsed() < RECORD_LIMIT, "no record");
        }
    }

    /// How many packuments are requested by a run.
    fn requests_of(&self, query: &str) -> usize {
        self.server.forget_requests();
        self.run(&[query]);
        self.server.count("/left")
    }

    fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.project.read(path);
        assert!(text.contains(from), "{text}");
        self.project.write(path, text.replace(from, to));
    }
}

/// Shortens a file in place, so that nothing but its own time changes.
fn shorten(path: &PathBuf) {
    let file = std::fs::File::options().write(true).open(path).expect("it is there");
    file.set_len(1).expect("it can be written");
}

#[test]
fn outdated_is_answered_from_its_record() {
    let queries = Queries::new();
    let said = queries.run_until_recorded("outdated");
    assert!(said.contains("1.1.0") && said.contains("2.0.0"), "{said}");
    assert_eq!(queries.run(&["outdated"]), said);
    let json = queries.run(&["outdated", "--json"]);
    assert!(json.contains(r#""latest":"2.0.0""#), "{json}");
    // A packument that cannot be read would be requested, if it were looked at.
    shorten(&queries.packument());
    assert_eq!(queries.requests_of("outdated"), 0);
    assert_eq!(queries.run(&["outdated"]), said);
}

#[test]
fn a_damaged_record_of_outdated_is_not_used() {
    let queries = Queries::new();
    let said = queries.run_until_recorded("outdated");
    let record = queries.cached("projects", "outdated").expect("it is there");
    let text = std::fs::read_to_string(&record).expect("it is text");
    for damaged in [text.replace("2.0.0", "9.0.0"), text[..text.len() / 2].to_owned(), String::new()] {
        std::fs::write(&record, damaged).expect("it can be written");
        assert_eq!(queries.run(&["outdated"]), said);
    }
    shorten(&queries.packument());
    std::fs::write(&record, text.replace("2.0.0", "9.0.0")).expect("it can be written");
    assert_eq!(queries.requests_of("outdated"), 1);
    assert_eq!(queries.run(&["outdated"]), said);
}

#[test]
fn outdated_notices_changes() {
    let queries = Queries::new();
    let said = queries.run_until_recorded("outdated");
    // What is in the cache.
    std::fs::remove_file(queries.packument()).expect("it is there");
    assert_eq!(queries.requests_of("outdated"), 1);
    assert_eq!(queries.run_until_recorded("outdated"), said);
    // What the lockfile has.
    queries.edit("bun.lock", "left@1.1.0", "left@1.0.0");
    let changed = queries.run(&["outdated"]);
    assert!(changed.contains("1.0.0") && changed.contains("1.1.0"), "{changed}");
    // What package.json wants: the lockfile does not match it any more.
    queries.edit("package.json", "^1.0.0", "^2.0.0");
    let changed = queries.run(&["outdated"]);
    assert!(changed.contains("2.0.0"), "{changed}");
}

#[test]
fn audit_asks_the_same_from_its_record() {
    let queries = Queries::new();
    let bodies = |queries: &Queries| -> Vec<Vec<u8>> {
        let requests = queries.server.requests().into_iter();
        requests.filter(|request| request.method == "POST").map(|request| request.body).collect()
    };
    let said = queries.run_until_recorded("audit");
    assert_eq!(said, "no vulnerabilities found in 1 package\n");
    assert_eq!(queries.run(&["audit"]), said);
    let json = queries.run(&["audit", "--json"]);
    assert!(json.contains(r#""total":0"#) && json.contains(r#""dependencies":1"#), "{json}");
    let asked = bodies(&queries);
    // The first of them until there is a record, then two that use it.
    assert!(asked.len() >= 3, "{}", asked.len());
    assert!(asked.iter().all(|body| body == br#"{"left":["1.1.0"]}"#), "{asked:?}");
    queries.edit("bun.lock", "left@1.1.0", "left@1.0.0");
    queries.run(&["audit"]);
    assert_eq!(bodies(&queries).last().map(Vec::as_slice), Some(br#"{"left":["1.0.0"]}"#.as_slice()));
}
