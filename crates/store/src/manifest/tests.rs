//! What is taken from a package.json, and what is passed over.

use super::*;

fn manifest(package_json: &str, paths: &[&str]) -> Manifest {
    let file = |path: &&str| File { path: (*path).to_owned().into(), body: b""[..].into(), mode: 0o666 };
    let mut files: Vec<File<'_>> = paths.iter().map(file).collect();
    files.push(File { path: "package.json".into(), body: package_json.as_bytes().into(), mode: 0o666 });
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Manifest::read(&files).expect("a manifest")
}

/// Checks the bins of a package `@scope/left` as `name=path`, joined.
fn check_bins(fields: &str, expected: &str) {
    let text = format!("{{\"name\": \"@scope/left\", {fields}}}");
    let bins = manifest(&text, &["bin/a", "bin/b.js", "bin/sub/c"]).bins;
    let found: Vec<String> =
        bins.iter().map(|bin| format!("{}={}", bin.name_in("@scope/left"), bin.path)).collect();
    assert_eq!(found.join(" "), expected, "{fields}");
}

#[test]
fn a_bin_is_a_path_or_a_map_of_paths() {
    check_bins(r#""bin": "./cli.js""#, "left=cli.js");
    check_bins(r#""bin": {"x": "./cli.js", "y": "bin//y"}"#, "x=cli.js y=bin/y");
    check_bins(r#""bin": {"x": 1, "y": "", "z": "z"}"#, "z=z");
    check_bins(r#""bin": ["a"]"#, "");
    check_bins(r#""main": "x""#, "");
}

#[test]
fn bins_of_a_dir_are_its_files() {
    check_bins(r#""directories": {"bin": "./bin"}"#, "a=bin/a b.js=bin/b.js");
    check_bins(r#""directories": {"bin": "../.."}"#, "");
    check_bins(r#""directories": {"bin": "bi"}"#, "");
    check_bins(r#""bin": {}, "directories": {"bin": "bin"}"#, "");
}

#[test]
fn a_bin_stays_in_its_package() {
    for path in ["../x", "a/../../x", "/x", ".", "", "./", "a/..", "..\\\\x", "a\\u0000b"] {
        check_bins(&format!(r#""bin": {{"x": "{path}"}}"#), "");
        check_bins(&format!(r#""bin": "{path}""#), "");
    }
    check_bins(r#""bin": {"x": "bin\\d.js", "y": "a/../b"}"#, "x=bin/d.js y=b");
}

#[test]
fn a_bin_name_is_one_component() {
    check_bins(
        r#""bin": {"../x": "a", "@s/y": "b", "c:z": "c", "..": "d", ".": "e", "": "f", "g/": "g", "h\u0007": "h", "-rf": "i", ".x": "j"}"#,
        "x=a y=b z=c",
    );
    check_bins(r#""bin": {"x": "a", "s/x": "b"}"#, "x=a");
}

#[test]
fn a_bin_does_not_pose_as_the_programs_around_it() {
    check_bins(
        r#""bin": {"node": "a", "npm": "a", "npx": "a", "sh": "a", "bash": "a", "git": "a", "bun": "a", "ok": "a"}"#,
        "ok=a",
    );
    let npm = manifest(r#"{"name": "npm", "bin": {"npm": "a", "npx": "b", "node": "c"}}"#, &[]);
    assert_eq!(npm.bins.iter().map(|bin| bin.name.as_str()).collect::<Vec<_>>(), ["npm", "npx"]);
}

#[test]
fn install_scripts_are_noticed() {
    for (fields, paths, expected) in [
        (r#""scripts": {"test": "x", "install": ""}"#, &[][..], [false; 4]),
        (
            r#""scripts": {"preinstall": "x", "install": "x", "postinstall": "x"}"#,
            &["binding.gyp"],
            [true, true, true, false],
        ),
        (r#""scripts": {"postinstall": "x"}"#, &["binding.gyp"], [false, false, true, true]),
        (r#""gypfile": false"#, &["binding.gyp"], [false; 4]),
        (r#""scripts": []"#, &["x/binding.gyp"], [false; 4]),
    ] {
        let scripts = manifest(&format!("{{{fields}}}"), paths).scripts;
        let InstallScripts { preinstall, install, postinstall, binding_gyp } = scripts;
        assert_eq!([preinstall, install, postinstall, binding_gyp], expected, "{fields}");
        assert_eq!(scripts.any(), expected.contains(&true));
    }
}

#[test]
fn bundled_dependencies_are_noticed() {
    assert!(manifest("{}", &["node_modules/a/b"]).bundles_dependencies);
    assert!(!manifest("{}", &["node_modules-a", "a/node_modules/b"]).bundles_dependencies);
}

#[test]
fn names_that_are_no_text_are_empty() {
    let read = manifest(r#"{"name": {}, "version": 1}"#, &[]);
    assert_eq!((read.name.as_str(), read.version.as_str()), ("", ""));
}
