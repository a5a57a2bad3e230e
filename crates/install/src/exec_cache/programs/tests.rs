//! Which programs packages have, and which is the default.

use std::os::unix::fs::symlink;
use std::path::PathBuf;

use super::*;

/// A directory that is removed when the test ends.
struct TemporaryDir(PathBuf);

impl Drop for TemporaryDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The programs of `tool`, which declares `tool` and `more`, when `make` has filled `.bin`.
fn programs_of_tool(make: &dyn Fn(&Path)) -> Vec<(String, String)> {
    let name = format!("rusk-programs-{}", files::unpredictable_name());
    let project = TemporaryDir(std::env::temp_dir().join(name));
    let node_modules = project.0.join("node_modules");
    for dir in [".bin", "tool/bin", "@tool/linux-x64/bin"] {
        std::fs::create_dir_all(node_modules.join(dir)).expect("a directory");
    }
    let manifest = r#"{ "name": "tool", "bin": { "tool": "bin/tool", "more": "./bin/more" } }"#;
    std::fs::write(node_modules.join("tool/package.json"), manifest).expect("a file");
    for file in ["tool/bin/tool", "tool/bin/more", "@tool/linux-x64/bin/tool"] {
        std::fs::write(node_modules.join(file), "").expect("a file");
    }
    std::fs::write(project.0.join("outside"), "").expect("a file");
    make(&node_modules.join(".bin"));
    let programs = programs_of(&project.0, &["tool".to_owned()]).expect("a readable directory");
    programs.into_iter().map(|program| (program.name, program.target)).collect()
}

#[test]
fn a_program_is_found_by_what_its_package_declares() {
    let tool = [("tool".to_owned(), "../tool/bin/tool".to_owned())];
    let link = |target: &'static str| move |bin: &Path| symlink(target, bin.join("tool")).expect("a link");
    assert_eq!(programs_of_tool(&link("../tool/bin/tool")), tool);
    assert_eq!(programs_of_tool(&link("../@tool/linux-x64/bin/tool")), tool, "of a platform");
    let file = |bin: &Path| std::fs::write(bin.join("tool"), "").expect("a file");
    assert_eq!(programs_of_tool(&file), tool, "put there by a script");
    assert_eq!(programs_of_tool(&link("../../outside")), [], "out of node_modules");
    assert_eq!(programs_of_tool(&link("../nothing")), [], "to nothing");
    let other = |bin: &Path| symlink("../@tool/linux-x64/bin/tool", bin.join("other")).expect("a link");
    assert_eq!(programs_of_tool(&other), [], "of another package");
}

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
