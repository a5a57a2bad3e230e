//! Tests of the published package.json.

use super::{PackageFields, WorkspaceVersions, render};

struct Versions;

impl WorkspaceVersions for Versions {
    fn version(&self, name: &str) -> Option<String> {
        (name == "a" || name == "@s/b").then(|| "1.2.3".to_owned())
    }

    fn catalog(&self, catalog: &str, name: &str) -> Option<String> {
        match (catalog, name) {
            ("", "react") => Some("^19.0.0".to_owned()),
            ("old", "react") => Some("workspace:^".to_owned()),
            ("", "loop") => Some("catalog:".to_owned()),
            ("", "a") => Some("workspace:~".to_owned()),
            _ => None,
        }
    }
}

#[test]
fn specifiers_of_the_workspace_become_ranges() {
    for (name, literal, published) in [
        ("a", "workspace:*", "1.2.3"),
        ("a", "workspace:^", "^1.2.3"),
        ("a", "workspace:~", "~1.2.3"),
        ("a", "workspace:", "1.2.3"),
        ("a", "workspace:^1.0.0", "^1.0.0"),
        ("a", "workspace:../a", "1.2.3"),
        ("c", "workspace:@s/b@^", "npm:@s/b@^1.2.3"),
        ("react", "catalog:", "^19.0.0"),
        ("react", "catalog:default", "^19.0.0"),
        ("a", "catalog:", "~1.2.3"),
        ("x", "^1.0.0", "^1.0.0"),
        ("@s/p", "jsr:^1.0.0", "npm:@jsr/s__p@^1.0.0"),
        ("p", "jsr:@s/p@^1.0.0", "npm:@jsr/s__p@^1.0.0"),
    ] {
        let text = format!(
            r#"{{"peerDependencies": {{"{name}": "{literal}"}}, "dependencies": {{"{name}": "{literal}"}}}}"#
        );
        assert_eq!(render(&text, &Versions).ok(), Some(text.replace(literal, published)), "{literal}");
    }
}

#[test]
fn what_the_workspace_does_not_know_is_a_problem() {
    for (name, literal) in
        [("z", "workspace:*"), ("z", "catalog:"), ("loop", "catalog:"), ("react", "catalog:none")]
    {
        let text = format!(r#"{{"dependencies": {{"{name}": "{literal}"}}}}"#);
        assert_eq!(render(&text, &Versions).expect_err(literal).code(), "pack-dependency");
    }
}

#[test]
fn comments_and_trailing_commas_are_not_published() {
    let text = "{\n  // why\n  \"name\": \"a\",\n  \"files\": [\"x\", ],\n  \"scripts\": {},\n}\n";
    let published = "{\n  \"name\": \"a\",\n  \"files\": [\n    \"x\"\n  ],\n  \"scripts\": {}\n}\n";
    assert_eq!(render(text, &Versions).ok().as_deref(), Some(published));
}

#[test]
fn name_and_version_are_checked() {
    let identity = |text| {
        PackageFields::parse(text)
            .and_then(|fields| fields.identity().map(|_| ()))
            .map_err(|problem| problem.code())
    };
    assert_eq!(identity(r#"{"name":"a","version":"1.0.0"}"#), Ok(()));
    for text in [
        r#"{"name":"a"}"#,
        r#"{"version":"1.0.0"}"#,
        r#"{"name":"A b","version":"1.0.0"}"#,
        r#"{"name":"a","version":"1"}"#,
    ] {
        assert_eq!(identity(text), Err("pack-manifest"), "{text}");
    }
}
