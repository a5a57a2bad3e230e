//! `.npmrc` read as npm reads it.

use super::*;

fn variables() -> Variables {
    let pairs = [("TOKEN", "secret"), ("EMPTY", "")];
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

fn check(line: &str, value: Option<&str>) {
    assert_eq!(Layer::parse(line, &variables()).one("k"), value, "{line}");
}

#[test]
fn lines_are_keys_and_values() {
    check("k=v", Some("v"));
    check("  k  =  v w  ", Some("v w"));
    check("k", Some("true"));
    check("k=", Some(""));
    check("k=null", None);
    check("k=a=b", Some("a=b"));
    check("k=1\nk=2", Some("2"));
    check("k=1\r\nx=2", Some("1"));
    check("\u{feff}k=1", Some("1"));
    check("; k=1\n# k=2\n", None);
    check("[section]\nk=1", None);
    check("=1", None);
    check("[a]b]\nk=1", Some("1"));
}

#[test]
fn quotes_and_comments_are_those_of_ini() {
    check("k=a ; b", Some("a"));
    check("k=a#b", Some("a"));
    check(r"k=a\;b\#c\\d\e", Some(r"a;b#c\d\e"));
    check(r#"k="a ; b""#, Some("a ; b"));
    check(r#"k="a\nb""#, Some("a\nb"));
    check("k='a # b'", Some("a # b"));
    check("'k'=v", Some("v"));
    check(r#"k="a"#, Some("\"a"));
    check("k=\"", Some("\""));
    check("k='", Some(""));
}

#[test]
fn variables_are_replaced() {
    check("k=${TOKEN}", Some("secret"));
    check("k=a${TOKEN}b${TOKEN}", Some("asecretbsecret"));
    check("k=${NOPE}", Some("${NOPE}"));
    check("k=x${NOPE?}", Some("x"));
    check("k=${TOKEN?}", Some("secret"));
    check("k=${NOPE-d}${TOKEN-d}${EMPTY-d}", Some("dsecret"));
    check("k=${NOPE:-d}${EMPTY:-d}", Some("dd"));
    check(r#"k='\${TOKEN}'"#, Some("${TOKEN}"));
    check(r#"k='\\${TOKEN}'"#, Some(r"\secret"));
    check("k=${}${ ${TOKEN}", Some("${}${ secret"));
    check("k=${?}", Some("${?}"));
    check("k=$TOKEN", Some("$TOKEN"));
    check("${EMPTY}k=1", Some("1"));
}

#[test]
fn lists_are_written_with_brackets() {
    let all = |text: &str| Layer::parse(text, &variables()).all("omit").unwrap_or_default().join(" ");
    assert_eq!(all("omit[]=dev\nomit[]=peer"), "dev peer");
    assert_eq!(all("omit=dev\nomit[]=peer"), "dev peer");
    assert_eq!(all("omit[]=dev\nomit=peer"), "dev peer");
    assert_eq!(all("omit=dev"), "dev");
    assert_eq!(all("x=1"), "");
    assert_eq!(all("${EMPTY}omit[]=dev"), "dev");
}

#[test]
fn a_boolean_is_true_unless_it_says_otherwise() {
    let check = |text: &str, expected: Option<bool>| {
        let layer = Layer::parse(text, &variables());
        assert_eq!(layer.truth("ignore-scripts"), expected, "{text}");
    };
    for value in ["true", "TRUE", "1", "2", "yes", "on", "no", "off", "False", "", "\"true\""] {
        check(&format!("ignore-scripts={value}"), Some(true));
    }
    check("ignore-scripts", Some(true));
    for value in ["false", "0", "00", "0.0", "-0", "\"false\""] {
        check(&format!("ignore-scripts={value}"), Some(false));
    }
    check("ignore-scripts=null", None);
    check("ignore-scripts=undefined", None);
    check("", None);
}

#[test]
fn the_environment_is_a_layer() {
    let pairs = [
        ("npm_config_save_exact", "true"),
        ("NPM_CONFIG_Registry", "http://registry.test/"),
        ("npm_config_//registry.test/:_authToken", "t"),
        ("npm_config_omit", "dev\n\npeer"),
        ("npm_config_maxsockets", ""),
        ("npm_config__authToken", "x"),
        ("ünpm_config_x", "1"),
    ];
    let variables = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let layer = Layer::of_environment(&variables);
    assert_eq!(layer.truth("save-exact"), Some(true));
    assert_eq!(layer.one("registry"), Some("http://registry.test/"));
    assert_eq!(layer.all("omit"), Some(vec!["dev".to_owned(), "peer".to_owned()]));
    assert_eq!((layer.number("maxsockets"), layer.one("x")), (None, None));
    assert_eq!(layer.bare_secrets().collect::<Vec<_>>(), ["_authtoken"]);
    assert_eq!(credentials(&[&layer]), [("//registry.test/".to_owned(), Credential::Bearer("t".into()))]);
}

#[test]
fn credentials_belong_to_a_prefix() {
    let check = |text: &str, prefix: &str, credential: Credential| {
        let layer = Layer::parse(text, &variables());
        assert_eq!(credentials(&[&layer]), [(prefix.to_owned(), credential)], "{text}");
    };
    let bearer = Credential::Bearer("t".to_owned());
    let basic = Credential::of_password("u", "p");
    check("//registry.test/:_authToken=t", "//registry.test/", bearer.clone());
    check("//registry.test:81/a/b:_authToken=t", "//registry.test:81/a/b/", bearer.clone());
    check("//Registry.test/A/:_authToken=t", "//registry.test/A/", bearer.clone());
    check("//registry.test/:_auth=dTpw", "//registry.test/", basic.clone());
    check("//registry.test/:username=u\n//registry.test/:_password=cA==", "//registry.test/", basic.clone());
    check("//registry.test/:username=u\n//registry.test/:_password=cA", "//registry.test/", basic);
    check("//registry.test/:_auth=dTpw\n//registry.test/:_authToken=t", "//registry.test/", bearer);
    for nothing in
        ["_authToken=t", "//registry.test/:username=u", "//registry.test/:_authToken=", "//x/:email=e"]
    {
        assert_eq!(credentials(&[&Layer::parse(nothing, &variables())]), [], "{nothing}");
    }
}

#[test]
fn the_first_layer_counts_most() {
    let layers = ["//r/:_authToken=a", "//r/:_authToken=b\n//s/:_authToken=c"]
        .map(|text| Layer::parse(text, &variables()));
    let found = credentials(&[&layers[0], &layers[1]]);
    let expected = [("//r/", "a"), ("//s/", "c")]
        .map(|(prefix, token)| (prefix.to_owned(), Credential::Bearer(token.to_owned())));
    assert_eq!(found, expected);
}

#[test]
fn values_are_not_shown() {
    assert_eq!(format!("{:?}", Layer::parse("a=secret", &variables())), r#"["a"]"#);
}

#[test]
fn scopes_have_registries() {
    let layer = Layer::parse("@s:registry=http://registry.test/\n@t:other=x", &variables());
    assert_eq!(layer.scopes().collect::<Vec<_>>(), [("@s", "http://registry.test/")]);
}

#[test]
fn any_text_is_read() {
    let pieces = [
        "k", "=", "\"", "'", "\\", ";", "#", "${", "TOKEN", "?", "-", ":", "}", "[]", "[", "]", "\n", " ",
        "é", "//r/:", "_auth",
    ];
    let mut state = 1_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text += pieces[usize::try_from(state >> 33).unwrap_or(0) % pieces.len()];
        }
        let layer = Layer::parse(&text, &variables());
        let _ = (layer.one("k"), layer.all("k"), layer.scopes().count(), credentials(&[&layer]));
    }
}

#[test]
fn the_variables_in_a_value_are_known() {
    let text =
        "//r.test/:_authToken=${TOKEN}\nk='\\${TOKEN}'\nl=${NOPE-${EMPTY}\nm=a${TOKEN?}b\n//${TOKEN}/:x=1";
    let layer = Layer::parse(text, &variables());
    let found: Vec<(&str, &[String])> = layer.variables().collect();
    let token = &["TOKEN".to_owned()][..];
    assert_eq!(found, [("//r.test/:_authToken", token), ("//secret/:x", token), ("m", token)]);
}

#[test]
fn credentials_are_secrets() {
    let own = ["_auth", "key", "otp", "token", "_password"];
    for key in own.into_iter().chain(["//registry.test/:_authToken", "//registry.test/:_password"]) {
        assert!(is_secret(key), "{key}");
    }
    for key in ["registry", "@scope:registry", "//registry.test/:username", "auth-type"] {
        assert!(!is_secret(key), "{key}");
    }
}
