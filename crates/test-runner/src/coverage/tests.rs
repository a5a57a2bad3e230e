//! Tests of `coverage`.

use super::*;
use crate::reporter::paint::Paint;
use rusk_testkit::project::Project;

const SOURCE: &str =
    "export function used(a) {\n  return a ? 'one' : 'zero';\n}\nfunction unused() {\n  a();\n\n  b();\n}\n";

fn covered(counts: &str) -> (Project, Vec<FileCoverage>) {
    let project = Project::new();
    project.write("a.js", SOURCE);
    let path = project.path().join("a.js");
    let mut sums = CoverageCounts::default();
    sums.add(&counts.replace("PATH", path.to_str().unwrap()));
    let files = sums.files(&project.path(), &CoverageOptions::default());
    (project, files)
}

#[test]
fn counts_of_processes_are_added() {
    // used: function 0, statement 1, arms 2 and 3; unused: function 4, statements 5 and 6.
    let (_project, files) =
        covered(r#"[["PATH",7,[0,1,1,1,2,1]],["PATH",7,[0,2,1,2]],["/gone.js",1,[]],["PATH"],7]"#);
    let [file] = &files[..] else { panic!("{files:?}") };
    assert_eq!(file.lines.iter().collect::<Vec<_>>(), [(&2, &3), (&5, &0), (&7, &0)]);
    assert_eq!(file.uncovered_lines(), "5-7");
    assert_eq!(file.functions[0], CoveredFunction { name: "used".to_owned(), line: 1, count: 3 });
    let sums = file.sums();
    assert_eq!((sums.branches.covered, sums.branches.total), (1, 2));
    let thresholds = CoverageThresholds { lines: Some(0.5), functions: Some(0.5), branches: None };
    assert_eq!(sums.below(thresholds), [("lines", 1.0 / 3.0, 0.5)]);
}

#[test]
fn a_file_that_has_changed_is_left_out() {
    assert_eq!(covered(r#"[["PATH",8,[0,1]]]"#).1, []);
    assert_eq!(covered(r#"[["PATH",99999999999,[]]]"#).1, []);
    assert_eq!(covered("[[[[").1, []);
}

#[test]
fn reports_have_all_parts() {
    let (_project, files) = covered(r#"[["PATH",7,[0,1,1,1,2,1]]]"#);
    assert_eq!(
        lcov::render(&files),
        "TN:\nSF:a.js\nFN:1,used\nFN:4,unused\nFNDA:1,used\nFNDA:0,unused\nFNF:2\nFNH:1\n\
         BRDA:2,0,0,1\nBRDA:2,0,1,0\nBRF:2\nBRH:1\nDA:2,1\nDA:5,0\nDA:7,0\nLF:3\nLH:1\nend_of_record\n"
    );
    let table = table::render(&files, CoverageThresholds::default(), Paint::default());
    assert!(table.contains("\n a.js     |   50.00 |   33.33 |    50.00 | 5-7\n"), "{table}");
    let page = html::render(&files);
    assert!(page.contains("50.00 % (1/2)") && page.contains("a ? 'one' : 'zero'"), "{page}");
}

#[test]
fn branches_in_branches_have_numbers_of_their_own() {
    let source = "const f = (x) =>\n  x ?\n    x > 1 || false\n    : 2;\nclass A { get v() { return 1; } }\n\
                  class B { get v() { return x ? 1 : 2; } }\n";
    let points = instrument(source, Language::JavaScript, "").expect("it parses").points;
    let counts: Vec<String> = (0..points.len()).map(|index| format!("{index},{}", index % 2)).collect();
    let project = Project::new();
    project.write("a.js", source);
    let path = project.path().join("a.js");
    let mut sums = CoverageCounts::default();
    sums.add(&format!("[[{:?},{},[{}]]]", path.to_str().unwrap(), points.len(), counts.join(",")));
    let text = lcov::render(&sums.files(&project.path(), &CoverageOptions::default()));
    let lines = |start: &str| -> Vec<String> {
        text.lines().filter_map(|line| line.strip_prefix(start)).map(str::to_owned).collect()
    };
    assert_eq!(lines("FN:"), ["1,f", "5,v", "6,v:6"]);
    let branches = lines("BRDA:");
    let ids: Vec<&str> = branches.iter().filter_map(|line| line.rsplit_once(',')).map(|(id, _)| id).collect();
    assert_eq!(ids, ["2,0,0", "2,0,1", "2,1,0", "2,1,1", "6,2,0", "6,2,1"]);
}

#[test]
fn a_branch_that_was_not_reached_has_no_count() {
    let (_project, files) = covered(r#"[["PATH",7,[]]]"#);
    assert!(lcov::render(&files).contains("BRDA:2,0,0,-\nBRDA:2,0,1,-\n"), "{files:?}");
}
