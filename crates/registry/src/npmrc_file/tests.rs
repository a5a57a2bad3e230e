//! Tests of changes in `.npmrc`.

use rusk_testkit::project::Project;

use super::{set, set_token, with_key};

#[test]
fn only_the_line_of_the_key_changes() {
    let text = "# mine\na = 1\n//host/:_authToken=old\nb=2\n//host/:_authToken=older\n";
    let set = with_key(text, "//host/:_authToken", Some("new"));
    assert_eq!(set, "# mine\na = 1\n//host/:_authToken=new\nb=2\n");
    assert_eq!(with_key(&set, "//host/:_authToken", None), "# mine\na = 1\nb=2\n");
    assert_eq!(with_key("", "a", Some("1")), "a=1\n");
    assert_eq!(with_key("a=1", "b", Some("2")), "a=1\nb=2\n");
    assert_eq!(with_key("a=1", "b", None), "a=1\n");
}

/// A registry chooses the token of a login.
#[test]
fn a_token_sets_nothing_else() {
    let project = Project::new();
    let file = project.path().join("saved");
    for token in [
        "t\nregistry=http://evil.test/",
        "t\rstrict-ssl=false",
        "${AWS_SECRET_ACCESS_KEY}",
        "$NAME",
        "t;x",
        "t#x",
        "\"t\"",
        "t x",
        "t\u{1b}[31m",
        "\u{2028}t",
        "",
        &"t".repeat(1 << 20),
    ] {
        let problem = set_token(&file, "//registry.test/", token).expect_err(token);
        assert_eq!(problem.code(), "bad-token");
        assert!(!file.exists(), "{token}");
    }
    for token in ["npm_aB3", "a.b-c_d~e+f/g==", "00000000-0000-0000-0000-000000000000", "NpmToken:x"] {
        set_token(&file, "//registry.test/", token).expect("it is saved");
        let text = std::fs::read_to_string(&file).expect("a file");
        assert_eq!(text, format!("//registry.test/:_authToken={token}\n"));
    }
}

#[test]
fn a_line_is_read_as_its_key() {
    let project = Project::new();
    let file = project.path().join("saved");
    for (key, value) in [
        ("@a:registry", "http://a.test/\nproxy=http://b.test/"),
        ("@a\nproxy=http://b.test/\n:registry", "http://a.test/"),
        ("//a.test/=b/:_authToken", "t"),
        ("//a.test/;b/:_authToken", "t"),
        ("[a", "]"),
        ("#a", "t"),
    ] {
        assert_eq!(set(&file, key, Some(value)).expect_err(key).code(), "bad-npmrc-line");
        assert!(!file.exists(), "{key}");
    }
    set(&file, "omit[]", Some("dev")).expect("a list");
    set(&file, "cafile", Some("${HOME}/ca.pem")).expect("a variable of the user's");
}
