//! Settings of pnpm-workspace.yaml.

use super::*;

fn parsed(text: &str) -> ToolSettings {
    parse(text, &Variables::new()).expect("settings")
}

#[test]
fn settings_have_the_keys_of_npmrc() {
    let layer = parsed(
        "packages: [a]\nnodeLinker: hoisted\nhoist: false\nsavePrefix: ''\nlinkWorkspacePackages: deep\nfetchRetries: 5\n",
    )
    .layer;
    assert_eq!(layer.one("node-linker"), Some("hoisted"));
    assert_eq!(layer.truth("hoist"), Some(false));
    assert_eq!(layer.one("save-prefix"), Some(""));
    assert_eq!(layer.truth("link-workspace-packages"), Some(true));
    assert_eq!(layer.number("fetch-retries"), Some(5));
    assert_eq!(layer.keys().count(), 5);
}

#[test]
fn patterns_are_lists() {
    let layer =
        parsed("hoistPattern:\n  - '*eslint*'\npublicHoistPattern: []\nshamefullyHoist: true\n").layer;
    assert_eq!(layer.all("hoist-pattern"), Some(vec!["*eslint*".to_owned()]));
    assert_eq!(layer.all("public-hoist-pattern"), Some(Vec::new()));
    assert_eq!(layer.truth("shamefully-hoist"), Some(true));
}

#[test]
fn registries_are_those_of_scopes_and_the_default() {
    let layer = parsed("registries:\n  default: https://one.test/\n  '@s': https://two.test/\n").layer;
    assert_eq!(layer.one("registry"), Some("https://one.test/"));
    assert_eq!(layer.scopes().collect::<Vec<_>>(), [("@s", "https://two.test/")]);
}

#[test]
fn what_is_not_followed_has_a_note() {
    let notes = |text: &str| parsed(text).notes.join("; ");
    assert_eq!(notes("autoInstallPeers: true\nonlyBuiltDependencies: [esbuild]\ncatalogMode: manual\n"), "");
    assert_eq!(notes("virtualStoreDir: node_modules/.pnpm\n"), "");
    assert_eq!(
        notes(
            "modulesDir: other\nnodeLinker: pnp\nconfigDependencies: {a: '1'}\nvirtualStoreDir: ../store\n"
        ),
        "not supported in pnpm-workspace.yaml yet: `configDependencies`, `modulesDir`, `virtualStoreDir`, \
         `nodeLinker`"
    );
}
