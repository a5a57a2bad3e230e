//! What package.json may hold, and what is refused.

use super::*;

fn parse(text: &str) -> Manifest {
    Manifest::parse(text).expect(text)
}

fn refuses(text: &str, message: &str) {
    let problem = Manifest::parse(text).expect_err(text);
    assert!(problem.message().contains(message), "{text}: {problem}");
}

fn pairs(text: &str) -> Pairs {
    let pair = |pair: &str| pair.split_once('=').map(|(name, literal)| (name.to_owned(), literal.to_owned()));
    text.split_whitespace().filter_map(pair).collect()
}

#[test]
fn groups_keep_the_order_of_the_file() {
    let manifest = parse(
        r#"{
        // bun allows comments
        "dependencies": {"b": "^1", "@s/a": "", "b": "^2"},
        "devDependencies": {"c": "latest"}, "optionalDependencies": {"d": "1"}, "peerDependencies": {"e": "*"},
    }"#,
    );
    assert_eq!(manifest.dependencies, pairs("b=^2 @s/a="));
    let groups = manifest.groups().map(|(group, pairs)| (group.key(), pairs.len()));
    let expected =
        [("dependencies", 2), ("devDependencies", 1), ("optionalDependencies", 1), ("peerDependencies", 1)];
    assert_eq!(groups, expected);
}

#[test]
fn identity_is_read_where_it_has_its_type() {
    let manifest = parse(r#"{"name":"app","version":"1.0.0","private":true,"packageManager":"x@1"}"#);
    assert_eq!(manifest.name.as_deref(), Some("app"));
    assert_eq!(manifest.version.as_deref(), Some("1.0.0"));
    assert_eq!((manifest.private, manifest.package_manager.as_deref()), (true, Some("x@1")));
    assert_eq!(parse(r#"{"name":5,"version":[],"private":"yes","scripts":5,"os":7}"#), Manifest::default());
}

#[test]
fn names_that_are_no_dir_are_refused() {
    for name in [
        "",
        ".",
        "..",
        "../x",
        "a/b",
        "a/../b",
        "/a",
        "@s",
        "@/a",
        "@s/",
        "@../a",
        "@s/..",
        "@s/a/b",
        "a\\\\b",
        "a\\u0000",
        ".bin",
        "node_modules",
    ] {
        refuses(&format!(r#"{{"dependencies":{{"{name}":"1"}}}}"#), "expected `name` or `@scope/name`");
    }
    refuses(&format!(r#"{{"dependencies":{{"{}":"1"}}}}"#, "a".repeat(256)), "expected `name`");
    assert_eq!(parse(r#"{"dependencies":{"JSONStream":"1","@S/a.b":"1","_x~":"1"}}"#).dependencies.len(), 3);
}

#[test]
fn a_wrong_type_names_key_line_and_kinds() {
    refuses("[]", "`package.json` is an array, expected an object");
    refuses(r#"{"dependencies":null}"#, "`dependencies` is null, expected an object");
    refuses(r#"{"dependencies":[]}"#, "`dependencies` is an array");
    refuses(r#"{"peerDependencies":{"a":1}}"#, "`peerDependencies.a` is a number, expected a string");
    refuses(r#"{"workspaces":5}"#, "`workspaces` is a number, expected a list");
    refuses(r#"{"workspaces":[5]}"#, "`workspaces` is a number, expected a list");
    refuses(r#"{"workspaces":{"packages":5}}"#, "`workspaces.packages` is a number");
    refuses(r#"{"trustedDependencies":{}}"#, "`trustedDependencies` is an object");
    refuses(r#"{"catalogs":{"x":{"a":1}}}"#, "`catalogs.x.a` is a number");
    refuses("{", "line 1, column 2: expected");
    let problem = Manifest::parse("{\n\"dependencies\": {\n\"a\": 1}}").expect_err("a number");
    assert_eq!(problem.notes(), ["line 3 of package.json"]);
}

#[test]
fn optional_peers_come_from_the_meta_map() {
    let manifest = parse(
        r#"{"peerDependencies":{"a":"1"},
            "peerDependenciesMeta":{"a":{"optional":true},"b":{"optional":true},"c":{"optional":false},"d":1}}"#,
    );
    assert_eq!(manifest.optional_peers, ["a", "b"]);
    assert_eq!(manifest.peer_dependencies, pairs("a=1 b=*"));
}

#[test]
fn bundled_is_a_list_or_true() {
    let names = |names: &[&str]| Bundled::Names(names.iter().map(|&name| name.to_owned()).collect());
    assert_eq!(parse(r#"{"bundleDependencies":["a","b"]}"#).bundled, names(&["a", "b"]));
    assert_eq!(parse(r#"{"bundledDependencies":["a",5]}"#).bundled, names(&["a"]));
    assert_eq!(parse(r#"{"bundledDependencies":true}"#).bundled, Bundled::All);
    assert_eq!(parse(r#"{"bundledDependencies":false}"#).bundled, Bundled::None);
    assert_eq!(parse(r#"{"bundledDependencies":"a"}"#).bundled, Bundled::None);
}

#[test]
fn bin_has_three_forms() {
    assert_eq!(parse(r#"{"bin":"a.js"}"#).bin, Bin::File("a.js".into()));
    assert_eq!(parse(r#"{"bin":{"a":"a.js","b":"b.js","c":1}}"#).bin, Bin::Map(pairs("a=a.js b=b.js")));
    assert_eq!(parse(r#"{"directories":{"bin":"bin"}}"#).bin, Bin::Directory("bin".into()));
    assert_eq!(parse(r#"{"bin":"","directories":{"bin":"bin"}}"#).bin, Bin::Directory("bin".into()));
    assert_eq!(parse(r#"{"bin":5}"#).bin, Bin::None);
}

#[test]
fn workspaces_and_catalogs_have_two_places() {
    assert_eq!(parse(r#"{"workspaces":["a","!b"]}"#).workspaces, ["a", "!b"]);
    assert_eq!(parse(r#"{"workspaces":{"packages":["a"]}}"#).workspaces, ["a"]);
    assert_eq!(parse(r#"{"workspaces":{}}"#).workspaces, [""; 0]);
    assert_eq!(parse(r#"{"catalog":{"a":"1"},"workspaces":["x"]}"#).catalog, pairs("a=1"));
    assert_eq!(parse(r#"{"catalog":{"a":"1"},"workspaces":{"catalog":{"a":"2"}}}"#).catalog, pairs("a=2"));
    let hidden = parse(r#"{"catalog":{"a":"1"},"workspaces":{"catalogs":{"x":{"a":"2"}}}}"#);
    assert_eq!((hidden.catalog, hidden.catalogs), (pairs(""), vec![("x".to_owned(), pairs("a=2"))]));
    assert_eq!(parse(r#"{"catalog":5,"catalogs":{"x":5}}"#), Manifest::default());
}

#[test]
fn trust_scripts_engines_and_platforms_are_read() {
    let manifest = parse(
        r#"{"trustedDependencies":["a"],"patchedDependencies":{"a@1":"p.patch"},"scripts":{"build":"x","n":1},
            "engines":{"node":">=20"},"os":["linux","!win32"],"cpu":"x64","libc":["glibc"]}"#,
    );
    assert_eq!(manifest.trusted_dependencies, Some(vec!["a".to_owned()]));
    assert_eq!(parse("{}").trusted_dependencies, None);
    assert_eq!(manifest.patched_dependencies, pairs("a@1=p.patch"));
    assert_eq!((manifest.scripts, manifest.engines), (pairs("build=x"), pairs("node=>=20")));
    assert_eq!(manifest.os, ["linux", "!win32"]);
    assert_eq!((manifest.cpu, manifest.libc), (vec!["x64".to_owned()], vec!["glibc".to_owned()]));
}

#[test]
fn a_huge_text_is_refused() {
    refuses(&" ".repeat(MANIFEST_BYTES_MAX + 1), "expected at most");
}
