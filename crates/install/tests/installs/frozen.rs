//! An install from nothing and an install from the lockfile that it wrote make the same tree, and a
//! second install changes nothing. In: generated registries and workspaces. Every layout.

use std::collections::BTreeMap;
use std::fmt::Write;

use rusk_configuration::request::{Goal, Linker, Scripts};
use rusk_install::event::NullReporter;
use rusk_install::{HostEnvironment, InstallRequest, Summary, install};
use rusk_testkit::project::Project;
use rusk_testkit::registry::{Package, Server};

/// Random numbers, the same on every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    /// True in `percent` of all cases.
    fn is(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn range(&mut self) -> String {
        let version = self.below(VERSIONS) + 1;
        match self.below(5) {
            0 => "*".to_owned(),
            1 => format!(">={version}"),
            2 => format!("<={version}"),
            3 => format!("^{version}.0.0 || ^{}.0.0", self.below(VERSIONS) + 1),
            _ => format!("^{version}.0.0"),
        }
    }
}

const VERSIONS: u64 = 3;
const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "@s/h"];
const MEMBERS: [&str; 3] = ["m", "n", "@s/o"];

/// The dependencies of one package, as the members of its package.json. A package depends on names
/// behind its own, so that no directories nest without end; peers go anywhere.
fn declared(dice: &mut Dice, own: usize, members: bool) -> String {
    let mut groups: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut optional_peers = Vec::new();
    let mut add = |group, name: &str, literal: &str| {
        groups.entry(group).or_default().push(format!("\"{name}\":\"{literal}\""));
    };
    for (index, name) in NAMES.iter().enumerate() {
        let range = dice.range();
        match dice.below(100) {
            0..18 if index > own || members => add("dependencies", name, &range),
            18..22 if index > own || members => add("optionalDependencies", name, &range),
            22..26 if members => add("devDependencies", name, &range),
            26..28 if members => {
                add("dependencies", &format!("{name}-alias"), &format!("npm:{name}@{range}"))
            }
            28..40 if index != own || members => add("peerDependencies", name, &range),
            40..46 if index != own || members => {
                add("peerDependencies", name, &range);
                optional_peers.push(format!("\"{name}\":{{\"optional\":true}}"));
            }
            _ => {}
        }
        // Developed with one version of what it is a plugin of.
        if members && dice.is(6) {
            add("peerDependencies", name, &dice.range());
        }
    }
    for name in MEMBERS.iter().skip(own + 1).filter(|_| members) {
        match dice.below(10) {
            0 => add("dependencies", name, "workspace:*"),
            1 => add("devDependencies", name, "workspace:^"),
            2 => add("peerDependencies", name, "workspace:*"),
            3 => add("peerDependencies", name, "*"),
            _ => {}
        }
    }
    let mut text = String::new();
    for (group, entries) in groups {
        write!(text, ",\"{group}\":{{{}}}", entries.join(",")).expect("a string");
    }
    write!(text, ",\"peerDependenciesMeta\":{{{}}}", optional_peers.join(",")).expect("a string");
    text
}

fn server(dice: &mut Dice) -> Server {
    let package = |(index, name): (usize, &&str)| {
        (1..=VERSIONS).fold(Package::new(name), |package, version| {
            let members = declared(dice, index, false);
            package.version(&format!("{version}.0.0"), &format!("{{{}}}", members.trim_start_matches(',')))
        })
    };
    Server::start(NAMES.iter().enumerate().map(package).collect::<Vec<_>>())
}

fn write_members(project: &Project, dice: &mut Dice) {
    let overrides = match dice.is(15) {
        true => {
            format!(",\"overrides\":{{\"{}\":\"{}.0.0\"}}", NAMES[dice.below(8) as usize], dice.below(3) + 1)
        }
        false => String::new(),
    };
    let root = declared(dice, NAMES.len(), true);
    project.write("package.json", format!("{{\"name\":\"app\",\"workspaces\":[\"w/*\"]{root}{overrides}}}"));
    for (index, name) in MEMBERS.iter().enumerate() {
        let members = declared(dice, index, true);
        let text = format!("{{\"name\":\"{name}\",\"version\":\"1.0.0\"{members}}}");
        project.write(&format!("w/{index}/package.json"), text);
    }
}

fn run(project: &Project, server: &Server, linker: Linker, goal: Goal) -> rusk_base::Result<Summary> {
    let request = InstallRequest {
        scripts: Scripts::Ignore,
        linker: Some(linker),
        cache_dir: Some(project.home().join("cache")),
        ..InstallRequest::new(goal)
    };
    let host = HostEnvironment {
        current_dir: project.path(),
        home_dir: Some(project.home()),
        environment: BTreeMap::from([("npm_config_registry".to_owned(), server.url().to_owned())]),
        processors: || 2,
        now_s: 1_800_000_000,
        user_agent: "rusk/0.1.0 linux x64".to_owned(),
        script_output: rusk_base::sys::CWD,
        node_version: |_, _| None,
        node_headers: |_| None,
        program: || None,
        interaction: None,
    };
    install(&project.path(), &request, &host, &mut NullReporter)
}

/// All files and links, with the packages in the places of a hoisted tree.
fn tree(project: &Project) -> Vec<String> {
    let mut lines = project.tree("");
    for line in &mut lines {
        if line.ends_with("/index.js") {
            *line = format!("{line}: {}", project.read(line));
        }
    }
    lines
}

/// The first lines that only one of two trees has.
fn difference(before: &[String], after: &[String]) -> Vec<String> {
    let only = |sign: char, lines: &[String], others: &[String]| -> Vec<String> {
        lines.iter().filter(|line| !others.contains(line)).map(|line| format!("{sign} {line}")).collect()
    };
    [only('-', before, after), only('+', after, before)].concat().into_iter().take(12).collect()
}

/// False when the generated workspace cannot be installed at all.
fn check(seed: u64, linker: Linker) -> bool {
    let mut dice = Dice(seed);
    let server = server(&mut dice);
    let project = Project::in_memory();
    write_members(&project, &mut dice);
    if run(&project, &server, linker, Goal::Install).is_err() {
        return false;
    }
    let (installed, lockfile) = (tree(&project), project.read("bun.lock"));
    let expect_same = |how: &str| {
        let found = difference(&installed, &tree(&project));
        assert!(found.is_empty(), "seed {seed}, {linker:?}: {how} changes the tree: {found:#?}");
        assert!(project.read("bun.lock") == lockfile, "seed {seed}, {linker:?}: {how} changes the lockfile");
    };
    for (how, goal) in
        [("a second install", Goal::Install), ("a frozen install", Goal::Frozen), ("ci", Goal::Clean)]
    {
        run(&project, &server, linker, goal)
            .unwrap_or_else(|problem| panic!("seed {seed}, {how}: {problem}"));
        expect_same(how);
    }
    true
}

fn check_layout(linker: Linker) {
    const CASES: u64 = 60;
    let installed = (0..CASES).filter(|&seed| check(seed, linker)).count();
    assert!(installed > 40, "only {installed} of {CASES} workspaces can be installed");
}

#[test]
fn nothing_changes_after_a_hoisted_install() {
    check_layout(Linker::Hoisted);
}

#[test]
fn nothing_changes_after_an_isolated_install() {
    check_layout(Linker::Isolated);
}

#[test]
fn nothing_changes_after_an_install_with_a_global_store() {
    check_layout(Linker::Global);
}
