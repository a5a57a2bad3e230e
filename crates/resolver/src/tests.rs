//! Which version each dependency resolves to. In: a registry and a project. Out: paths and
//! versions.

use std::collections::{BTreeMap, VecDeque};

use rusk_lockfiles::Format;
use rusk_npm::bun_lock;
use rusk_npm::json::{self, Dialect, Node};
use rusk_npm::packument;

use super::*;
use crate::hoist::{AllDependencies, hoist};
use crate::members::ProjectMember;

/// A registry in memory: `name version {fields}` lines, and `name tag=version` for dist-tags. The
/// last version is `latest`, unless a tag says otherwise.
#[derive(Default)]
pub(super) struct Packuments {
    packages: BTreeMap<String, Listing>,
    arriving: VecDeque<PackageName>,
}

#[derive(Default)]
struct Listing {
    /// Members of `versions` and `dist-tags`, as JSON.
    versions: Vec<String>,
    tags: Vec<String>,
    newest: String,
}

impl Packuments {
    pub(super) fn of<S: AsRef<str>>(registry: &[S]) -> Packuments {
        let mut packuments = Packuments::default();
        for line in registry {
            let mut words = line.as_ref().splitn(3, ' ');
            let name = words.next().expect("a name").to_owned();
            let word = words.next().expect("a version or a tag");
            let listing = packuments.packages.entry(name).or_default();
            match word.split_once('=') {
                Some((tag, version)) => listing.tags.push(format!("\"{tag}\":\"{version}\"")),
                None => {
                    let fields = words.next().unwrap_or("{}");
                    listing.versions.push(format!("\"{word}\":{fields}"));
                    word.clone_into(&mut listing.newest);
                }
            }
        }
        packuments
    }
}

impl MetadataSource for Packuments {
    fn request(&mut self, name: &PackageName) -> bool {
        if !self.arriving.contains(name) {
            self.arriving.push_back(name.clone());
        }
        false
    }

    fn packument(&mut self, name: &PackageName) -> Result<Option<Arc<Packument>>> {
        let Some(listing) = self.packages.get(name.as_str()) else { return Ok(None) };
        let mut tags = listing.tags.clone();
        if !tags.iter().any(|tag| tag.starts_with("\"latest\"")) {
            tags.push(format!("\"latest\":\"{}\"", listing.newest));
        }
        let (tags, versions) = (tags.join(","), listing.versions.join(","));
        let json = format!("{{\"dist-tags\":{{{tags}}},\"versions\":{{{versions}}}}}");
        let source = packument::Source { name: name.as_str(), etag: "", fetched_s: 0, fresh_until_s: 0 };
        let bytes = packument::encode(&json, &source).expect("a packument");
        Ok(Packument::open(Box::new(bytes)).map(Arc::new))
    }

    fn next(&mut self) -> Result<Option<PackageName>> {
        Ok(self.arriving.pop_back())
    }

    fn on_version_chosen(&mut self, _: PackageId, _: &PackageName, _: &Release<'_>) -> Result<bool> {
        Ok(true)
    }

    fn fetch_manifest(&mut self, source: &Source) -> Result<NonRegistryPackage> {
        panic!("nothing is at {source:?}")
    }
}

pub(super) fn member(path: &str, text: &str) -> ProjectMember {
    ProjectMember::parse(path.to_owned(), text.to_owned()).expect(text)
}

/// The paths and packages in a project's lockfile, without members.
fn places(registry: &[&str], project: &str, workspaces: &[&str], locked: Option<&str>) -> Vec<String> {
    let workspaces = workspaces.iter().enumerate().map(|(at, text)| member(&format!("packages/{at}"), text));
    let members = Members { workspaces: workspaces.collect(), ..Members::single(member("", project)) };
    let locked = locked.map(|text| rusk_lockfiles::read(Format::Bun, text, &[]).expect(text));
    let mut packuments = Packuments::of(registry);
    let resolution = resolve(&members, locked.as_ref(), &Update::Nothing, &mut packuments).expect(project);
    let mut lockfile =
        bun_lock::Lockfile { graph: resolution.graph, rules: resolution.rules, ..Default::default() };
    let tree = hoist(&mut lockfile.graph, &AllDependencies).expect(project);
    let text = bun_lock::render(&lockfile, &tree, "http://registry.test/");
    entries(&text)
}

/// `path@version`, or `path=name@version` where the package has another name; `?name` for a
/// dependency without a package.
fn entries(lockfile: &str) -> Vec<String> {
    let root = json::parse(lockfile, Dialect::Relaxed).expect(lockfile);
    let mut places = Vec::new();
    for member in root.find("packages").expect("always there").members() {
        let text = |node: &Node<'_>| node.as_str().expect("a string").to_owned();
        let label = text(&member.node.elements()[0]);
        let path = member.key.to_string();
        let (name, version) = label.rsplit_once('@').expect("name@version");
        if version.starts_with("workspace:") {
            continue;
        }
        places.push(match path == name || path.ends_with(&format!("/{name}")) {
            true => format!("{path}@{version}"),
            false => format!("{path}={label}"),
        });
        let facts = member.node.elements().get(2);
        let unresolved = facts.and_then(|facts| facts.find("unresolved"));
        places.extend(unresolved.iter().flat_map(|list| list.elements()).map(|it| format!("?{}", text(it))));
    }
    places.sort();
    places
}

pub(super) fn check(registry: &[&str], project: &str, expected: &[&str]) {
    check_members(registry, project, &[], expected);
}

pub(super) fn check_members(registry: &[&str], project: &str, workspaces: &[&str], expected: &[&str]) {
    assert_eq!(places(registry, project, workspaces, None), expected, "{project} {workspaces:?}");
}

const A_STAR: &str = r#"a 1.0.0 {"dependencies":{"g":"*"}}"#;
const A_FROM_1: &str = r#"a 1.0.0 {"dependencies":{"g":">=1"}}"#;
const B_2: &str = r#"b 1.0.0 {"dependencies":{"g":"2.0.0"}}"#;
const C_1: &str = r#"c 1.0.0 {"dependencies":{"g":"1.0.0"}}"#;

#[test]
fn a_range_prefers_latest() {
    let g = ["g 1.0.0", "g 1.1.0", "g 2.0.0", "g latest=1.0.0"];
    check(&g, r#"{"dependencies":{"g":"^1.0.0"}}"#, &["g@1.0.0"]);
    check(&g, r#"{"dependencies":{"g":"*"}}"#, &["g@1.0.0"]);
    check(&g, r#"{"dependencies":{"g":">=1.0.0 <2"}}"#, &["g@1.0.0"]);
    check(&g, r#"{"dependencies":{"g":"^1.0.1"}}"#, &["g@1.1.0"]);
    check(&g, r#"{"dependencies":{"g":"2.x"}}"#, &["g@2.0.0"]);
}

#[test]
fn a_direct_dependency_is_shared_by_all_in_range() {
    let registry = ["g 1.0.0", "g 1.1.0", "g 2.0.0", A_FROM_1, B_2];
    check(
        &registry,
        r#"{"dependencies":{"a":"1","b":"1","g":"1.0.0"}}"#,
        &["a@1.0.0", "b/g@2.0.0", "b@1.0.0", "g@1.0.0"],
    );
    check(
        &registry,
        r#"{"dependencies":{"a":"1","b":"1"},"devDependencies":{"g":"1.0.0"}}"#,
        &["a@1.0.0", "b/g@2.0.0", "b@1.0.0", "g@1.0.0"],
    );
    check(
        &registry,
        r#"{"dependencies":{"a":"1","b":"1"},"optionalDependencies":{"g":"1.0.0"}}"#,
        &["a@1.0.0", "b/g@2.0.0", "b@1.0.0", "g@1.0.0"],
    );
    check(
        &registry,
        r#"{"dependencies":{"a":"1","b":"1","h":"npm:g@1.0.0"}}"#,
        &["a@1.0.0", "b/g@2.0.0", "b@1.0.0", "g@1.0.0", "h=g@1.0.0"],
    );
}

#[test]
fn a_dependency_of_a_member_is_shared_by_all_in_range() {
    let registry = ["g 1.0.0", "g 1.1.0", "g 2.0.0", A_FROM_1, B_2];
    let member = r#"{"name":"w","version":"1.0.0","dependencies":{"g":"1.1.0"}}"#;
    check_members(
        &registry,
        r#"{"dependencies":{"a":"1","b":"1"}}"#,
        &[member],
        &["a@1.0.0", "b/g@2.0.0", "b@1.0.0", "g@1.1.0"],
    );
    check_members(
        &registry,
        r#"{"dependencies":{"a":"1","b":"1","g":"1.0.0"}}"#,
        &[member],
        &["a/g@1.1.0", "a@1.0.0", "b/g@2.0.0", "b@1.0.0", "g@1.0.0", "w/g@1.1.0"],
    );
}

#[test]
fn a_range_of_the_project_holds_no_member_back_from_a_newer_major() {
    let g = ["g 1.0.0", "g 1.5.0", "g 2.0.0", "g 3.0.0"];
    let check = |root: &str, member: &str, expected: &[&str]| {
        let project = format!(r#"{{"dependencies":{{"g":"{root}"}}}}"#);
        let member = format!(r#"{{"name":"w","version":"1.0.0","dependencies":{{"g":"{member}"}}}}"#);
        check_members(&g, &project, &[&member], expected);
    };
    check("^1", ">=1", &["g@1.5.0", "w/g@3.0.0"]);
    check("~1.0.0", "*", &["g@1.0.0", "w/g@3.0.0"]);
    check("^1", "^1 || ^2", &["g@1.5.0", "w/g@2.0.0"]);
    check("~1.0.0", "^1", &["g@1.0.0"]);
    check("1.0.0", ">=1", &["g@1.0.0"]);
    check("npm:g@^1", ">=1", &["g@1.5.0"]);
}

#[test]
fn an_alias_of_the_project_applies_to_its_name() {
    let registry = ["g 1.0.0", "g 2.0.0", "h 1.0.0", A_FROM_1, B_2];
    check(&registry, r#"{"dependencies":{"a":"1","g":"npm:h@1.0.0"}}"#, &["a@1.0.0", "g=h@1.0.0"]);
    check(
        &registry,
        r#"{"dependencies":{"b":"1","g":"npm:h@1.0.0"}}"#,
        &["b/g@2.0.0", "b@1.0.0", "g=h@1.0.0"],
    );
}

#[test]
fn versions_are_collapsed_onto_the_fewest() {
    let registry = ["g 1.0.0", "g 2.0.0", A_FROM_1, C_1];
    check(&registry, r#"{"dependencies":{"a":"1","c":"1"}}"#, &["a@1.0.0", "c@1.0.0", "g@1.0.0"]);
}

#[test]
fn of_the_remaining_versions_the_highest_is_used() {
    let registry = ["g 1.0.0", "g 2.0.0", "g latest=1.0.0", A_STAR, B_2, C_1];
    check(
        &registry,
        r#"{"dependencies":{"a":"1","b":"1","c":"1"}}"#,
        &["a@1.0.0", "b@1.0.0", "c/g@1.0.0", "c@1.0.0", "g@2.0.0"],
    );
}

#[test]
fn a_dropped_version_does_not_vote() {
    let n = r#"n 1.1.0 {"dependencies":{"g":"1.0.0"}}"#;
    let registry = [
        "n 1.0.0",
        n,
        r#"o 1.0.0 {"dependencies":{"n":"^1.0.0"}}"#,
        r#"p 1.0.0 {"dependencies":{"n":"1.0.0"}}"#,
        A_FROM_1,
        "g 1.0.0",
        "g 2.0.0",
    ];
    check(
        &registry,
        r#"{"dependencies":{"a":"1","o":"1","p":"1"}}"#,
        &["a@1.0.0", "g@2.0.0", "n@1.0.0", "o@1.0.0", "p@1.0.0"],
    );
}

#[test]
fn a_version_is_not_dropped_for_its_own_dependency() {
    let cycle = [
        "a 1.0.0",
        r#"a 1.2.0 {"dependencies":{"k":"1"}}"#,
        r#"k 1.0.0 {"dependencies":{"a":"~1.0.0"}}"#,
        r#"e 1.0.0 {"dependencies":{"a":"^1.0.0"}}"#,
    ];
    check(&cycle, r#"{"dependencies":{"e":"1"}}"#, &["a@1.2.0", "e@1.0.0", "k/a@1.0.0", "k@1.0.0"]);
}

#[test]
fn a_bare_alias_is_a_member_only_if_that_has_a_version() {
    let g = ["g 2.0.0"];
    let dependent = r#"{"name":"w","version":"1.0.0","dependencies":{"g":"npm:g"}}"#;
    check_members(&g, "{}", &[r#"{"name":"g"}"#, dependent], &["w/g@2.0.0"]);
    check_members(&g, "{}", &[r#"{"name":"g","version":"1.0.0"}"#, dependent], &[]);
}

#[test]
fn a_directory_that_is_a_member_is_that_member() {
    let dependent = r#"{"name":"w","version":"1.0.0","dependencies":{"s":"file:../0"}}"#;
    check_members(&[], "{}", &[r#"{"name":"g","version":"1.0.0"}"#, dependent], &[]);
}
