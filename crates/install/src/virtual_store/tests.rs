//! Entries of paths, and which store a project has.

use rusk_testkit::project::Project as TestProject;

use super::*;

#[test]
fn an_entry_is_a_directory_in_a_virtual_store() {
    let check = |path: &str, entry: Option<&str>| assert_eq!(entry_of(path), entry, "{path}");
    check("node_modules/.bun/a@1/node_modules/a", Some("node_modules/.bun/a@1"));
    check("node_modules/.pnpm/a@1/node_modules/a", Some("node_modules/.pnpm/a@1"));
    check("node_modules/.pnpm/a@1/node_modules/@s/b", Some("node_modules/.pnpm/a@1"));
    for path in
        ["node_modules/.pnpm", "node_modules/.pnpm/a@1", "node_modules/.pnpmx/a@1/b", "node_modules/a/b"]
    {
        check(path, None);
    }
}

#[test]
fn a_project_of_pnpm_has_its_lockfile_or_its_settings() {
    const LOCK: &str = "lockfileVersion: '9.0'\nimporters:\n  .: {}\n";
    let cases: [(&[(&str, &str)], VirtualStore); 5] = [
        (&[], VirtualStore::Bun),
        (&[("yarn.lock", "# yarn lockfile v1\n")], VirtualStore::Bun),
        (&[("pnpm-lock.yaml", LOCK)], VirtualStore::Pnpm),
        (&[("pnpm-workspace.yaml", "packages: []\n")], VirtualStore::Pnpm),
        (
            &[
                ("pnpm-workspace.yaml", "packages: []\n"),
                ("bun.lock", "{ \"lockfileVersion\": 1, \"workspaces\": { \"\": {} } }"),
            ],
            VirtualStore::Pnpm,
        ),
    ];
    for (files, store) in cases {
        let directory = TestProject::with(&[("package.json", "{}")]);
        for (name, text) in files {
            directory.write(name, *text);
        }
        let project = Project::read(&directory.path()).expect("a project");
        assert_eq!(VirtualStore::of(&project), store, "{files:?}");
    }
}
