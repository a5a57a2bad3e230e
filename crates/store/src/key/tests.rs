//! How keys name folders.

use super::*;

#[test]
fn a_folder_name_shows_the_package() {
    let folder = Key::new("@babel/core", "7.26.0", "sha512-x").folder().to_owned();
    let (shown, hash) = folder.rsplit_once("@@").expect("a hash");
    assert_eq!((shown, hash.len()), ("@babel+core@7.26.0", HASH_DIGITS));
}

#[test]
fn a_folder_name_is_one_harmless_component() {
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
        assert!(!key.folder().starts_with('.') && key.folder().len() <= 255, "{}", key.folder());
        assert!(
            key.folder().bytes().all(|byte| byte.is_ascii_alphanumeric() || b"@+-_.".contains(&byte)),
            "{}",
            key.folder()
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
    let folders: std::collections::BTreeSet<&str> = keys.iter().map(Key::folder).collect();
    assert_eq!(folders.len(), keys.len());
    assert_eq!(Key::new("a", "1", "x"), keys[1]);
}
