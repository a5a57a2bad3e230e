//! Which scripts an operand means.

use super::*;

#[test]
fn names_wildcards_and_expressions_select_scripts() {
    let check = |name: &str, script: &str, expected: bool| {
        let parsed = ScriptName::parse(name).expect(name);
        assert_eq!(parsed.is_match(script), expected, "{name} {script}");
        assert_eq!(ScriptName::is_pattern(name), !matches!(parsed, ScriptName::Exact(_)), "{name}");
    };
    check("build", "build", true);
    check("build", "build:a", false);
    check("build:*", "build:a", true);
    check("/^build:.*/", "build:a", true);
    check("/^build:.*/", "prebuild:a", false);
    check("/b(?!x)/", "ab", true);
    check("/b(?!x)/", "abx", false);
    check("//", "a", false);
    assert!(ScriptName::parse("/(/").is_err());
}
