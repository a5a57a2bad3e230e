//! The machine as it is found.

use super::*;

#[test]
fn the_project_is_the_nearest_directory_with_a_manifest() {
    let root = env::temp_dir().join(format!("rusk-host-{}", std::process::id()));
    let inner = root.join("src/deep");
    fs::create_dir_all(&inner).unwrap();
    fs::create_dir(root.join("src/package.json")).unwrap();
    assert_ne!(find_project(&inner), Some(root.as_path()));
    fs::write(root.join("package.json"), "{}").unwrap();
    assert_eq!(find_project(&inner), Some(root.as_path()));
    assert_eq!(find_project(&root), Some(root.as_path()));
    fs::remove_dir_all(&root).unwrap();
}

#[test]
fn a_host_is_filled() {
    let environment = BTreeMap::from([("HOME".to_owned(), "relative".to_owned())]);
    let host = host(PathBuf::from("/"), environment);
    assert!((host.processors)() >= 1);
    assert!(host.now_s > 1_700_000_000);
    assert_eq!(host.home_dir, None);
    assert!(host.user_agent.starts_with("rusk/"));
}
