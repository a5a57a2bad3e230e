//! Tests of `tests_table`.

use super::*;

#[test]
fn the_table_is_read() {
    let text = "[test]\nroot = \"src\"\npreload = \"./a.ts\"\nretry = 3\nbail = true\nseed = 2444615283\n\
                coverageThreshold = { line = 0.9, functions = 1 }\npathIgnorePatterns = [\"a/**\", \"b\"]\n\
                [test.reporter]\njunit = \"out.xml\"\n";
    let table = TestTable::parse(text).unwrap();
    assert_eq!((table.root.as_deref(), table.retry, table.bail), (Some("src"), Some(3), Some(1)));
    assert_eq!((table.seed, table.junit.as_deref()), (Some(2_444_615_283), Some("out.xml")));
    assert_eq!(table.preloads, ["./a.ts"]);
    assert_eq!(table.path_ignore_patterns, ["a/**", "b"]);
    assert_eq!((table.coverage_threshold.lines, table.coverage_threshold.functions), (Some(0.9), Some(1.0)));
    assert_eq!(TestTable::parse("[install]\n").unwrap(), TestTable::default());
}

#[test]
fn values_of_another_kind_are_refused() {
    for line in
        ["root = 1", "retry = -1", "retry = 1.5", "randomize = 1", "preload = [1]", "coverageThreshold = 2"]
    {
        assert!(TestTable::parse(&format!("[test]\n{line}\n")).is_err(), "{line}");
    }
    assert!(TestTable::parse("test = 1").is_err());
}
