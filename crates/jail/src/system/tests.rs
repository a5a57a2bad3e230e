//! Tests of what a jail may read of the system.

use super::*;
use rusk_testkit::project::Project;

#[test]
fn toolchains_of_the_home_are_readable_and_the_home_is_not() {
    let dir = Project::new();
    let home = real_path(&dir.path());
    for made in [".nvm/v20/bin", ".nvm/v20/lib", ".local/bin", ".local/share/keyrings", ".ssh", "bin"] {
        std::fs::create_dir_all(home.join(made)).unwrap();
    }
    let path = [".nvm/v20/bin", ".local/bin", "bin", ""].map(|directory| home.join(directory));
    let project = home.join("app");
    let surroundings = Surroundings { path: &path, home: Some(&home), project: &project, private: &[] };
    let roots = readable_roots(&surroundings);
    let reads = |file: &str| roots.iter().any(|root| home.join(file).starts_with(root));
    for file in [".nvm/v20/bin/node", ".nvm/v20/lib/x.js", ".local/bin/tool", "bin/tool"] {
        assert!(reads(file), "{file}: {roots:?}");
    }
    for file in [".ssh/id", ".local/share/keyrings/x", ".npmrc", "app/.env", ".nvm/other"] {
        assert!(!reads(file), "{file}: {roots:?}");
    }
}

#[test]
fn the_version_that_a_shim_leads_to_is_readable() {
    let home = Path::new("/home/me");
    let path = [home.join(".pyenv/shims")];
    let surroundings =
        Surroundings { path: &path, home: Some(home), project: Path::new("/srv/app"), private: &[] };
    let roots = readable_roots(&surroundings);
    for file in ["shims/python3", "version", "versions/3.11/bin/python3", "libexec/pyenv"] {
        let file = home.join(".pyenv").join(file);
        assert!(roots.iter().any(|root| file.starts_with(root)), "{file:?}: {roots:?}");
    }
    assert!(!roots.iter().any(|root| home.join(".pyenv").starts_with(root)), "{roots:?}");
}

#[test]
fn a_project_within_a_readable_directory_is_left_out() {
    let dir = Project::new();
    let root = real_path(&dir.path());
    std::fs::create_dir_all(root.join("opt/bin")).unwrap();
    std::fs::create_dir_all(root.join("opt/share/app/src")).unwrap();
    std::fs::create_dir_all(root.join("opt/share/doc")).unwrap();
    let (path, project) = ([root.join("opt/bin")], root.join("opt/share/app"));
    let roots = readable_roots(&Surroundings { path: &path, home: None, project: &project, private: &[] });
    let reads = |file: &str| roots.iter().any(|found| root.join(file).starts_with(found));
    assert!(reads("opt/bin/x") && reads("opt/share/doc/x"), "{roots:?}");
    assert!(!reads("opt/share/app/.env") && !reads("opt/share"), "{roots:?}");
}

#[test]
fn the_npmrc_of_all_users_is_left_out() {
    let dir = Project::new();
    let root = real_path(&dir.path());
    for (file, text) in
        [("opt/node/bin/node", ""), ("opt/node/etc/npmrc", "token"), ("opt/node/etc/other", "")]
    {
        std::fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
        std::fs::write(root.join(file), text).unwrap();
    }
    std::fs::write(root.join("opt/own-npmrc"), "token").unwrap();
    let path = [root.join("opt"), root.join("opt/node/bin")];
    let (project, private) = (root.join("app"), [root.join("opt/own-npmrc")]);
    let surroundings = Surroundings { path: &path, home: None, project: &project, private: &private };
    let roots = readable_roots(&surroundings);
    let reads = |file: &str| roots.iter().any(|found| root.join(file).starts_with(found));
    assert!(reads("opt/node/bin/node") && reads("opt/node/etc/other"), "{roots:?}");
    assert!(!reads("opt/node/etc/npmrc") && !reads("opt/own-npmrc"), "{roots:?}");
}
