//! Programs of packages that are local directories.

use super::*;

#[test]
fn a_program_is_in_its_package_and_has_no_reserved_name() {
    let check = |name: &str, file: &str, expected: Option<(&str, &str)>| {
        let bin = Bin::Named(vec![(name.into(), file.into())]);
        let found = programs(&bin, "ui", "ui");
        let expected = expected.map(|(name, file)| (name.to_owned(), file.to_owned()));
        assert_eq!(found, Vec::from_iter(expected), "{name:?}: {file:?}");
    };
    check("cli", "./bin//cli.js", Some(("cli", "bin/cli.js")));
    check("@scope/cli", "cli.js", Some(("cli", "cli.js")));
    check("..", "cli.js", None);
    check(".", "cli.js", None);
    check("a/..", "cli.js", None);
    check("..\\..", "cli.js", None);
    check("", "cli.js", None);
    check("a\u{1b}[2J", "cli.js", None);
    check("node", "cli.js", None);
    check("npm", "cli.js", None);
    check("sh", "cli.js", None);
    check("cli", "../../../etc/passwd", None);
    check("cli", "/etc/passwd", None);
    check("cli", "bin\\..\\..\\x", None);
    assert_eq!(programs(&Bin::File("../x".into()), "ui", "ui"), []);
}
