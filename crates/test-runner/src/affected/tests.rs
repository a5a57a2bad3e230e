//! Tests of `affected`.

use super::*;
use rusk_testkit::project::Project;

#[test]
fn importers_of_a_changed_file_are_affected() {
    let project = Project::new();
    project.write("a.test.ts", "import { b } from './b'; import 'package';");
    project.write("c.test.js", "const c = require('./c.js');");
    project.write("d.test.js", "await import('./b.js'); import './gone'; (");
    project.write("e.test.js", "await import('./b.js');");
    project.write("b.ts", "export * from './deep/index'");
    project.write("deep/index.ts", "import '../b'; export const b = 1");
    project.write("c.js", "");
    let path = |name: &str| project.path().canonicalize().unwrap().join(name);
    let files = ["a.test.ts", "c.test.js", "d.test.js", "e.test.js"].map(path);
    let graph = ImportGraph::of(&files);
    let affected = |name: &str| {
        let changes = Changes::Files(HashSet::from([path(name)]));
        let mut names: Vec<String> = graph
            .affected(&changes)
            .iter()
            .map(|file| file.strip_prefix(path("")).unwrap().display().to_string())
            .filter(|name| name.contains(".test."))
            .collect();
        names.sort();
        names
    };
    assert_eq!(affected("deep/index.ts"), ["a.test.ts", "e.test.js"]);
    assert_eq!(affected("c.js"), ["c.test.js"]);
    assert_eq!(affected("d.test.js"), ["d.test.js"]);
    assert!(affected("other.ts").is_empty());
}

#[test]
fn a_file_without_its_import_and_a_renamed_file_are_affected() {
    let project = Project::new();
    project.write("a.test.ts", "import './b';");
    project.write("b.ts", "import './gone'; import 'gone';");
    project.write("c.test.ts", "import './d';");
    project.write("d.ts", "import 'gone';");
    let path = |name: &str| project.path().canonicalize().unwrap().join(name);
    // Later than the files.
    let now = path("d.ts").metadata().unwrap().modified().unwrap() + std::time::Duration::from_millis(1);
    let affected = || {
        let graph = ImportGraph::of(&["a.test.ts", "c.test.ts"].map(path));
        let affected = graph.affected(&Changes::Since(now));
        ["a.test.ts", "c.test.ts"].map(|name| affected.contains(&path(name)))
    };
    assert_eq!(affected(), [true, false]);
    while !affected()[1] {
        // Until the clock of the file system has gone on.
        std::fs::rename(path("d.ts"), path("e.ts")).unwrap();
        std::fs::rename(path("e.ts"), path("d.ts")).unwrap();
    }
}
