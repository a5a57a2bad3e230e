//! Relative paths of links, units, moves, and fingerprints of locations that stay.

use std::os::fd::{AsFd, BorrowedFd};

use rusk_base::sys;
use rusk_testkit::project::Project;

use super::*;
use crate::state;
use crate::virtual_store::VirtualStore;

fn check(path: &str, target: &str, text: &str) {
    assert_eq!(relative(path, target), text, "{path} -> {target}");
}

#[test]
fn a_link_target_is_relative_to_its_directory() {
    check("node_modules/ui", "packages/ui", "../packages/ui");
    check("node_modules/@app/ui", "packages/ui", "../../packages/ui");
    check("packages/a/node_modules/b", "packages/b", "../../b");
    check("node_modules/self", ".", "..");
    check("node_modules/out", "../out", "../../out");
    check("node_modules/abs", "/opt/abs", "/opt/abs");
}

fn location(path: &str, origin: Origin) -> PackageLocation {
    let alias = path.rsplit_once("node_modules/").expect("in a node_modules").1.to_owned();
    let stamp = format!("{origin:?}");
    let required_by = RequiredBy::Packages;
    PackageLocation { path: path.to_owned(), package: PackageId(0), alias, stamp, origin, required_by }
}

/// The units of an isolated layout of a package `a` that links to `b`, and a member that links to
/// `a`.
fn units(completeness: Completeness, before: &[&str]) -> Vec<String> {
    let target = |name: &str| Origin::Location(format!("node_modules/.bun/{name}@1.0.0/node_modules/{name}"));
    let mut locations = vec![
        location("node_modules/.bun/a@1.0.0/node_modules/a", Origin::Store),
        location("node_modules/.bun/a@1.0.0/node_modules/b", target("b")),
        location("node_modules/.bun/b@1.0.0/node_modules/b", Origin::Store),
        location("node_modules/a", target("a")),
        location("packages/ui/node_modules/a", target("a")),
    ];
    locations.retain(|location| !before.contains(&location.path.as_str()));
    let make = (0..locations.len()).collect();
    let before = before.iter().map(|&path| (path.to_owned(), String::new())).collect();
    let installed = Arc::new(InstalledTree { locations: before, ..InstalledTree::default() });
    let plan = Plan {
        kind: LayoutKind::Isolated(VirtualStore::Bun),
        locations,
        make,
        completeness,
        installed,
        ..Plan::default()
    };
    plan.units().into_iter().map(|unit| format!("{} {}", unit.root, unit.locations.len())).collect()
}

#[test]
fn a_new_entry_is_one_unit() {
    let (a, b) = ("node_modules/.bun/a@1.0.0", "node_modules/.bun/b@1.0.0");
    let new = [format!("{a} 2"), format!("{b} 1"), "node_modules/a 1".to_owned()];
    let member = "packages/ui/node_modules";
    assert_eq!(units(Completeness::Unknown, &[]), [&new[..], &[format!("{member} 1")]].concat());
    // Files of tools in the directory of a known member stay.
    assert_eq!(units(Completeness::Complete, &[]), [&new[..], &[format!("{member}/a 1")]].concat());
    let known = format!("{a}/node_modules/a");
    let rest = [format!("{a}/node_modules/b 1"), format!("{b} 1"), "node_modules/a 1".to_owned()];
    assert_eq!(units(Completeness::Complete, &[&known]), [&rest[..], &[format!("{member}/a 1")]].concat());
}

#[test]
fn an_unneeded_entry_is_removed_at_once() {
    let check = |obsolete: &[&str], wanted: &[&str], expected: &[&str]| {
        let obsolete: Vec<String> = obsolete.iter().map(|&path| path.to_owned()).collect();
        let obsolete: Vec<&String> = obsolete.iter().collect();
        assert_eq!(
            collapse_entries(&obsolete, &|start| wanted.iter().any(|path| path.starts_with(start))),
            expected
        );
    };
    let a = ["node_modules/.bun/a@1/node_modules/a", "node_modules/.bun/a@1/node_modules/b"];
    check(&[a[0], a[1], "node_modules/a"], &[], &["node_modules/.bun/a@1", "node_modules/a"]);
    check(&[a[1]], &[a[0]], &[a[1]]);
    check(&[a[0]], &["node_modules/.bun/a@10/node_modules/a"], &["node_modules/.bun/a@1"]);
    check(
        &["node_modules/.bun/node_modules/x"],
        &["node_modules/.bun/node_modules/y"],
        &["node_modules/.bun/node_modules/x"],
    );
}

#[test]
fn a_package_moves_from_a_removed_entry_to_a_new_one() {
    let entry = |peers: &str| format!("node_modules/.bun/a@1.0.0+{peers}/node_modules/a");
    let stored = |path: &str, stamp: &str| PackageLocation {
        stamp: stamp.to_owned(),
        ..location(path, Origin::Store)
    };
    let check = |installed: &[(&str, &str)], wanted: &[(&str, &str)], expected: &[(&str, &str)]| {
        let owned = |(path, stamp): &(&str, &str)| ((*path).to_owned(), (*stamp).to_owned());
        let installed =
            InstalledTree { locations: installed.iter().map(owned).collect(), ..InstalledTree::default() };
        let locations: Vec<PackageLocation> =
            wanted.iter().map(|(path, stamp)| stored(path, stamp)).collect();
        let make = locations_to_make(&locations, &installed);
        let is_obsolete = |path: &&String| !wanted.iter().any(|(wanted, _)| wanted == path);
        let obsolete: Vec<&String> = installed.locations.keys().filter(is_obsolete).collect();
        let found = moves(&locations, &make, &obsolete, &installed);
        assert_eq!(found, expected.iter().map(owned).collect());
    };
    let (one, two, three) = (entry("1"), entry("2"), entry("3"));
    check(&[(&one, "a")], &[(&two, "a")], &[(&two, &one)]);
    check(&[(&one, "a")], &[(&two, "another")], &[]);
    check(&[(&one, "a")], &[(&one, "a"), (&two, "a")], &[]);
    // One move for each.
    check(&[(&one, "a")], &[(&two, "a"), (&three, "a")], &[(&two, &one)]);
    check(&[(&one, "a"), (&two, "a")], &[(&three, "a")], &[(&three, &one)]);
    // A nested location is not part of the package.
    let below = format!("{one}/node_modules/a");
    check(&[(&one, "a"), (&below, "b")], &[(&two, "a")], &[]);
    let below = format!("{two}/node_modules/a");
    check(&[(&one, "a")], &[(&two, "a"), (&below, "b")], &[]);
}

#[test]
fn nested_locations_are_made_with_their_parent() {
    let paths = ["node_modules/a", "node_modules/a-b", "node_modules/a.b", "node_modules/a/node_modules/c"];
    let locations = paths.map(|path| location(path, Origin::Store));
    let installed = |changed: &[usize]| {
        let stamp = |index: usize| if changed.contains(&index) { "old" } else { "Store" };
        let locations =
            paths.iter().enumerate().map(|(index, path)| ((*path).to_owned(), stamp(index).to_owned()));
        InstalledTree { locations: locations.collect(), ..InstalledTree::default() }
    };
    let check = |changed: &[usize], expected: &[usize]| {
        assert_eq!(locations_to_make(&locations, &installed(changed)), expected.iter().copied().collect());
    };
    check(&[0], &[0, 3]);
    check(&[0, 1], &[0, 1, 3]);
    check(&[0, 2], &[0, 2, 3]);
    check(&[1, 2], &[1, 2]);
    check(&[3], &[3]);
}

/// The plan of an install in which none of these locations is made, after node_modules was scanned.
fn plan_of_installed(dir: BorrowedFd<'_>, paths: &[&str]) -> Plan {
    let locations: Vec<PackageLocation> = paths.iter().map(|path| location(path, Origin::Store)).collect();
    let installed = Arc::new(state::read(dir));
    let make = locations_to_make(&locations, &installed);
    Plan { locations, make, installed, completeness: Completeness::Complete, ..Plan::default() }
}

#[test]
fn a_location_replaced_during_an_install_is_not_accepted() {
    let paths = ["node_modules/a", "node_modules/b"];
    let files = ["node_modules/a/index.js", "node_modules/b/index.js", "other/index.js"];
    let project = Project::with(&files.map(|file| (file, "")));
    let dir = sys::open_directory(sys::CWD, project.path()).unwrap();
    let first = plan_of_installed(dir.as_fd(), &paths);
    state::write(dir.as_fd(), &first, None).unwrap();
    let second = plan_of_installed(dir.as_fd(), &paths);
    assert!(second.make.is_empty() && (0..2).all(|index| second.fingerprint_of(index).is_some()));
    project.remove(paths[1]);
    std::fs::rename(project.path().join("other"), project.path().join(paths[1])).unwrap();
    state::write(dir.as_fd(), &second, None).unwrap();
    assert_eq!(plan_of_installed(dir.as_fd(), &paths).make, BTreeSet::from([1]));
}
