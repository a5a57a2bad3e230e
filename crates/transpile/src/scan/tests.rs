//! Which scripts need no parsing.

use super::is_plain_script;

fn check(source: &str, is_plain: bool) {
    assert_eq!(is_plain_script(source), is_plain, "{source}");
}

#[test]
fn keywords_outside_code_do_not_count() {
    check("exports.a = require('a')", true);
    check("x('import(\"a\")') // import('b')", true);
    check("a = /import('/; b = `export ${'import'}`", true);
    check("x.import('a'); ({ export: 1 })", true);
    check("important = exporter = 1", true);
}

#[test]
fn module_keywords_need_parsing() {
    check("import('a')", false);
    check("a = `${import('a')}`", false);
    check("import a from 'a'", false);
    check("export {}", false);
    check("import.meta.url", false);
    check("x = '\nimport", false);
}
