//! What `[install]` may say; every case as bun 1.4.5 takes it.

use super::*;

fn parse(install: &str) -> Bunfig {
    let variables = [("TOK".to_owned(), "secret".to_owned())].into();
    Bunfig::parse(&format!("[install]\n{install}"), &variables).expect(install)
}

fn at(url: &str, credential: Option<Credential>) -> Registry {
    let address = Address::parse(url).expect("an address");
    let of_variable = [bearer("secret"), Some(Credential::of_password("u", "secret"))];
    let variables = if of_variable.contains(&credential) { vec!["TOK".to_owned()] } else { Vec::new() };
    Registry { url: Some(address.url), prefix: Some(address.prefix), credential, variables }
}

fn bearer(token: &str) -> Option<Credential> {
    Some(Credential::Bearer(token.to_owned()))
}

#[test]
fn a_registry_is_an_address_or_a_table() {
    let check = |value: &str, expected: Registry| {
        assert!(parse(&format!("registry = {value}")).registry == Some(expected), "{value}");
    };
    let url = "https://registry.test/";
    check("\"https://registry.test\"", at(url, None));
    check("{ url = \"https://registry.test\", token = \"$TOK\" }", at(url, bearer("secret")));
    check("{ url = \"https://registry.test\", token = \"$NOPE\" }", at(url, None));
    check("{ token = \"x${TOK}\" }", Registry { credential: bearer("x${TOK}"), ..Registry::default() });
    check("\"https://:$TOK@registry.test\"", at(url, bearer("secret")));
    check("\"https://u:p@registry.test\"", at(url, Some(Credential::of_password("u", "p"))));
    check(
        "{ url = \"https://registry.test\", username = \"u\", password = \"$TOK\" }",
        at(url, Some(Credential::of_password("u", "secret"))),
    );
}

#[test]
fn scopes_go_with_or_without_their_at() {
    let bunfig = parse("[install.scopes]\n\"@a\" = \"https://a.test\"\nb = { token = \"t\" }");
    let expected = [
        ("@a".to_owned(), at("https://a.test", None)),
        ("@b".to_owned(), Registry { credential: bearer("t"), ..Registry::default() }),
    ];
    assert_eq!(bunfig.scopes, expected);
}

#[test]
fn switches_and_lists_are_read() {
    let bunfig = parse(
        "production = true\nexact = true\noptional = false\nlinker = \"isolated\"\nsaveTextLockfile = false
prefer = \"offline\"\nca = [\"A\", \"B\"]\ncafile = \"c.pem\"\nminimumReleaseAge = 3600\nunknown = { x = 1 }
minimumReleaseAgeExcludes = [\"left\"]
[install.cache]\ndir = \"~/c\"\ndisable = true\n[install.lockfile]\nprint = \"yarn\"",
    );
    let expected = Bunfig {
        production: Some(true),
        exact: Some(true),
        optional: Some(false),
        linker: Some(Linker::Isolated),
        prefer_offline: Some(true),
        ca: Some(vec!["A".into(), "B".into()]),
        cafile: Some("c.pem".into()),
        minimum_release_age_s: Some(3600),
        minimum_release_age_excludes: Some(vec!["left".into()]),
        cache: Some(Cache { dir: Some("~/c".into()), disable: true }),
        ..Bunfig::default()
    };
    assert_eq!(bunfig, expected);
    assert_eq!(Bunfig::parse("[test]\nroot = 1", &Variables::new()).expect("no install"), Bunfig::default());
}

#[test]
fn the_project_counts_more_than_the_user() {
    let project = parse("exact = false\n[install.scopes]\na = \"https://a.test\"");
    let user = parse(
        "exact = true\ndryRun = true\n[install.scopes]\na = \"https://b.test\"\nc = \"https://c.test\"",
    );
    let merged = project.over(user);
    assert_eq!((merged.exact, merged.dry_run), (Some(false), Some(true)));
    let urls: Vec<_> = merged.scopes.iter().filter_map(|(_, registry)| registry.url.as_deref()).collect();
    assert_eq!(urls, ["https://a.test/", "https://c.test/"]);
}

#[test]
fn what_is_wrong_names_key_and_line() {
    let refuses = |text: &str, code: &str, message: &str| {
        let problem = Bunfig::parse(text, &Variables::new()).expect_err(text);
        assert!(problem.code() == code && problem.to_string().contains(message), "{text}: {problem}");
    };
    refuses("[install]\nregistry = 5", "bunfig-kind", "`install.registry` is integer, expected");
    refuses("[install]\nregistry = \"x\"", "bunfig-kind", "line 2 of bunfig.toml");
    refuses("[install]\nlinker = \"pnp\"", "bunfig-kind", "expected `hoisted` or `isolated`");
    refuses("[install]\nminimumReleaseAge = -1", "bunfig-kind", "a number of seconds");
    refuses("[install]\nca = 5", "bunfig-kind", "`install.ca`");
    for value in ["\"yes\"", "\"true\"", "1"] {
        let text = format!("[install]\nignoreScripts = {value}");
        refuses(&text, "bunfig-kind", "expected `true` or `false`");
    }
    refuses("[install\n", "bunfig-syntax", "line 1");
}

#[test]
fn deep_nesting_is_an_error() {
    let text = format!("[install]\nx = {}", "[".repeat(100_000));
    assert!(Bunfig::parse(&text, &Variables::new()).is_err());
}
