//! Precedence of the sources, and the values they produce.

use std::collections::BTreeMap;

use super::*;
use rusk_base::files;

mod caches;
mod protecting_keys;

/// A project, a home and an environment; the directories are removed when the test ends.
pub(super) struct Machine {
    root: PathBuf,
    environment: BTreeMap<String, String>,
    pub(super) flags: Flags,
}

impl Machine {
    /// `project/…` and `home/…` with their contents.
    pub(super) fn new(texts: &[(&str, &str)]) -> Machine {
        let root = std::env::temp_dir().join(format!("rusk-configuration-{}", files::unpredictable_name()));
        for dir in ["project", "home", "prefix/etc"] {
            std::fs::create_dir_all(root.join(dir)).expect("a directory");
        }
        for (path, text) in texts {
            std::fs::write(root.join(path), text).expect("a file");
        }
        let prefix = root.join("prefix").display().to_string();
        let environment = [("npm_config_prefix".to_owned(), prefix)].into();
        Machine { root, environment, flags: Flags::default() }
    }

    pub(super) fn with(mut self, name: &str, value: &str) -> Machine {
        self.environment.insert(name.to_owned(), value.to_owned());
        self
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().expect("a path")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }

    pub(super) fn load(&self) -> Result<Configuration> {
        let project = self.root.join("project");
        let host = HostEnvironment {
            current_dir: project.clone(),
            home_dir: Some(self.root.join("home")),
            environment: self.environment.clone(),
            processors: || 1,
            now_s: 0,
            user_agent: String::new(),
            script_output: rusk_base::sys::CWD,
            node_version: |_, _| None,
            node_headers: |_| None,
            program: || None,
            interaction: None,
        };
        Configuration::load(&project, &host, &self.flags)
    }

    pub(super) fn loaded(&self) -> Configuration {
        self.load().expect("a configuration")
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

fn npmrc(text: &str) -> Configuration {
    Machine::new(&[("project/.npmrc", text)]).loaded()
}

fn bunfig(text: &str) -> Configuration {
    Machine::new(&[("project/bunfig.toml", &format!("[install]\n{text}"))]).loaded()
}

fn with(name: &str, value: &str) -> Configuration {
    Machine::new(&[]).with(name, value).loaded()
}

pub(super) fn bearer(prefix: &str, token: &str) -> (String, Credential) {
    (prefix.to_owned(), Credential::Bearer(token.to_owned()))
}

#[test]
fn the_source_with_higher_precedence_sets_the_registry() {
    let mut machine = Machine::new(&[("prefix/etc/npmrc", "registry=http://machine.test")]);
    let check =
        |machine: &Machine, host: &str| assert_eq!(machine.loaded().registry, format!("http://{host}.test/"));
    check(&machine, "machine");
    let write = |machine: &Machine, path: &str, text: &str| {
        std::fs::write(machine.root.join(path), text).expect("a file")
    };
    write(&machine, "home/.npmrc", "registry=http://user.test");
    check(&machine, "user");
    write(&machine, "project/.npmrc", "registry=http://project.test");
    check(&machine, "project");
    write(&machine, "home/.bunfig.toml", "[install]\nregistry = \"http://userfig.test\"");
    check(&machine, "userfig");
    write(&machine, "project/bunfig.toml", "[install]\nregistry = \"http://bunfig.test\"");
    check(&machine, "bunfig");
    machine = machine.with("npm_config_registry", "http://environment.test");
    check(&machine, "environment");
    machine.flags.registry = Some("http://flag.test".to_owned());
    check(&machine, "flag");
}

#[test]
fn without_configuration_there_are_defaults() {
    let configuration = Machine::new(&[]).loaded();
    assert_eq!(configuration.registry, rusk_npm::credential::default_registry());
    assert!(configuration.scopes.is_empty() && configuration.credentials.is_empty());
    assert_eq!(configuration.proxies, Proxies::default());
    assert_eq!(configuration.tls, TlsOptions::default());
    assert_eq!(configuration.defaults.range, SavedRange::Caret);
    assert!(configuration.warnings.is_empty());
}

#[test]
fn scopes_have_registries_of_their_own() {
    let files = [
        ("project/.npmrc", "@a:registry=http://a.test\n@b:registry=http://b.test"),
        ("project/bunfig.toml", "[install.scopes]\nb = \"http://c.test\"\nd = { token = \"t\" }"),
        ("home/.npmrc", "@a:registry=http://z.test\nregistry=http://r.test/npm"),
    ];
    let configuration = Machine::new(&files).loaded();
    let expected = [("@a", "http://a.test/"), ("@b", "http://c.test/"), ("@d", "http://r.test/npm/")];
    assert_eq!(configuration.scopes, expected.map(|(scope, url)| (scope.to_owned(), url.to_owned())));
    assert_eq!(configuration.credentials, [bearer("//r.test/npm/", "t")]);
}

#[test]
fn credentials_come_from_every_source() {
    let of = |configuration: Configuration| configuration.credentials;
    let token = "registry=http://r.test\n//r.test/:_authToken=${TOKEN}";
    assert_eq!(
        of(Machine::new(&[("home/.npmrc", token)]).with("TOKEN", "x").loaded()),
        [bearer("//r.test/", "x")]
    );
    let basic = Credential::of_password("u", "p");
    assert_eq!(of(npmrc("registry=http://u:p@r.test")), [("//r.test/".to_owned(), basic)]);
    assert_eq!(
        of(bunfig("registry = { url = \"http://r.test\", token = \"y\" }")),
        [bearer("//r.test/", "y")]
    );
    let both = [
        ("project/.npmrc", "//r.test/:_authToken=low"),
        ("project/bunfig.toml", "[install]\nregistry = { url = \"http://r.test\", token = \"high\" }"),
    ];
    assert_eq!(of(Machine::new(&both).loaded()), [bearer("//r.test/", "high")]);
    let variables = Machine::new(&[("home/.npmrc", token)]).with("NPM_CONFIG_TOKEN", "top");
    assert_eq!(of(variables.loaded()), [bearer("//r.test/", "top")]);
}

#[test]
fn a_token_is_sent_only_to_its_registry() {
    let files = [
        ("home/.npmrc", "registry=http://mine.test\n//mine.test/:_authToken=t\n_authToken=bare"),
        ("project/.npmrc", "registry=http://evil.test"),
    ];
    let configuration = Machine::new(&files).loaded();
    assert_eq!(configuration.credentials, [bearer("//mine.test/", "t")]);
    assert_eq!(configuration.warnings.len(), 1, "{:?}", configuration.warnings);
    let files =
        [("project/bunfig.toml", "[install]\nregistry = { url = \"http://mine.test\", token = \"t\" }")];
    let moved = Machine::new(&files).with("npm_config_registry", "http://other.test").loaded();
    assert_eq!(moved.credentials, [bearer("//mine.test/", "t")]);
}

#[test]
fn a_project_cannot_redirect_the_users_token() {
    for project in [
        ("project/.npmrc", "registry=http://evil.test"),
        ("project/bunfig.toml", "[install]\nregistry = \"http://evil.test\""),
    ] {
        let user = "[install]\nregistry = { token = \"t\" }\n[install.scopes]\ns = { token = \"t\" }";
        let files = [("home/.npmrc", "registry=http://mine.test"), ("home/.bunfig.toml", user), project];
        let configuration = Machine::new(&files).loaded();
        assert_eq!(configuration.registry, "http://evil.test/");
        assert_eq!(configuration.credentials, [bearer("//mine.test/", "t")], "{project:?}");
    }
}

/// How often a value is sent, whatever kind of file of the project names proxy and certificates.
#[test]
fn a_project_cannot_intercept_the_users_token() {
    let load = |files: &[(&str, &str)], user: &str| {
        let user = format!("registry=https://mine.test\n//mine.test/:_authToken=t\n{user}");
        let lockfile = [("home/.npmrc", user.as_str()), ("project/yarn.lock", "")];
        Machine::new(&[&lockfile[..], files].concat()).loaded()
    };
    #[track_caller]
    fn check(configuration: &Configuration, tokens: usize, http: bool, https: bool, warnings: usize) {
        let proxies = [&configuration.proxies.http, &configuration.proxies.https].map(Option::is_some);
        let found = (configuration.credentials.len(), proxies, configuration.warnings.len());
        assert_eq!(found, (tokens, [http, https], warnings), "{:?}", configuration.warnings);
    }
    const EVIL: &str = "http://evil.test";
    let npmrc = ["proxy=http://evil.test\n", "strict-ssl=false", "cafile=evil.pem", "ca=EVIL"];
    let pnpm = [
        "httpsProxy: http://evil.test\nhttpProxy: http://evil.test\n",
        "strictSsl: false",
        "cafile: evil.pem",
    ];
    let yarn = [
        "httpsProxy: http://evil.test\nhttpProxy: http://evil.test\n",
        "enableStrictSsl: false",
        "httpsCaFilePath: e.pem",
    ];
    let classic = ["proxy \"http://evil.test\"\n", "strict-ssl false", "cafile e.pem"];
    let kinds: [(&str, &[&str]); 4] = [
        ("project/.npmrc", &npmrc),
        ("project/pnpm-workspace.yaml", &pnpm),
        ("project/.yarnrc.yml", &yarn),
        ("project/.yarnrc", &classic),
    ];
    for (path, lines) in kinds {
        let (proxy, trusting) = lines.split_first().expect("lines");
        check(&load(&[(path, proxy)], ""), 1, false, true, 0);
        check(&load(&[(path, proxy)], "registry=http://mine.test"), 1, false, true, 1);
        for trust in trusting {
            check(&load(&[(path, trust)], ""), 0, false, false, 1);
            check(&load(&[(path, &format!("{proxy}{trust}"))], ""), 0, true, true, 1);
            check(&load(&[(path, trust)], &format!("proxy={EVIL}")), 0, true, true, 1);
            check(&load(&[(path, trust)], "trust-project-network=true"), 1, false, false, 0);
        }
        check(&load(&[(path, lines[1])], "strict-ssl=false"), 1, false, false, 0);
        check(
            &load(&[(path, lines[1]), ("project/bunfig.toml", "[install]\ncafile = \"e.pem\"")], ""),
            0,
            false,
            false,
            1,
        );
    }
    let both = [("project/.npmrc", npmrc[0]), ("project/.yarnrc.yml", yarn[1])];
    check(&load(&both, ""), 0, true, true, 1);
    let itself = [("project/.npmrc", "strict-ssl=false\ntrust-project-network=true")];
    check(&load(&itself, ""), 0, false, false, 1);
    check(&load(&[("home/.bunfig.toml", "[install]\ncafile = \"mine.pem\"")], ""), 1, false, false, 0);
}

/// A plain connection can be read anyway.
#[test]
fn certificates_of_a_project_do_not_matter_to_a_plain_registry() {
    #[track_caller]
    fn check(user: &str, project: &str, tokens: usize, warnings: usize) {
        let user = format!("{user}\n//mine.test/:_authToken=t\n//other.test/:_authToken=t");
        let found = Machine::new(&[("home/.npmrc", &user), ("project/.npmrc", project)]).loaded();
        let hosts: Vec<&str> = found.credentials.iter().map(|(prefix, _)| prefix.as_str()).collect();
        assert_eq!((hosts.len(), found.warnings.len()), (tokens, warnings), "{hosts:?} {:?}", found.warnings);
        assert_eq!(found.proxies.http, None);
    }
    let plain = "registry=http://mine.test";
    check(plain, "cafile=c.pem", 1, 1);
    check("@o:registry=http://other.test/", &format!("{plain}\ncafile=c.pem"), 2, 0);
    check("", &format!("{plain}\nstrict-ssl=false"), 1, 1);
    check(plain, "ca=CA\nproxy=http://its.test", 1, 1);
    check("registry=https://mine.test", &format!("{plain}\ncafile=c.pem"), 0, 1);
    check(plain, "cafile=c.pem\n@s:registry=https://mine.test", 1, 1);
}

/// Which hosts get credentials by https only, and whether there is a warning.
#[test]
fn a_project_cannot_have_the_users_token_sent_in_plain_text() {
    #[track_caller]
    fn check(files: &[(&str, &str)], host: &str, is_encrypted: bool, warnings: usize) {
        let configuration = Machine::new(files).loaded();
        let hosts = &configuration.encrypted_hosts;
        assert_eq!(
            (hosts.contains(host), configuration.warnings.len()),
            (is_encrypted, warnings),
            "{hosts:?}"
        );
    }
    const TOKEN: &str = "//mine.test/:_authToken=t";
    let user = |line: &str| format!("{line}\n{TOKEN}");
    let plain = ("project/.npmrc", "registry=http://mine.test");
    let scoped = ("project/.npmrc", "@a:registry=http://mine.test/npm/");
    for line in ["registry=https://mine.test", "@s:registry=https://Mine.test:443/npm/"] {
        check(&[("home/.npmrc", &user(line))], "mine.test", true, 0);
        check(&[("home/.npmrc", &user(line)), plain], "mine.test", true, 1);
        check(&[("home/.npmrc", &user(line)), scoped], "mine.test", true, 1);
        check(&[("home/.npmrc", line), scoped], "mine.test", true, 0);
    }
    let bunfig = "[install.scopes]\ns = { url = \"https://mine.test\", token = \"t\" }";
    check(&[("home/.bunfig.toml", bunfig), scoped], "mine.test", true, 1);
    check(&[("home/.npmrc", TOKEN), ("project/.npmrc", "registry=https://mine.test")], "mine.test", true, 0);
    // Only the project names the registry, or the user does by http, too.
    check(&[("home/.npmrc", TOKEN), plain], "mine.test", false, 0);
    let both = user("registry=https://mine.test\n@s:registry=http://mine.test");
    check(&[("home/.npmrc", &both), plain], "mine.test", false, 0);
    let default = rusk_npm::credential::default_registry();
    let host = default.trim_start_matches("https://").trim_end_matches('/');
    let token = format!("//{host}/:_authToken=t");
    let http = default.replace("https:", "registry=http:");
    check(&[("home/.npmrc", &token), ("project/.npmrc", &http)], host, true, 1);
    check(&[("home/.npmrc", &format!("{token}\n{http}"))], host, false, 0);
}

#[test]
fn a_projects_own_token_is_used_with_its_proxy() {
    let own = "proxy=http://its.test\nstrict-ssl=false\n//its.test/:_authToken=own";
    let user = ("home/.npmrc", "//mine.test/:_authToken=t");
    let both = Machine::new(&[user, ("project/.npmrc", own)]).loaded();
    assert_eq!(both.credentials, [bearer("//its.test/", "own")]);
    let alone = npmrc(own);
    assert_eq!((alone.credentials.len(), alone.proxies.http.is_some(), alone.warnings.len()), (1, true, 0));
    let text = "[install]\ncafile = \"c.pem\"\nregistry = { url = \"https://its.test\", token = \"own\" }";
    let bun = Machine::new(&[user, ("project/bunfig.toml", text)]).loaded();
    assert_eq!(bun.credentials, [bearer("//its.test/", "own")]);
}

/// The variable is the user's, though the project's file names it.
#[test]
fn a_project_cannot_intercept_a_variable_for_a_host_of_the_users() {
    let project = ("project/.npmrc", "strict-ssl=false\n//mine.test/:_authToken=${SECRET}");
    let user = ("home/.npmrc", "registry=https://mine.test");
    let load = |ci: &str| Machine::new(&[project, user]).with("SECRET", "s").with("CI", ci).loaded();
    assert_eq!(load("").credentials, []);
    assert_eq!(load("true").credentials.len(), 1, "its scripts see the variable anyway");
}

#[test]
fn nothing_secret_is_shown() {
    let text = "registry=http://u:secret@r.test\n//r.test/:_authToken=secret\nproxy=http://u:secret@p.test\n_auth=secret";
    let shown = format!("{:?}", npmrc(text));
    assert!(!shown.contains("secret"), "{shown}");
    let problem = Machine::new(&[("project/.npmrc", "registry=secret")]).load().expect_err("no address");
    assert!(problem.code() == "registry-address" && !problem.to_string().contains("secret"), "{problem}");
}

#[test]
fn proxies_are_npms_or_the_environments() {
    let check = |configuration: Configuration, http: &str, https: &str, exceptions: &str| {
        let proxies = configuration.proxies;
        let found = [proxies.http, proxies.https].map(Option::unwrap_or_default);
        assert_eq!(
            (found, proxies.exceptions.join(" ")),
            ([http.into(), https.into()], exceptions.to_owned())
        );
    };
    check(
        npmrc("proxy=http://p.test\nhttps-proxy=http://s.test\nnoproxy=a, b"),
        "http://p.test",
        "http://s.test",
        "a b",
    );
    check(npmrc("proxy=http://p.test"), "http://p.test", "http://p.test", "");
    check(with("HTTPS_PROXY", "http://s.test"), "", "http://s.test", "");
    check(with("http_proxy", "http://p.test"), "http://p.test", "http://p.test", "");
    check(with("NO_PROXY", ".a.test,b.test:81"), "", "", ".a.test b.test:81");
    let off = Machine::new(&[("project/.npmrc", "proxy=false\nhttps-proxy=false")])
        .with("HTTPS_PROXY", "http://s.test");
    check(off.loaded(), "", "", "");
}

#[test]
fn certificates_replace_the_system_store_or_add_to_it() {
    let check = |configuration: Configuration, system: bool, files: &[&str], texts: &[&str]| {
        let found = configuration.tls;
        let named: Vec<_> = found.ca_files.iter().filter_map(|file| file.file_name()?.to_str()).collect();
        assert_eq!(
            (found.system_roots, named.as_slice(), found.ca_pems),
            (system, files, texts.iter().map(|text| (*text).to_owned()).collect())
        );
    };
    check(npmrc("cafile=ca.pem"), false, &["ca.pem"], &[]);
    check(npmrc("ca[]=\"A\\nB\"\nca[]=C"), false, &[], &["A\nB", "C"]);
    check(npmrc("ca=null"), true, &[], &[]);
    check(bunfig("ca = \"A\"\ncafile = \"ca.pem\""), false, &["ca.pem"], &["A"]);
    check(with("SSL_CERT_FILE", "/x/s.pem"), false, &["s.pem"], &[]);
    check(with("NODE_EXTRA_CA_CERTS", "/x/n.pem"), true, &["n.pem"], &[]);
    let both =
        Machine::new(&[("project/.npmrc", "cafile=ca.pem")]).with("SSL_CERT_FILE", "/x/s.pem").loaded();
    assert_eq!(both.tls.ca_files.len(), 1);
    assert_eq!(npmrc("strict-ssl=false").tls.verification, rusk_registry::CertificateVerification::Off);
}

#[test]
fn the_cache_directory_is_configurable() {
    let check = |machine: &Machine, expected: &str| {
        assert_eq!(machine.loaded().cache_dir, machine.root.join(expected))
    };
    let mut machine = Machine::new(&[]);
    check(&machine, "home/.cache/rusk");
    let xdg = machine.root.join("xdg").display().to_string();
    machine = machine.with("XDG_CACHE_HOME", &xdg);
    check(&machine, "xdg/rusk");
    machine.write("home/.bunfig.toml", "[install.cache]\ndir = \"~/c\"");
    check(&machine, "home/c/rusk");
    machine = machine.with("RUSK_CACHE_DIR", "relative");
    check(&machine, "project/relative");
    machine.flags.cache_dir = Some("flag".into());
    check(&machine, "project/flag");
    assert_eq!(bunfig("cache = { disable = true }").cache, CacheUse::Off);
}

#[test]
fn groups_are_omitted() {
    let check = |configuration: Configuration, development: bool, optional: bool, peer: bool| {
        assert_eq!(configuration.defaults.omit, Omit { development, optional, peer });
    };
    check(npmrc("omit[]=dev\nomit[]=peer"), true, false, true);
    check(npmrc("omit=dev\ninclude=dev"), false, false, false);
    check(npmrc("production=true"), true, false, false);
    check(with("npm_config_omit", "dev\n\noptional"), true, true, false);
    check(bunfig("production = true"), true, false, false);
    check(bunfig("dev = false\noptional = false\npeer = false"), true, true, true);
}

#[test]
fn defaults_of_flags_are_read() {
    let npm = npmrc(
        "save-exact=true\nignore-scripts=true\nengine-strict\nfetch-retries=5\nfetch-timeout=1000\nmaxsockets=7",
    );
    assert_eq!((npm.defaults.range, npm.defaults.scripts), (SavedRange::Exact, Scripts::Ignore));
    assert_eq!(npm.defaults.engines, Engines::Refuse);
    let limits = Limits { retries: Some(5), timeout: Some(Duration::from_secs(1)), requests_max: Some(7) };
    assert_eq!(npm.limits, limits);
    assert_eq!(npmrc("maxsockets=0\nfetch-retries=x\nfetch-timeout=-1").limits, Limits::default());
    let bun = bunfig(
        "exact = true\nfrozenLockfile = true\ndryRun = true\nlinker = \"hoisted\"\nminimumReleaseAge = 60",
    )
    .defaults;
    assert_eq!(
        (bun.range, bun.lockfile, bun.writes),
        (SavedRange::Exact, LockfileRule::Frozen, Writes::None)
    );
    assert_eq!((bun.linker, bun.release_age.minimum_s), (Some(Linker::Hoisted), Some(60)));
    assert_eq!(
        bunfig("linkWorkspacePackages = false").defaults.workspace_links,
        MemberLinkRule::FromRegistry
    );
    assert_eq!(bunfig("offline = true").defaults.network, Network::Offline);
    assert_eq!(npmrc("prefer-offline=true").defaults.network, Network::PreferOffline);
}

#[test]
fn a_damaged_bunfig_names_its_file() {
    let machine = Machine::new(&[("project/bunfig.toml", "[install")]);
    assert!(machine.load().expect_err("damaged").to_string().contains("project/bunfig.toml"));
}

/// As `rusk login` asks.
#[test]
fn a_login_follows_the_rules_of_credentials() {
    #[track_caller]
    fn check(files: &[(&str, &str)], url: &str, is_sent: bool) {
        let found = Machine::new(files).loaded().check_secret_channel(url);
        assert_eq!(found.map_err(|problem| problem.code()), is_sent.then_some(()).ok_or("secret-exposed"));
    }
    let user = ("home/.npmrc", "registry=https://mine.test");
    let plain = ("project/.npmrc", "registry=http://mine.test");
    check(&[user], "https://mine.test/", true);
    check(&[user, plain], "http://mine.test/", false);
    check(&[("home/.npmrc", "registry=http://mine.test")], "http://mine.test/", true);
    check(&[user], "http://other.test/", true);
    for line in ["strict-ssl=false", "ca=CA", "cafile=c.pem"] {
        check(&[("project/.npmrc", line)], "https://mine.test/", false);
        check(&[("project/.npmrc", line)], "http://other.test/", true);
        check(&[("home/.npmrc", line)], "https://mine.test/", true);
        let trusting = ("home/.npmrc", "trust-project-network=true");
        check(&[("project/.npmrc", line), trusting], "https://mine.test/", true);
    }
    let proxy = ("project/.npmrc", "proxy=http://evil.test");
    check(&[proxy], "http://other.test/", false);
    check(&[proxy], "https://other.test/", true);
}
