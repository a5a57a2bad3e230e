//! Which of several lockfiles a project uses.

use super::*;

#[track_caller]
fn check(present: &[Format], named_tool: Option<&str>, expected: Option<Format>) {
    assert_eq!(choose(present, named_tool).expect("one of them"), expected);
}

#[test]
fn one_format_is_used() {
    check(&[], None, None);
    check(&[], Some("npm@11.0.0"), None);
    check(&[Format::Bun], None, Some(Format::Bun));
    check(&[Format::NpmLock], None, Some(Format::NpmLock));
    // The file that is there counts, not the program that is named.
    check(&[Format::NpmLock], Some("bun@1.3.0"), Some(Format::NpmLock));
}

#[test]
fn a_shrinkwrap_precedes_a_lockfile() {
    check(&[Format::NpmLock, Format::NpmShrinkwrap], None, Some(Format::NpmShrinkwrap));
}

#[test]
fn tool_decides_between_several() {
    let both = [Format::Bun, Format::NpmLock];
    check(&both, Some("npm@11.0.0"), Some(Format::NpmLock));
    check(&both, Some("bun@1.3.0+sha512.ab"), Some(Format::Bun));
    check(&both, Some("bun"), Some(Format::Bun));
}

#[test]
fn several_without_a_decision_are_an_error() {
    for named_tool in [None, Some("pnpm@10.0.0"), Some("")] {
        let problem = choose(&[Format::Bun, Format::NpmLock], named_tool).expect_err("undecided");
        assert_eq!(problem.code(), "lockfile-choice");
        assert!(problem.message().contains("bun.lock and package-lock.json"), "{}", problem.message());
    }
}

#[test]
fn scripts_see_the_program_of_the_lockfile() {
    let check = |format: Format, named_tool: Option<&str>, expected: &str| {
        assert_eq!(format.script_user_agent(named_tool, "rusk/1"), expected, "{format:?} {named_tool:?}");
    };
    check(Format::Pnpm, Some("pnpm@11.19.0+sha512.ab"), "pnpm/11.19.0 rusk/1");
    check(Format::Pnpm, Some("npm@11.0.0"), "pnpm/? rusk/1");
    check(Format::NpmShrinkwrap, None, "npm/? rusk/1");
    check(Format::Yarn, Some("yarn@4.4.1"), "yarn/4.4.1 rusk/1");
    check(Format::Yarn, Some("yarn@"), "yarn/? rusk/1");
    check(Format::Bun, None, "rusk/1");
    check(Format::Bun, Some("bun@1.4.5"), "bun/1.4.5 rusk/1");
}

#[test]
fn a_named_program_begins_its_own_format() {
    let cases = [
        ("npm", Some(Format::NpmLock)),
        ("npm@11.0.0", Some(Format::NpmLock)),
        ("pnpm@10.0.0+sha512.abc", Some(Format::Pnpm)),
        ("yarn@1.22.22", Some(Format::Yarn)),
        ("bun@1.4.5", Some(Format::Bun)),
        ("vlt@1.0.0", None),
        ("", None),
    ];
    for (named, format) in cases {
        assert_eq!(Format::of_named_tool(named), format, "{named}");
    }
}
