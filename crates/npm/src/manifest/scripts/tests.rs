//! Scripts as they stand in package.json, honest or not.

use super::*;

#[track_caller]
fn check(text: &str, name: &str, expected: Result<Option<&str>, &str>) {
    let found = Scripts::parse(text).and_then(|scripts| Ok(scripts.find(name)?.map(str::to_owned)));
    let found = found.map_err(|problem| problem.to_string());
    assert_eq!(found, expected.map(|found| found.map(str::to_owned)).map_err(str::to_owned), "{text}");
}

#[test]
fn a_script_is_found_by_its_name() {
    check(r#"{ "scripts": { "a": "x", "b": "y" }, }"#, "b", Ok(Some("y")));
    check(r#"{ "scripts": { "a": "x", "a": "y" } }"#, "a", Ok(Some("y")));
    check(r#"{ "scripts": { "a": "x" } }"#, "b", Ok(None));
    check(r#"{ "scripts": { "a": "" } }"#, "a", Ok(None));
    check("{}", "a", Ok(None));
    check(r#"{ "dependencies": 7, "scripts": { "a": "x" } }"#, "a", Ok(Some("x")));
}

#[test]
fn what_cannot_run_is_refused_when_it_is_asked_for() {
    let text = "{ \"scripts\": {\n\"a\": 3, \"b\": \"x\",\n\"c\": \"x\\u0000y\" } }";
    check(text, "b", Ok(Some("x")));
    check(
        text,
        "a",
        Err("error[manifest-kind]: script `a` is a number, expected a string\n  line 2 of package.json"),
    );
    check(
        text,
        "c",
        Err(
            "error[manifest-kind]: script `c` holds a NUL, which no command line can\n  line 3 of package.json",
        ),
    );
    assert_eq!(Scripts::parse(text).expect("an object").refusals().count(), 2);
}

#[test]
fn scripts_that_are_no_object_are_refused() {
    check(
        r#"{ "scripts": ["a"] }"#,
        "a",
        Err(
            "error[manifest-kind]: `scripts` is an array, expected an object of names and commands\n  line 1 of package.json",
        ),
    );
}

#[test]
fn the_configuration_is_flat() {
    let text = r#"{ "config": { "port": 8080, "deep": { "er": { "on": true } }, "text": "a", "list": [1], "no": null } }"#;
    let found = Scripts::parse(text).expect("an object").config;
    let expected = [("port", "8080"), ("deep_er_on", "true"), ("text", "a")];
    assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[test]
fn a_configuration_has_bounds() {
    let check = |config: &str, expected: usize| {
        let text = format!(r#"{{ "config": {{ {config} }} }}"#);
        assert_eq!(Scripts::parse(&text).expect("an object").config.len(), expected);
    };
    let many: Vec<String> = (0..2000).map(|number| format!(r#""k{number}": 1"#)).collect();
    check(&many.join(", "), CONFIG_MAX);
    let long = "k".repeat(200);
    check(&format!(r#""{long}": {{ "{long}": 1, "short": 2 }}, "next": 3"#), 2);
}

#[test]
fn the_package_is_known_by_name_and_version() {
    let scripts = Scripts::parse(r#"{ "name": "@s/a", "version": "1.0.0" }"#).expect("an object");
    assert_eq!(
        (scripts.package_name.as_deref(), scripts.package_version.as_deref()),
        (Some("@s/a"), Some("1.0.0"))
    );
    let scripts = Scripts::parse(r#"{ "name": "", "version": 3 }"#).expect("an object");
    assert_eq!((scripts.package_name, scripts.package_version), (None, None));
}
