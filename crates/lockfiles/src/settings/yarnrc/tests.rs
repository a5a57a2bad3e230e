//! `.yarnrc.yml`: settings, registries, credentials, variables.

use rusk_npm::credential::Credential;
use rusk_npm::npmrc::credentials;

use super::*;

fn parsed(text: &str) -> ToolSettings {
    let variables = [("TOKEN".to_owned(), "secret".to_owned())].into();
    let default = Address::parse("https://default.test/").expect("an address");
    parse(text, &variables, &default).expect("settings")
}

/// The settings without their notes.
fn check(text: &str, expected: &[(&str, &str)]) {
    let layer = parsed(text).layer;
    let mut wanted = Layer::default();
    expected.iter().for_each(|(key, value)| wanted.set(*key, *value));
    assert!(layer == wanted, "{:?}", layer.keys().map(|key| (key, layer.one(key))).collect::<Vec<_>>());
}

#[test]
fn settings_have_the_keys_of_npm() {
    check("", &[]);
    check("nodeLinker: node-modules", &[("node-linker", "hoisted")]);
    check("nodeLinker: pnpm", &[("node-linker", "isolated")]);
    check(
        "npmRegistryServer: https://one.test/npm\nenableStrictSsl: false\nhttpRetry: 5\ndefaultSemverRangePrefix: \"~\"\n",
        &[
            ("registry", "https://one.test/npm"),
            ("strict-ssl", "false"),
            ("fetch-retries", "5"),
            ("save-prefix", "~"),
        ],
    );
    check("enableTelemetry: 0\nyarnPath: .yarn/releases/yarn.cjs\n", &[]);
}

#[test]
fn credentials_are_for_the_registry_of_their_map() {
    let found = |text: &str| {
        let layer = parsed(text).layer;
        credentials(&[&layer])
    };
    let token = |text: &str| Credential::Bearer(text.to_owned());
    assert_eq!(found("npmAuthToken: a"), [("//default.test/".to_owned(), token("a"))]);
    assert_eq!(
        found("npmAuthToken: ${TOKEN}\nnpmRegistryServer: https://one.test/x"),
        [("//one.test/x/".to_owned(), token("secret"))]
    );
    assert_eq!(
        found("npmAuthToken: \"${NONE:-fallback}\""),
        [("//default.test/".to_owned(), token("fallback"))]
    );
    assert_eq!(
        found("npmScopes:\n  company:\n    npmRegistryServer: https://two.test\n    npmAuthIdent: u:p\n"),
        [("//two.test/".to_owned(), Credential::of_password("u", "p"))]
    );
    assert_eq!(
        found(
            "npmRegistries:\n  //three.test/a:\n    npmAuthToken: b\n  https://four.test:\n    npmAuthIdent: dTpw\n"
        ),
        [
            ("//four.test/".to_owned(), Credential::of_password("u", "p")),
            ("//three.test/a/".to_owned(), token("b")),
        ]
    );
}

#[test]
fn a_scope_has_its_registry() {
    let layer = parsed("npmScopes:\n  company:\n    npmRegistryServer: https://two.test\n").layer;
    assert_eq!(layer.scopes().collect::<Vec<_>>(), [("@company", "https://two.test/")]);
}

#[test]
fn platforms_are_lists() {
    let layer = parsed("supportedArchitectures:\n  os: [current, darwin]\n  cpu:\n    - x64\n").layer;
    assert_eq!(layer.all("os"), Some(vec!["current".to_owned(), "darwin".to_owned()]));
    assert_eq!((layer.all("cpu"), layer.all("libc")), (Some(vec!["x64".to_owned()]), None));
}

#[test]
fn what_is_not_followed_has_a_note() {
    let notes = |text: &str| parsed(text).notes.join("; ");
    assert_eq!(notes("nodeLinker: node-modules\nnmHoistingLimits: none"), "");
    assert!(notes("nodeLinker: pnp").starts_with(".yarnrc.yml: its `nodeLinker` is Plug'n'Play"));
    assert!(notes("enableTelemetry: false").contains("Yarn's default linker is Plug'n'Play"));
    assert_eq!(
        notes("nodeLinker: pnpm\nnmHoistingLimits: workspaces\npnpMode: loose\n"),
        "not supported in .yarnrc.yml yet: `pnpMode`"
    );
}

#[test]
fn what_is_no_map_of_settings_is_refused() {
    let default = Address::parse("https://default.test/").expect("an address");
    for text in ["- a", "a: [", "a: &x 1\nb: *x\n", "text"] {
        let problem = parse(text, &Variables::new(), &default).expect_err(text);
        assert_eq!(problem.code(), "yarnrc", "{text}");
    }
}

#[test]
fn catalogs_become_members_of_package_json() {
    let manifest = r#"{ "name": "a" }"#;
    let text = "catalog:\n  left: ^1.0.0\ncatalogs:\n  old:\n    left: '0'\nnodeLinker: node-modules\n";
    let expected = r#"{ "name": "a","catalog":{"left":"^1.0.0"},"catalogs":{"old":{"left":"0"}} }"#;
    assert_eq!(extend(text, manifest).expect(text), expected);
    for other in ["", "nodeLinker: pnpm\n"] {
        assert_eq!(extend(other, manifest).expect(other), manifest);
    }
}
