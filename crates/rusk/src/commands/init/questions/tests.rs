//! Tests of the defaults of `rusk init`.

use super::*;

fn check_name(dir: &str, expected: &str) {
    assert_eq!(directory_name(Path::new(dir)), expected);
}

#[test]
fn the_directory_names_the_package() {
    check_name("/home/me/shapes", "shapes");
    check_name("/home/me/My App", "my-app");
    check_name("/home/me/.config", "config");
    check_name("/home/me/node_modules", "app");
    check_name("/", "app");
}

#[test]
fn an_entry_point_is_in_the_project() {
    for path in ["index.ts", "./src/index.js", "a b.ts"] {
        assert!(is_inner_path(path), "{path}");
    }
    for path in ["../index.ts", "/index.ts", "src/", "a/../../b"] {
        assert!(!is_inner_path(path), "{path}");
    }
}
