//! Which version each peer gets. Cases that name no other source are as bun 1.4.5 resolves them.

use std::collections::BTreeMap;

use rusk_npm::semver::{Range, Version};

use crate::members::Members;
use crate::tests::{Packuments, check, check_members, member};
use crate::{Resolution, Update, ViolatedPeer, resolve, violated_peers};

const G: [&str; 4] = ["g 1.0.0", "g 2.0.0", "g 3.0.0", "g 4.0.0"];
const B_2: &str = r#"b 1.0.0 {"dependencies":{"g":"2.0.0"}}"#;
const C_1: &str = r#"c 1.0.0 {"dependencies":{"g":"1.0.0"}}"#;

/// The version of `g` beside packages `a`, `b` … that require the peer `g` in these ranges; `d`
/// depends on version 3.
fn check_ranges(ranges: &[&str], expected: &str) {
    let names: Vec<String> = ('a'..).take(ranges.len()).map(String::from).collect();
    let peers = names.iter().zip(ranges);
    let peers =
        peers.map(|(name, range)| format!(r#"{name} 1.0.0 {{"peerDependencies":{{"g":"{range}"}}}}"#));
    let registry: Vec<String> = G.iter().map(|line| (*line).to_owned()).chain(peers).collect();
    let dependencies: Vec<String> = names.iter().map(|name| format!(r#""{name}":"1""#)).collect();
    let project = format!(r#"{{"dependencies":{{{}}}}}"#, dependencies.join(","));
    let registry: Vec<&str> = registry.iter().map(String::as_str).collect();
    let mut places: Vec<String> = names.iter().map(|name| format!("{name}@1.0.0")).collect();
    places.push(format!("g@{expected}"));
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    check(&registry, &project, &places);
}

#[test]
fn a_peer_gets_a_version_in_all_ranges() {
    check_ranges(&["^1||^2", "^2||^3"], "2.0.0");
    check_ranges(&["^2||^3", "^1||^2"], "2.0.0");
    check_ranges(&[">=1", "^1||^2"], "2.0.0");
    check_ranges(&["*", "^1"], "1.0.0");
    check_ranges(&[">=1 <3", "^1"], "1.0.0");
    check_ranges(&[">=2", "<=3", "<=2"], "2.0.0");
    check_ranges(&["3||4", "1||3", "2||3"], "3.0.0");
}

/// bun only looks at the best version of each range.
#[test]
fn a_version_in_all_ranges_need_not_be_the_best_of_one() {
    check_ranges(&["1||3", "1||2"], "1.0.0");
    check_ranges(&["1||4", "1||3", "1||2"], "1.0.0");
}

#[test]
fn ranges_that_exclude_each_other_get_the_first_one() {
    check_ranges(&["^1", "^2"], "1.0.0");
    check_ranges(&["2", "4", "4"], "2.0.0");
    check_ranges(&["3||4", "2||3", "2||4"], "4.0.0");
}

#[test]
fn the_first_one_is_by_the_name_of_the_package() {
    let registry = [
        "g 1.0.0",
        "g 2.0.0",
        r#"a 1.0.0 {"dependencies":{"n":"1"}}"#,
        r#"n 1.0.0 {"peerDependencies":{"g":"1"}}"#,
        r#"m 1.0.0 {"dependencies":{"b":"1"}}"#,
        r#"b 1.0.0 {"peerDependencies":{"g":"2"}}"#,
    ];
    let expected = ["a@1.0.0", "b@1.0.0", "g@2.0.0", "m@1.0.0", "n@1.0.0"];
    check(&registry, r#"{"dependencies":{"a":"1","m":"1"}}"#, &expected);
}

#[test]
fn a_version_that_somebody_depends_on_is_used() {
    let e_3 = r#"e 1.0.0 {"dependencies":{"g":"3"}}"#;
    let m = r#"m 1.0.0 {"dependencies":{"e":"1"}}"#;
    let a = r#"a 1.0.0 {"peerDependencies":{"g":">=2"}}"#;
    let registry = [&G[..], &[e_3, m, a]].concat();
    let expected = ["a@1.0.0", "e@1.0.0", "g@3.0.0", "m@1.0.0"];
    check(&registry, r#"{"dependencies":{"a":"1","m":"1"}}"#, &expected);
}

#[test]
fn an_existing_version_out_of_range_is_not_used() {
    let e_3 = r#"e 1.0.0 {"dependencies":{"g":"3"}}"#;
    let registry = [
        &G[..],
        &[e_3, r#"a 1.0.0 {"peerDependencies":{"g":">=1"}}"#, r#"b 1.0.0 {"peerDependencies":{"g":"2"}}"#],
    ];
    let expected = ["a@1.0.0", "b/g@2.0.0", "b@1.0.0", "e@1.0.0", "g@3.0.0"];
    check(&registry.concat(), r#"{"dependencies":{"a":"1","b":"1","e":"1"}}"#, &expected);
}

#[test]
fn a_package_that_was_added_for_a_peer_has_a_say() {
    let check = |own: &str, late: &str, expected: &[&str]| {
        let a = format!(r#"a 1.0.0 {{"peerDependencies":{{"g":"{own}","h":"*"}}}}"#);
        let h = format!(r#"h 1.0.0 {{"peerDependencies":{{"g":"{late}"}}}}"#);
        check(&[&G[..], &[&a, &h]].concat(), r#"{"dependencies":{"a":"1"}}"#, expected);
    };
    check(">=1", "^1", &["a@1.0.0", "g@1.0.0", "h@1.0.0"]);
    check(">=2", "^3", &["a@1.0.0", "g@3.0.0", "h@1.0.0"]);
    check(">=2", "^1", &["a@1.0.0", "g@4.0.0", "h/g@1.0.0", "h@1.0.0"]);
}

#[test]
fn two_packages_that_are_peers_of_each_other_fit() {
    let registry = [
        r#"g 1.0.0 {"peerDependencies":{"h":"1"}}"#,
        r#"g 2.0.0 {"peerDependencies":{"h":"1"}}"#,
        r#"h 1.0.0 {"peerDependencies":{"g":"1"}}"#,
        r#"h 2.0.0 {"peerDependencies":{"g":"1"}}"#,
        r#"a 1.0.0 {"peerDependencies":{"g":"*","h":"*"}}"#,
    ];
    check(&registry, r#"{"dependencies":{"a":"1"}}"#, &["a@1.0.0", "g@1.0.0", "h@1.0.0"]);
}

/// bun stays at version 2 here, out of the range of `x`.
#[test]
fn a_version_that_excludes_itself_is_not_chosen() {
    let registry = [
        "g 1.0.0",
        r#"g 2.0.0 {"dependencies":{"x":"1"}}"#,
        r#"x 1.0.0 {"peerDependencies":{"g":"1"}}"#,
        r#"a 1.0.0 {"peerDependencies":{"g":">=1"}}"#,
    ];
    check(&registry, r#"{"dependencies":{"a":"1"}}"#, &["a@1.0.0", "g@1.0.0"]);
}

#[test]
fn members_choose_for_themselves() {
    let project = "{}";
    let one = r#"{"name":"v","version":"1.0.0","peerDependencies":{"g":">=2"}}"#;
    let two = r#"{"name":"w","version":"1.0.0","peerDependencies":{"g":"1||2"}}"#;
    check_members(&G, project, &[one, two], &["g@4.0.0", "w/g@2.0.0"]);
}

#[test]
fn a_member_has_its_own_dependency_for_its_peer() {
    let member =
        r#"{"name":"w","version":"1.0.0","peerDependencies":{"g":">=3"},"devDependencies":{"g":"1"}}"#;
    check_members(&G, r#"{"dependencies":{"g":"2"}}"#, &[member], &["g@2.0.0", "w/g@1.0.0"]);
}

#[test]
fn a_dist_tag_gets_its_version() {
    let registry = [
        &G[..],
        &["g latest=3.0.0", r#"a 1.0.0 {"peerDependencies":{"g":"latest"}}"#],
        &[r#"b 1.0.0 {"peerDependencies":{"g":"2"}}"#],
    ];
    let expected = ["a@1.0.0", "b/g@2.0.0", "b@1.0.0", "g@3.0.0"];
    check(&registry.concat(), r#"{"dependencies":{"a":"1","b":"1"}}"#, &expected);
}

#[test]
fn an_unsatisfied_peer_gets_the_highest_version() {
    let registry = ["g 1.0.0", "g 2.0.0", C_1, B_2, r#"e 1.0.0 {"peerDependencies":{"g":"3"}}"#];
    check(
        &registry,
        r#"{"dependencies":{"b":"1","c":"1","e":"1"}}"#,
        &["b@1.0.0", "c/g@1.0.0", "c@1.0.0", "e@1.0.0", "g@2.0.0"],
    );
}

#[test]
fn a_peer_out_of_range_gets_the_version_of_its_dependents() {
    let e = r#"e 1.0.0 {"peerDependencies":{"g":"1.0.0"}}"#;
    let registry = [
        "g 1.0.0",
        "g 2.0.0",
        e,
        B_2,
        r#"d 1.0.0 {"dependencies":{"e":"1"}}"#,
        r#"t 1.0.0 {"dependencies":{"d":"1","g":"2"}}"#,
    ];
    check(&registry, r#"{"dependencies":{"t":"1"}}"#, &["d@1.0.0", "e@1.0.0", "g@2.0.0", "t@1.0.0"]);
    check(
        &registry,
        r#"{"dependencies":{"b":"1","e":"1"}}"#,
        &["b@1.0.0", "e/g@1.0.0", "e@1.0.0", "g@2.0.0"],
    );
}

/// Random numbers, the same on every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn range(&mut self) -> String {
        let (a, b) = (self.below(4) + 1, self.below(4) + 1);
        match self.below(6) {
            0 => "*".to_owned(),
            1 => format!(">={a}"),
            2 => format!("<={a}"),
            3 => format!("^{a}.0.0"),
            4 => format!("^{a}.0.0 || ^{b}.0.0"),
            _ => format!(">={} <={}", a.min(b), a.max(b)),
        }
    }
}

/// Hosts have four versions each, and only peers lead to them. Plugins have one version.
const HOSTS: [&str; 4] = ["h0", "h1", "h2", "h3"];
const PLUGINS: [&str; 5] = ["p0", "p1", "p2", "p3", "p4"];

/// What one release declares.
#[derive(Clone, Default)]
struct Declared {
    dependencies: Vec<&'static str>,
    peers: Vec<(&'static str, String)>,
}

impl Declared {
    fn roll(dice: &mut Dice, dependencies: u64, peers: u64, own: &str) -> Declared {
        let mut declared = Declared::default();
        for name in PLUGINS.into_iter().filter(|name| *name != own) {
            if dice.below(10) < dependencies {
                declared.dependencies.push(name);
            }
        }
        for name in HOSTS.into_iter().filter(|name| *name != own) {
            if dice.below(10) < peers {
                declared.peers.push((name, dice.range()));
            }
        }
        declared
    }

    fn json(&self) -> String {
        let pairs = |pairs: Vec<String>| pairs.join(",");
        let dependencies = pairs(self.dependencies.iter().map(|name| format!("\"{name}\":\"*\"")).collect());
        let peers = pairs(self.peers.iter().map(|(name, range)| format!("\"{name}\":\"{range}\"")).collect());
        format!("{{\"dependencies\":{{{dependencies}}},\"peerDependencies\":{{{peers}}}}}")
    }
}

/// A project and the releases of all packages, by name and version.
struct World {
    project: Declared,
    releases: BTreeMap<(&'static str, u64), Declared>,
}

impl World {
    fn roll(seed: u64, host_dependencies: u64, host_peers: u64) -> World {
        let mut dice = Dice(seed);
        let mut releases = BTreeMap::new();
        for name in PLUGINS {
            releases.insert((name, 1), Declared::roll(&mut dice, 1, 3, name));
        }
        for name in HOSTS {
            for version in 1..=4 {
                let declared = Declared::roll(&mut dice, host_dependencies, host_peers, name);
                releases.insert((name, version), declared);
            }
        }
        World { project: Declared::roll(&mut dice, 6, 0, ""), releases }
    }

    fn registry(&self) -> Vec<String> {
        let line = |((name, version), declared): (&(&str, u64), &Declared)| {
            format!("{name} {version}.0.0 {}", declared.json())
        };
        self.releases.iter().map(line).collect()
    }

    fn resolve(&self) -> Resolution {
        let members = Members::single(member("", &self.project.json()));
        resolve(&members, None, &Update::Nothing, &mut Packuments::of(&self.registry())).expect("resolvable")
    }

    /// Whether one version of each host satisfies every peer that is reached with it.
    fn is_satisfied_by(&self, versions: &BTreeMap<&str, u64>) -> bool {
        let mut reached: Vec<(&str, &Declared)> = vec![("", &self.project)];
        let mut next = 0;
        while next < reached.len() {
            let declared = reached[next].1;
            next += 1;
            let peers = declared.peers.iter().map(|(name, range)| (*name, versions[name], Some(range)));
            let plugins = declared.dependencies.iter().map(|name| (*name, 1, None));
            for (name, version, range) in peers.chain(plugins) {
                if range.is_some_and(|range| !fits(range, version)) {
                    return false;
                }
                if reached.iter().all(|(other, _)| *other != name) {
                    reached.push((name, &self.releases[&(name, version)]));
                }
            }
        }
        true
    }

    /// Brute force over one version for each host.
    fn is_satisfiable(&self) -> bool {
        (0..4_u64.pow(4)).any(|choice| {
            let digit = |place: u32| choice / 4_u64.pow(place) % 4 + 1;
            self.is_satisfied_by(&HOSTS.into_iter().zip((0..).map(digit)).collect())
        })
    }
}

fn fits(range: &str, version: u64) -> bool {
    let version = Version::parse(&format!("{version}.0.0")).expect("a version");
    Range::parse(range).expect("a range").contains(&version)
}

/// The ranges of the required peers on each host that the result has.
fn reached_ranges(resolution: &Resolution) -> BTreeMap<String, Vec<String>> {
    let graph = &resolution.graph;
    let mut ranges: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for id in graph.package_ids().flat_map(|package| graph.dependencies_of(package)) {
        let dependency = graph.dependency(id);
        if dependency.role.is_peer() {
            let name = graph.name(dependency.name).to_string();
            ranges.entry(name).or_default().push(dependency.literal.to_string());
        }
    }
    ranges
}

/// The property for one name: a version in all the ranges of the result is chosen where there is
/// one.
#[test]
fn no_peer_is_violated_on_a_name_that_has_a_version_for_all() {
    let mut violated = 0;
    for seed in 0..1500 {
        let world = World::roll(seed, 1, 2);
        let resolution = world.resolve();
        let warnings = violated_peers(&resolution.graph, &resolution.rules);
        violated += usize::from(!warnings.is_empty());
        for (name, ranges) in reached_ranges(&resolution) {
            let shared = (1..=4).find(|&version| ranges.iter().all(|range| fits(range, version)));
            let is_own = |warning: &&ViolatedPeer| warning.line.contains(&format!("the peer `{name}`"));
            let own: Vec<&ViolatedPeer> = warnings.iter().filter(is_own).collect();
            assert!(shared.is_none() || own.is_empty(), "seed {seed}, {name} {shared:?}: {own:?}");
        }
    }
    assert!((100..1400).contains(&violated), "{violated} of 1500 cases have no solution");
}

/// The property for the whole: nothing is violated that need not be.
#[test]
fn no_peer_is_violated_where_brute_force_finds_a_solution() {
    let mut satisfiable = 0;
    for seed in 0..1500 {
        let world = World::roll(seed, 1, 2);
        if world.is_satisfiable() {
            satisfiable += 1;
            let resolution = world.resolve();
            let warnings = violated_peers(&resolution.graph, &resolution.rules);
            assert!(warnings.is_empty(), "seed {seed}: {warnings:?}\n{}", world.registry().join("\n"));
        }
    }
    assert!((300..1400).contains(&satisfiable), "{satisfiable} of 1500 cases have a solution");
}
