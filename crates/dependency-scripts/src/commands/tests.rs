//! Tests of lifecycle scripts: npm's rules.

use super::*;

#[track_caller]
fn check(scripts: &str, has_binding: bool, expected: &[&str]) {
    let manifest = format!("{{ \"scripts\": {{ {scripts} }} }}");
    let found = scripts_in(&manifest, has_binding, PackageForm::Published);
    let found: Vec<String> =
        found.iter().map(|script| format!("{}: {}", script.name, script.command)).collect();
    assert_eq!(found, expected, "{manifest}");
}

#[test]
fn scripts_run_in_order() {
    let all = r#""postinstall": "c", "install": "b", "prepare": "x", "preinstall": "a", "test": "y""#;
    check(all, false, &["preinstall: a", "install: b", "postinstall: c"]);
    check(r#""postinstall": """#, false, &[]);
}

#[test]
fn a_binding_is_built_without_an_install_script() {
    check("", true, &["install: node-gyp rebuild"]);
    check(r#""postinstall": "c""#, true, &["install: node-gyp rebuild", "postinstall: c"]);
    check(r#""install": "b""#, true, &["install: b"]);
    check(r#""preinstall": "a""#, true, &["preinstall: a"]);
    assert_eq!(scripts_in(r#"{ "gypfile": false }"#, true, PackageForm::Published), []);
}

#[test]
fn a_repository_is_built_first() {
    let manifest =
        r#"{ "scripts": { "postinstall": "c", "prepare": "b", "preprepare": "a", "prepublish": "x" } }"#;
    let found = scripts_in(manifest, true, PackageForm::Repository);
    let names: Vec<&str> = found.iter().map(|script| script.name).collect();
    assert_eq!(names, ["preprepare", "prepare", "install", "postinstall"]);
}

#[test]
fn bytes_that_are_no_text_do_not_hide_a_script() {
    let project = rusk_testkit::project::Project::new();
    let text = b"{ \"x\": \"\xff\", \"scripts\": { \"install\": \"echo \xe9\" } }";
    std::fs::write(project.path().join("package.json"), text).expect("works on this machine");
    let found = scripts_of(&project.path(), PackageForm::Published).expect("it is read");
    assert_eq!(found, [LifecycleScript { name: "install", command: "echo \u{fffd}".to_owned() }]);
}
