//! Names in each kind of import.

use super::find_imported_name;
use crate::options::Language;

fn found<'t>(source: &'t str, specifier: &str, name: &str) -> Option<(u32, &'t str, &'t str, &'t str)> {
    find_imported_name(source, Language::TypeScript, specifier, name)
        .map(|at| (at.line, at.text, at.before, at.word))
}

#[test]
fn imported_names_are_found() {
    let source = "import one from './a';\r\nimport two, {\n  é as x, nope as b } from './b';\nexport { three as four } from './a';\nimport * as all from './a';";
    assert_eq!(found(source, "./a", "default"), Some((1, "import one from './a';", "import ", "one")));
    assert_eq!(found(source, "./b", "default"), Some((2, "import two, {", "import ", "two")));
    let line = "  é as x, nope as b } from './b';";
    assert_eq!(found(source, "./b", "nope"), Some((3, line, "  é as x, ", "nope")));
    assert_eq!(found(source, "./a", "three").map(|at| (at.0, at.3)), Some((4, "three as four")));
    assert_eq!(found(source, "./b", "b"), None, "that is its name here");
    assert_eq!(found(source, "./a", "nope"), None);
}

#[test]
fn source_that_does_not_parse_has_none() {
    assert_eq!(found("import { a } from", "./a", "a"), None);
    assert_eq!(found(&format!("{}import {{ a }} from 'a'", "(".repeat(100_000)), "a", "a"), None);
}
