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
        "TN:\nSF:a.js\nFN:1,used#0\nFN:4,unused#1\nFNDA:1,used#0\nFNDA:0,unused#1\nFNF:2\nFNH:1\n\
         BRDA:2,0,0,1\nBRDA:2,0,1,0\nBRF:2\nBRH:1\nDA:2,1\nDA:5,0\nDA:7,0\nLF:3\nLH:1\nend_of_record\n"
    );
    let table = table::render(&files, CoverageThresholds::default(), Paint::default());
    assert!(table.contains("\n a.js     |   50.00 |   33.33 |    50.00 | 5-7\n"), "{table}");
    let page = html::render(&files);
    assert!(page.contains("50.00 % (1/2)") && page.contains("a ? 'one' : 'zero'"), "{page}");
}
