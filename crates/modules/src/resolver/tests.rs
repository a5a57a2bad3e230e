//! Contents of resolved files, and of errors.

use super::*;
use crate::{Format, PackageType, SideEffects};
use rusk_testkit::project::Project;

fn resolve(project: &Project, from: &str, specifier: &str, kind: Kind) -> Result<Resolved, ResolveError> {
    let resolver = Resolver::new(Options::node());
    resolver.resolve(Importer::File(&project.path().join(from)), specifier, kind)
}

fn file(project: &Project, from: &str, specifier: &str) -> File {
    match resolve(project, from, specifier, Kind::Require) {
        Ok(Resolved::File(file)) => file,
        other => panic!("{specifier}: {other:?}"),
    }
}

#[test]
fn a_file_comes_with_its_package() {
    let manifest = r#"{"name":"box","type":"module","sideEffects":["*.css"],"main":"a.js"}"#;
    let project = Project::with(&[
        ("app.js", ""),
        ("node_modules/box/package.json", manifest),
        ("node_modules/box/a.js", ""),
        ("node_modules/box/b.cjs", ""),
        ("node_modules/box/c.json", ""),
        ("node_modules/box/old/package.json", "{\"type\":\"commonjs\"}"),
        ("node_modules/box/old/d.js", ""),
        ("node_modules/loose/index.js", ""),
    ]);
    let main = file(&project, "app.js", "box");
    let Scope::Package(package) = &main.scope else { panic!("{:?}", main.scope) };
    assert_eq!(package.name(), Some("box"));
    assert_eq!(package.kind(), PackageType::Module);
    assert_eq!(package.side_effects(), &SideEffects::Globs(vec!["*.css".into()]));
    assert_eq!(package.directory(), project.path().join("node_modules/box"));
    assert_eq!(main.format(), Format::Module);
    assert_eq!(file(&project, "app.js", "box/b.cjs").format(), Format::CommonJs);
    assert_eq!(file(&project, "app.js", "box/c").format(), Format::Json);
    assert_eq!(file(&project, "app.js", "box/old/d").format(), Format::CommonJs);
    let loose = file(&project, "app.js", "loose");
    assert_eq!(loose.format(), Format::Unspecified);
    assert!(matches!(loose.scope, Scope::None), "node_modules ends the search");
}

#[test]
fn an_error_says_what_was_looked_for() {
    let project = Project::with(&[("app.js", ""), ("node_modules/x/package.json", "{\"exports\":{}}")]);
    let text = |specifier: &str, kind| {
        let failure = resolve(&project, "app.js", specifier, kind).expect_err("it is absent");
        failure.problem().to_string().replace(&*project.path().to_string_lossy(), "[dir]")
    };
    assert_eq!(
        text("./y", Kind::Require),
        "error[MODULE_NOT_FOUND]: `./y` is not there\n  wanted by [dir]/app.js\n  \
         looked for [dir]/y, also with .js, .json, .node"
    );
    assert_eq!(
        text("y/z", Kind::Import),
        "error[ERR_MODULE_NOT_FOUND]: `y/z` is not there\n  wanted by [dir]/app.js\n  \
         no directory `y` in any node_modules above"
    );
    assert_eq!(
        text("x", Kind::Import),
        "error[ERR_PACKAGE_PATH_NOT_EXPORTED]: `x` is not exported: `exports` has nothing for `.`\n  \
         wanted by [dir]/app.js\n  [dir]/node_modules/x/package.json\n  \
         conditions: node, import, module-sync, node-addons"
    );
}

#[test]
fn global_paths_come_last_and_for_require_alone() {
    let project = Project::with(&[
        ("app.js", ""),
        ("node_modules/both/index.js", ""),
        ("more/both/index.js", ""),
        ("more/extra/index.js", ""),
    ]);
    let options = Options { global_paths: vec![project.path().join("more")], ..Options::node() };
    let resolver = Resolver::new(options);
    let app = project.path().join("app.js");
    let found = |specifier, kind| match resolver.resolve(Importer::File(&app), specifier, kind) {
        Ok(Resolved::File(file)) => file.path.strip_prefix(project.path()).unwrap().display().to_string(),
        _ => "nothing".to_owned(),
    };
    assert_eq!(found("both", Kind::Require), "node_modules/both/index.js");
    assert_eq!(found("extra", Kind::Require), "more/extra/index.js");
    assert_eq!(found("extra", Kind::Import), "nothing");
}

#[test]
fn search_paths_replace_the_node_modules_above() {
    let project = Project::with(&[
        ("app.js", ""),
        ("node_modules/both/package.json", "{}"),
        ("node_modules/alone/index.js", ""),
        ("first/both/package.js", ""),
        ("first/shown/package.json", "{\"exports\":{\"./in\":\"./out.js\"}}"),
        ("first/shown/out.js", ""),
    ]);
    let resolver = Resolver::new(Options::node());
    let app = project.path().join("app.js");
    let found = |specifier, directories: &[&str]| {
        let directories: Vec<PathBuf> =
            directories.iter().map(|directory| project.path().join(directory)).collect();
        match resolver.resolve_with_paths(Importer::File(&app), specifier, &directories) {
            Ok(Resolved::File(file)) => file.path.strip_prefix(project.path()).unwrap().display().to_string(),
            Ok(_) => "no file".to_owned(),
            Err(failure) => failure.code().name().to_owned(),
        }
    };
    assert_eq!(found("both/package", &["first", "node_modules"]), "first/both/package.js");
    assert_eq!(found("both/package", &["node_modules", "first"]), "node_modules/both/package.json");
    assert_eq!(found("shown/in", &["first"]), "first/shown/out.js");
    assert_eq!(found("alone", &["first"]), "MODULE_NOT_FOUND");
    assert_eq!(found("./first/both/package", &[]), "first/both/package.js");
    assert_eq!(found("fs", &["first"]), "no file");
}

#[test]
fn a_primed_listing_is_not_read_again() {
    let project = Project::with(&[("app.js", ""), ("sub/there.js", ""), ("sub/more/x.js", "")]);
    let resolver = Resolver::new(Options::node());
    let names = [(OsStr::new("listed.js"), EntryKind::File), (OsStr::new("more"), EntryKind::Directory)];
    resolver.prime_listing(&project.path().join("sub"), &names);
    let found =
        |specifier| resolver.resolve(Importer::Directory(&project.path()), specifier, Kind::Require).is_ok();
    assert!(found("./sub/listed"));
    assert!(found("./sub/more/x"));
    assert!(!found("./sub/there"));
}

#[test]
fn an_implicit_main_file_is_deprecated() {
    let project = Project::with(&[
        ("app.js", ""),
        ("node_modules/short/package.json", r#"{"type":"module","main":"a"}"#),
        ("node_modules/short/a.js", ""),
        ("node_modules/wrong/package.json", r#"{"main":"none.js"}"#),
        ("node_modules/wrong/index.js", ""),
        ("node_modules/whole/package.json", r#"{"type":"module","main":"./a.js"}"#),
        ("node_modules/whole/a.js", ""),
    ]);
    let code = |specifier: &str, kind| match resolve(&project, "app.js", specifier, kind) {
        Ok(Resolved::File(file)) => file.deprecation.map(|deprecation| deprecation.code()),
        other => panic!("{specifier}: {other:?}"),
    };
    assert_eq!(code("short", Kind::Import), Some("DEP0151"));
    assert_eq!(code("short", Kind::Require), None);
    assert_eq!(code("wrong", Kind::Require), Some("DEP0128"));
    assert_eq!(code("wrong", Kind::Import), None, "CommonJS may leave it away");
    assert_eq!(code("whole", Kind::Import), None);
}
