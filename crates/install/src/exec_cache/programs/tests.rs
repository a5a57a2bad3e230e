//! Which program is the default.

use super::*;

fn check(package: &str, programs: &[(&str, &str)], expected: Option<&str>) {
    let program = |&(name, target): &(&str, &str)| Program {
        name: name.to_owned(),
        package: package.to_owned(),
        target: target.to_owned(),
    };
    let programs: Vec<Program> = programs.iter().map(program).collect();
    assert_eq!(default_of(&programs, None).map(|program| program.name.as_str()), expected, "{package}");
}

#[test]
fn the_only_program_is_the_default() {
    check("left", &[("l", "../left/l.js")], Some("l"));
    check("left", &[("l", "../left/l.js"), ("ll", "../left/l.js")], Some("l"));
    check("left", &[], None);
}

#[test]
fn of_several_the_one_named_like_the_package_is_the_default() {
    check("left", &[("l", "../left/l.js"), ("left", "../left/left.js")], Some("left"));
    check("@s/left", &[("l", "../@s/left/l.js"), ("left", "../@s/left/left.js")], Some("left"));
    let several = [("l", "../alias/l.js"), ("left", "../alias/left.js")];
    let several = several.map(|(name, target)| Program {
        name: name.to_owned(),
        package: "alias".to_owned(),
        target: target.to_owned(),
    });
    assert_eq!(default_of(&several, None), None);
    assert_eq!(default_of(&several, Some("@s/left")), Some(&several[1]));
    check("typescript", &[("tsc", "../typescript/tsc"), ("tsserver", "../typescript/tsserver")], None);
}
