//! How keys name directories.

use super::*;

#[test]
fn a_dir_name_shows_the_package() {
    let dir = Key::new("@babel/core", "7.26.0", "sha512-x").dir_name().to_owned();
    let (shown, hash) = dir.rsplit_once("@@").expect("a hash");
    assert_eq!((shown, hash.len()), ("@babel+core@7.26.0", HASH_DIGITS));
}

#[test]
fn a_dir_name_is_one_harmless_component() {
    let long = "x".repeat(1000);
    for (name, version) in [
        ("..", ".."),
        ("", ""),
        (".staging", "/../"),
        ("a\0b\n", "é"),
        (&long, &long),
        ("a", "https://h/x?y#z"),
    ] {
        let key = Key::new(name, version, "");
        assert!(!key.dir_name().starts_with('.') && key.dir_name().len() <= 255, "{}", key.dir_name());
        assert!(
            key.dir_name().bytes().all(|byte| byte.is_ascii_alphanumeric() || b"@+-_.".contains(&byte)),
            "{}",
            key.dir_name()
        );
    }
}

#[test]
fn keys_differ_when_any_part_does() {
    let keys = [
        Key::new("a", "1", ""),
        Key::new("a", "1", "x"),
        Key::new("a", "1x", ""),
        Key::new("a1", "", ""),
        Key::new("A", "1", ""),
        Key::new("a/b", "1", ""),
        Key::new("a+b", "1", ""),
    ];
    let dirs: std::collections::BTreeSet<&str> = keys.iter().map(Key::dir_name).collect();
    assert_eq!(dirs.len(), keys.len());
    assert_eq!(Key::new("a", "1", "x"), keys[1]);
}
