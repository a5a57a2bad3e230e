//! Fuzz targets of `rusk-lockfiles`: the lockfiles of other package managers, which come with every
//! cloned project.

use rusk_lockfiles::pnpm_workspace::{self, PnpmWorkspace};
use rusk_lockfiles::settings::{classic_yarnrc, pnpm, yarnrc};
use rusk_lockfiles::{Format, Lockfile, MemberText, NewLockfile, Previous};
use rusk_npm::bun_lock::Rules;
use rusk_npm::credential::{Address, default_registry};
use rusk_npm::json::{self, Dialect};
use rusk_npm::manifest::Manifest;
use rusk_npm::npmrc::Variables;

/// A workspace; peers, a bundle, two versions and two instances; version 2.
pub const NPM: &[&str] = &[
    r#"{"name":"a","lockfileVersion":3,"requires":true,"packages":{"":{"name":"a","workspaces":["p/*"],"dependencies":{"b":"^1.0.0"}},"node_modules/b":{"version":"1.0.0","resolved":"https://registry.test/b/-/b-1.0.0.tgz","peerDependencies":{"d":"*"},"peerDependenciesMeta":{"e":{"optional":true}}},"node_modules/d":{"version":"2.0.0","peer":true},"node_modules/c":{"resolved":"p/c","link":true},"p/c":{"version":"1.0.0","dependencies":{"b":"2"},"devDependencies":{"d":"1"}},"p/c/node_modules/b":{"version":"2.0.0"},"p/c/node_modules/d":{"version":"1.0.0","dev":true}}}"#,
    r#"{"lockfileVersion":2,"packages":{"":{"dependencies":{"a":"1","b":"npm:@s/x@^1","g":"git+ssh://git@h.test/a/b.git"},"optionalDependencies":{"c":"1"}},"node_modules/a":{"version":"1.0.0","bundleDependencies":["z"],"dependencies":{"z":"1"},"bin":{"a":"x.js"}},"node_modules/a/node_modules/z":{"version":"1.0.0","inBundle":true},"node_modules/b":{"name":"@s/x","version":"1.2.0","integrity":"sha512-AAAA","dependencies":{"a":"1"}},"node_modules/c":{"version":"1.0.0","optional":true,"os":["linux"],"cpu":["!x64"],"hasInstallScript":true},"node_modules/g":{"version":"1.0.0","resolved":"git+ssh://git@h.test/a/b.git#0123456789012345678901234567890123456789"}},"dependencies":{}}"#,
];

/// Versions 2 and 3, as bun wrote them.
pub fn bun_binary_seeds() -> Vec<Vec<u8>> {
    let files: [&[u8]; 2] = [
        include_bytes!("../../../../fixtures/binary-lockfiles/bun-1.1.lockb"),
        include_bytes!("../../../../fixtures/binary-lockfiles/bun-1.4.lockb"),
    ];
    files.map(<[u8]>::to_vec).to_vec()
}

/// What parses is a graph in which every binding is a package of it, and no larger than the file.
pub fn bun_binary(input: &[u8]) {
    let Ok(parsed) = rusk_lockfiles::bun::binary::read(input) else { return };
    let graph = &parsed.lockfile.graph;
    let mut dependencies = 0;
    for id in graph.package_ids().flat_map(|package| graph.dependencies_of(package)) {
        dependencies += 1;
        assert!(graph.binding(id).is_none_or(|bound| (bound.0 as usize) < graph.len()), "bound to nothing");
    }
    assert!(graph.len() + dependencies < input.len(), "more packages than bytes");
}

/// Members, peers with two choices, an alias, a link; git, a tarball, a directory.
pub const PNPM: &[&str] = &[
    "lockfileVersion: '9.0'\nsettings:\n  autoInstallPeers: true\ncatalogs:\n  default:\n    a: {specifier: ^1, version: 1.0.0}\noverrides: {x>y: 1.0.0}\nimporters:\n  .:\n    dependencies:\n      a: {specifier: 'catalog:', version: 1.0.0(b@1.0.0)}\n      b: {specifier: ^1.0.0, version: 1.0.0}\n      m: {specifier: 'workspace:*', version: link:m}\n  m:\n    devDependencies:\n      a: {specifier: ^1.0.0, version: 1.0.0(b@2.0.0)}\n      c: {specifier: npm:b@2, version: b@2.0.0}\npackages:\n  a@1.0.0:\n    resolution: {integrity: sha512-AAAA}\n    peerDependencies: {b: '*', d: '*'}\n    peerDependenciesMeta: {d: {optional: true}}\n  b@1.0.0: {resolution: {tarball: 'https://h.test/b.tgz'}, os: [linux], hasBin: true}\n  b@2.0.0: {resolution: {integrity: sha512-AAAA}}\nsnapshots:\n  a@1.0.0(b@1.0.0):\n    dependencies: {b: 1.0.0}\n  a@1.0.0(b@2.0.0):\n    dependencies: {b: 2.0.0}\n  b@1.0.0: {}\n  b@2.0.0: {}\n",
    "lockfileVersion: '9.0'\nimporters:\n  .:\n    optionalDependencies:\n      g: {specifier: g, version: 'git+https://h.test/g.git#0123456789'}\n      d: {specifier: 'file:d', version: 'file:d'}\n      t: {specifier: 'file:t.tgz', version: 'file:t.tgz'}\npackages:\n  g@git+https://h.test/g.git#0123456789: {resolution: {type: git, repo: 'https://h.test/g.git', commit: '0123456789'}, version: 1.0.0}\n  d@file:d: {resolution: {type: directory, directory: d}}\n  t@file:t.tgz: {resolution: {integrity: sha512-AAAA, tarball: 'file:t.tgz'}, version: 1.0.0}\nsnapshots:\n  g@git+https://h.test/g.git#0123456789: {}\n  d@file:d: {}\n  t@file:t.tgz: {dependencies: {l: 'link:x'}}\n",
];

/// Both kinds of catalogs, quoted keys, comments, a map in braces, other line ends.
pub const CATALOGS: &[&str] = &[
    "packages:\n  - a\n\ncatalog:\n  # first\n  a: ^1.0.0\n  'c': \"2\"\n\ncatalogs:\n  old:\n    a: 0.1.0\n",
    "catalog: {a: 1}\n",
    "catalogs:\r\n    next:\r\n        b: 1 # why\r\nother: |\r\n  catalog:\r\n    a: 2\r\n",
    "",
];

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.trim_end_matches('\r')).filter(|line| !line.trim().is_empty())
}

/// An edit that succeeds leaves a file in which every other entry is as it was.
pub fn catalog_edit(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    for (catalog, name) in [("", "a"), ("", "@s/b"), ("old", "a"), ("new one", "b")] {
        let Ok(edited) = pnpm_workspace::set_catalog_entry(&text, catalog, name, "^9.0.0") else { continue };
        let again = pnpm_workspace::set_catalog_entry(&edited, catalog, name, "^9.0.0").expect("it has it");
        // Line ends are those of the file; a stray carriage return becomes one.
        assert!(lines(&again).eq(lines(&edited)), "edited otherwise the second time");
        let lost = lines(&text).filter(|line| !edited.contains(line)).count();
        assert!(lost <= 1, "more than one line changed");
    }
}

/// A lockfile that parses can be written, and what was written is written again as itself.
pub fn pnpm(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Ok(parsed) = rusk_lockfiles::read(Format::Pnpm, &text, &[]) else { return };
    let written = pnpm_rewritten(&text, &parsed);
    let again = rusk_lockfiles::read(Format::Pnpm, &written, &[]).expect("what was written can be read");
    assert_eq!(pnpm_rewritten(&written, &again), written, "written otherwise the second time");
}

/// A lockfile that parses can be placed and written, and what was written is written again as
/// itself.
pub fn npm(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Ok(parsed) = rusk_lockfiles::read(Format::NpmLock, &text, &[]) else { return };
    let Some(written) = rewritten(&text, &parsed) else { return };
    let again = rusk_lockfiles::read(Format::NpmLock, &written, &[]).expect("what was written can be read");
    assert_eq!(rewritten(&written, &again).as_ref(), Some(&written), "written otherwise the second time");
}

fn pnpm_rewritten(text: &str, lockfile: &Lockfile) -> String {
    let origins: Vec<_> = lockfile.graph.package_ids().map(Some).collect();
    let previous = Previous { text, lockfile, origins: &origins };
    let mut new = NewLockfile {
        graph: &lockfile.graph,
        rules: lockfile.rules.as_ref().expect("pnpm's has them"),
        tree: &Default::default(),
        members: &[],
        facts: &mut |_| None,
    };
    rusk_lockfiles::render(Format::Pnpm, Some(&previous), &mut new)
}

/// Aliases, a resolution, a directory, a repository; Windows newlines.
pub const YARN: &[&str] = &[
    "# yarn lockfile v1\n\n\na@^1.0.0, a@~1.2.0:\n  version \"1.2.0\"\n  resolved \"https://registry.test/a/-/a-1.2.0.tgz#0123456789012345678901234567890123456789\"\n  integrity sha512-AAAA\n  dependencies:\n    \"@s/b\" \">= 1\"\n  optionalDependencies:\n    o \"*\"\n\n\"@s/b@>= 1\", \"x@npm:@s/b@1\":\n  version \"1.0.0\"\n\no@*:\n  version \"1.0.0\"\n",
    "d@2, d@^1:\r\n  version \"2.0.0\"\r\n\r\n\"g@git+https://h.test/a/b.git\":\r\n  version \"1.0.0\"\r\n  resolved \"git+https://h.test/a/b.git#0123456789012345678901234567890123456789\"\r\n\r\n\"l@file:./l\":\r\n  version \"0.0.0\"\r\n  dependencies:\r\n    d \"^1\"\r\n",
];

/// Versions 8 and 6; a patch, a member, platforms, peers.
pub const YARN_BERRY: &[&str] = &[
    "__metadata:\n  version: 8\n\n\"a@npm:^1.0.0, a@npm:~1.2.0\":\n  version: 1.2.0\n  resolution: \"a@npm:1.2.0\"\n  dependencies:\n    o: \"npm:*\"\n  peerDependencies:\n    x: \"*\"\n  dependenciesMeta:\n    o:\n      optional: true\n  languageName: node\n  linkType: hard\n\n\"m@workspace:m\":\n  version: 0.0.0-use.local\n  resolution: \"m@workspace:m\"\n  dependencies:\n    a: \"npm:~1.2.0\"\n\n\"o@npm:*\":\n  version: 1.0.0\n  resolution: \"o@npm:1.0.0::__archiveUrl=https%3A%2F%2Fh.test%2Fo.tgz\"\n  conditions: (os=linux | os=darwin) & cpu=x64\n\n\"p@workspace:.\":\n  version: 0.0.0-use.local\n  resolution: \"p@workspace:.\"\n  dependencies:\n    a: \"npm:^1.0.0\"\n    l: \"file:./l\"\n    o: \"npm:*\"\n",
    "__metadata:\n  version: 6\n\n? \"p@workspace:.\"\n:\n  resolution: \"p@workspace:.\"\n  dependencies:\n    a: ^1.0.0\n\n\"a@npm:^1.0.0\":\n  version: 1.2.0\n  resolution: \"a@npm:1.2.0\"\n  bin:\n    a: x.js\n",
];

/// What every text of the seeds is read with.
const YARN_PROJECT: &str = r#"{"name":"p","workspaces":["m"],"dependencies":{"a":"^1.0.0","x":"npm:@s/b@1","g":"git+https://h.test/a/b.git","l":"file:./l"},"optionalDependencies":{"o":"*"},"peerDependencies":{"a":"*"},"resolutions":{"d":"2"}}"#;
const YARN_MEMBER: &str =
    r#"{"name":"m","version":"1.0.0","dependencies":{"a":"~1.2.0"},"devDependencies":{"@s/b":">= 1"}}"#;

/// As for npm. The first time, the descriptors that nothing has go.
pub fn yarn(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let members = [
        MemberText { path: "", text: YARN_PROJECT, manifest: None },
        MemberText { path: "m", text: YARN_MEMBER, manifest: None },
    ];
    let Ok(parsed) = rusk_lockfiles::read(Format::Yarn, &text, &members) else { return };
    let written = yarn_rewritten(&text, &parsed, &members);
    let again = rusk_lockfiles::read(Format::Yarn, &written, &members).expect("what was written can be read");
    let second = yarn_rewritten(&written, &again, &members);
    assert_eq!(second, written, "written otherwise the second time");
}

fn yarn_rewritten(text: &str, lockfile: &Lockfile, members: &[MemberText<'_>]) -> String {
    let graph = &lockfile.graph;
    let origins: Vec<_> = graph.package_ids().map(Some).collect();
    let previous = Previous { text, lockfile, origins: &origins };
    let overrides = Manifest::parse(YARN_PROJECT).expect("the project of the seeds is valid").overrides;
    let mut new = NewLockfile {
        graph,
        rules: &Rules { overrides, ..Rules::default() },
        tree: &Default::default(),
        members,
        facts: &mut |_| None,
    };
    rusk_lockfiles::render(Format::Yarn, Some(&previous), &mut new)
}

/// `None` if the tree is refused: too deep, or too large.
fn rewritten(text: &str, lockfile: &Lockfile) -> Option<String> {
    let mut graph = lockfile.graph.clone();
    let origins: Vec<_> = graph.package_ids().map(Some).collect();
    let previous = Previous { text, lockfile, origins: &origins };
    let tree = rusk_lockfiles::arrange(Format::NpmLock, Some(&previous), &mut graph).ok()??;
    // An entry of a member says what its package.json says.
    let root = json::parse(text, Dialect::Strict).ok()?;
    let packages = root.find("packages")?.members();
    let members: Vec<MemberText<'_>> = packages
        .iter()
        .map(|member| MemberText {
            path: &member.key,
            text: &text[member.node.start..member.node.end],
            manifest: None,
        })
        .collect();
    let mut new = NewLockfile {
        graph: &graph,
        rules: &Default::default(),
        tree: &tree,
        members: &members,
        facts: &mut |_| None,
    };
    Some(rusk_lockfiles::render(Format::NpmLock, Some(&previous), &mut new))
}

/// pnpm-workspace.yaml, .yarnrc.yml, .yarnrc.
pub const SETTINGS: &[&str] = &[
    "packages:\n  - a/*\n  - '!b'\ncatalog: {a: ^1}\nregistries:\n  default: https://r.test/${TOKEN}/\n  '@s': https://s.test/\nallowBuilds: {a: true, b: false}\nonlyBuiltDependencies: [c]\nminimumReleaseAge: 1440\nminimumReleaseAgeExclude: ['@s/*']\noverrides: {x>y: 1}\npackageExtensions: {a@1: {dependencies: {b: '2'}}}\nnodeLinker: hoisted\nsupportedArchitectures: {os: [linux]}\n",
    "nodeLinker: node-modules\nnpmRegistryServer: 'https://r.test'\nnpmAuthToken: '${TOKEN-x}'\nnpmScopes:\n  s: {npmRegistryServer: 'https://s.test', npmAlwaysAuth: true, npmAuthIdent: 'a:b'}\nnpmRegistries:\n  //r.test: {npmAuthToken: t}\npackageExtensions:\n  a@*: {peerDependenciesMeta: {b: {optional: true}}}\nnpmMinimalAgeGate: 3d\nnpmPreapprovedPackages: ['a', '@s/*']\ncatalogs: {old: {a: 1}}\n",
    "# yarn 1\nregistry \"https://r.test/\"\n\"@s:registry\" https://s.test\n--install.ignore-scripts true\nlastUpdateCheck 1\nstrict-ssl false\n",
];

/// Settings of other package managers, which come with every cloned project; the length decides
/// whose they are. A project's package.json that is extended by them is one still.
pub fn settings(input: &[u8]) {
    const MANIFEST: &str = r#"{ "name": "app" }"#;
    let text = String::from_utf8_lossy(input);
    let variables = Variables::from([("TOKEN".to_owned(), "secret".to_owned())]);
    let extended = match input.len() % 4 {
        0 => {
            let _ = pnpm::parse(&text, &variables);
            PnpmWorkspace::parse(&text).ok().map(|workspace| workspace.extend(MANIFEST))
        }
        1 => {
            let default = Address::parse(default_registry()).expect("it is an address");
            let _ = yarnrc::parse(&text, &variables, &default);
            yarnrc::extend(&text, MANIFEST).ok()
        }
        2 => {
            let _ = (yarnrc::project_settings(&text), pnpm_workspace::installs_peers(&text));
            None
        }
        _ => {
            let _ = classic_yarnrc::parse(&text, &variables);
            None
        }
    };
    if let Some(extended) = extended {
        json::parse(&extended, Dialect::Relaxed).expect("an extended manifest is JSON");
    }
}
