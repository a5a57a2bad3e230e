//! Tests of the names that `rusk create` takes.

use super::package_of;

fn check(template: &str, expected: Option<&str>) {
    assert_eq!(package_of(template).as_deref(), expected, "{template}");
}

#[test]
fn a_template_names_a_package() {
    check("vite", Some("create-vite"));
    check("vite@7", Some("create-vite@7"));
    check("create-vite@latest", Some("create-vite@latest"));
    check("@scope", Some("@scope/create"));
    check("@scope@2", Some("@scope/create@2"));
    check("@scope/app", Some("@scope/create-app"));
    check("@scope/create-app@1.0.0", Some("@scope/create-app@1.0.0"));
}

#[test]
fn paths_and_repositories_name_none() {
    check("user/repository", None);
    check("./template", None);
    check("git+https://host.test/a.git", None);
    check("@", None);
}
