//! Fuzz targets of `rusk-lockfiles`: the lockfiles of other package managers, which come with every
//! cloned project.

use rusk_lockfiles::{Format, Lockfile, MemberText, NewLockfile, Previous};
use rusk_npm::json::{self, Dialect};

/// A workspace; peers, a bundle, two versions and two instances; version 2.
pub const NPM: &[&str] = &[
    r#"{"name":"a","lockfileVersion":3,"requires":true,"packages":{"":{"name":"a","workspaces":["p/*"],"dependencies":{"b":"^1.0.0"}},"node_modules/b":{"version":"1.0.0","resolved":"https://registry.test/b/-/b-1.0.0.tgz","peerDependencies":{"d":"*"},"peerDependenciesMeta":{"e":{"optional":true}}},"node_modules/d":{"version":"2.0.0","peer":true},"node_modules/c":{"resolved":"p/c","link":true},"p/c":{"version":"1.0.0","dependencies":{"b":"2"},"devDependencies":{"d":"1"}},"p/c/node_modules/b":{"version":"2.0.0"},"p/c/node_modules/d":{"version":"1.0.0","dev":true}}}"#,
    r#"{"lockfileVersion":2,"packages":{"":{"dependencies":{"a":"1","b":"npm:@s/x@^1","g":"git+ssh://git@h.test/a/b.git"},"optionalDependencies":{"c":"1"}},"node_modules/a":{"version":"1.0.0","bundleDependencies":["z"],"dependencies":{"z":"1"},"bin":{"a":"x.js"}},"node_modules/a/node_modules/z":{"version":"1.0.0","inBundle":true},"node_modules/b":{"name":"@s/x","version":"1.2.0","integrity":"sha512-AAAA","dependencies":{"a":"1"}},"node_modules/c":{"version":"1.0.0","optional":true,"os":["linux"],"cpu":["!x64"],"hasInstallScript":true},"node_modules/g":{"version":"1.0.0","resolved":"git+ssh://git@h.test/a/b.git#0123456789012345678901234567890123456789"}},"dependencies":{}}"#,
];

/// A lockfile that parses can be placed and written, and what was written is written again as
/// itself.
pub fn npm(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Ok(parsed) = rusk_lockfiles::read(Format::NpmLock, &text) else { return };
    let Some(written) = rewritten(&text, &parsed) else { return };
    let again = rusk_lockfiles::read(Format::NpmLock, &written).expect("what was written can be read");
    assert_eq!(rewritten(&written, &again).as_ref(), Some(&written), "written otherwise the second time");
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
        .map(|member| MemberText { path: &member.key, text: &text[member.node.start..member.node.end] })
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
