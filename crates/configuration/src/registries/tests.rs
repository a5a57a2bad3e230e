//! Whose registry a token of the environment is for.

use crate::tests::{Machine, bearer};

#[test]
fn a_token_of_the_environment_is_for_the_users_registry() {
    #[track_caller]
    fn check(machine: &Machine, host: &str, warnings: usize) {
        let found = machine.loaded();
        let bearers = [bearer(&format!("//{host}/"), "t")];
        assert_eq!((found.credentials, found.warnings.len()), (bearers.into(), warnings), "{host}");
    }
    let default = rusk_npm::credential::default_registry();
    let default = default.trim_start_matches("https://").trim_end_matches('/');
    let own = ("home/.npmrc", "registry=https://mine.test");
    let bunfig = ("home/.bunfig.toml", "[install]\nregistry = \"https://fig.test\"");
    for name in ["NPM_CONFIG_TOKEN", "BUN_CONFIG_TOKEN", "npm_config_token"] {
        for evil in [
            ("project/.npmrc", "registry=http://evil.test"),
            ("project/bunfig.toml", "[install]\nregistry = \"http://evil.test\""),
            ("project/.yarnrc.yml", "npmRegistryServer: http://evil.test"),
            ("project/pnpm-workspace.yaml", "registry: http://evil.test"),
        ] {
            let with = |files: &[(&str, &str)]| {
                Machine::new(&[files, &[evil, ("project/yarn.lock", "")]].concat()).with(name, "t")
            };
            check(&with(&[]), default, 1);
            check(&with(&[own]), "mine.test", 1);
            // The user's bunfig.toml counts more than other files of the project.
            check(&with(&[own, bunfig]), "fig.test", usize::from(evil.0.ends_with("bunfig.toml")));
            check(&with(&[own]).with("CI", "true"), "mine.test", 1);
            let allowed = ("home/.npmrc", "registry=http://evil.test");
            check(&with(&[allowed]), "evil.test", 0);
            check(&with(&[own]).with("BUN_CONFIG_REGISTRY", "http://variable.test"), "variable.test", 0);
            let mut flag = with(&[own]);
            flag.flags.registry = Some("http://flag.test".to_owned());
            check(&flag, "flag.test", 0);
        }
        let mut publish = Machine::new(&[own]).with(name, "t");
        publish.flags.project_registry = Some("http://evil.test".to_owned());
        check(&publish, "mine.test", 1);
        assert_eq!(publish.loaded().registry, "http://evil.test/");
    }
}
