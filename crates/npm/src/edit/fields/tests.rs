//! Paths of fields, and what becomes of the text around them.

use super::*;

const TEXT: &str = r#"{
  "name": "app",
  "files": [
    "lib",
    "bin"
  ],
  "keywords": ["a", "b"],
  "scripts": {
    "build": "tsc",
    "test.unit": "run"
  },
  "people": [{ "name": "ann" }]
}
"#;

fn check_get(path: &str, expected: &str) {
    assert_eq!(get(TEXT, &[path.to_owned()]).unwrap(), expected, "{path}");
}

#[test]
fn values_are_found_by_their_paths() {
    check_get("name", "\"app\"");
    check_get("scripts.build", "\"tsc\"");
    check_get("scripts.test.unit", "\"run\"");
    check_get("scripts[test.unit]", "\"run\"");
    check_get("scripts[\"test.unit\"]", "\"run\"");
    check_get("people[0].name", "\"ann\"");
    check_get("files[1]", "\"bin\"");
    check_get("files[2]", "{}");
    check_get("nothing.here", "{}");
    check_get("people", "[\n  {\n    \"name\": \"ann\"\n  }\n]");
    let several = get(TEXT, &["name".to_owned(), "none".to_owned(), "files[0]".to_owned()]).unwrap();
    assert_eq!(several, "{\n  \"name\": \"app\",\n  \"files[0]\": \"lib\"\n}");
    assert!(get(TEXT, &[]).unwrap().starts_with("{\n  \"name\": \"app\","));
}

#[test]
fn a_path_without_a_key_is_refused() {
    for path in ["", ".", "[", "a[", ".a", "a..b"] {
        assert!(get(TEXT, &[path.to_owned()]).is_err(), "{path}");
        assert!(set(TEXT, path, "1").is_err(), "{path}");
        assert!(delete(TEXT, path).is_err(), "{path}");
    }
}

fn check_set(path: &str, value: &str, from: &str, to: &str) {
    assert_eq!(set(TEXT, path, value).unwrap(), TEXT.replacen(from, to, 1), "{path}");
}

#[test]
fn only_the_field_changes() {
    check_set("name", "\"b\"", "\"app\"", "\"b\"");
    check_set("scripts.build", "\"vite\"", "\"tsc\"", "\"vite\"");
    check_set("scripts.lint", "\"x\"", "\"run\"\n", "\"run\",\n    \"lint\": \"x\"\n");
    check_set("people[0].name", "\"bob\"", "ann", "bob");
    check_set("people[1].name", "\"bob\"", "}]", "}, {\"name\": \"bob\"}]");
    check_set("files[]", "\"doc\"", "\"bin\"\n", "\"bin\",\n    \"doc\"\n");
    check_set("keywords[2]", "\"c\"", "\"b\"]", "\"b\", \"c\"]");
    check_set("os[]", "\"linux\"", "}]\n", "}],\n  \"os\": [\"linux\"]\n");
    check_set(
        "exports[./a].import",
        "\"./a.js\"",
        "}]\n",
        "}],\n  \"exports\": {\n    \"./a\": {\n      \"import\": \"./a.js\"\n    }\n  }\n",
    );
    assert_eq!(set("{}", "a", "1").unwrap(), "{\n  \"a\": 1\n}");
    assert_eq!(set(r#"{"a":[]}"#, "a[]", "1").unwrap(), r#"{"a":[1]}"#);
}

#[test]
fn a_value_is_not_made_an_object() {
    for path in ["name.first", "files.x", "files[5]", "keywords[x]"] {
        assert!(set(TEXT, path, "1").is_err(), "{path}");
    }
}

fn check_delete(path: &str, from: &str, to: &str) {
    assert_eq!(delete(TEXT, path).unwrap(), TEXT.replacen(from, to, 1), "{path}");
}

#[test]
fn fields_are_removed() {
    check_delete("name", "  \"name\": \"app\",\n", "");
    check_delete("scripts.test.unit", ",\n    \"test.unit\": \"run\"", "");
    check_delete("people", ",\n  \"people\": [{ \"name\": \"ann\" }]", "");
    check_delete("people[0].name", "{ \"name\": \"ann\" }", "{}");
    check_delete("files[0]", "\"lib\",\n    ", "");
    check_delete("files[1]", ",\n    \"bin\"", "");
    check_delete("keywords[7]", "", "");
    check_delete("nothing.here", "", "");
    assert_eq!(delete(r#"{"a":1,"a":2,"b":3}"#, "a").unwrap(), r#"{"b":3}"#);
}

#[test]
fn values_are_strings_or_json() {
    assert_eq!(value_of("a \"b\"", false).unwrap(), r#""a \"b\"""#);
    assert_eq!(value_of(" true ", true).unwrap(), "true");
    assert!(value_of("nothing", true).is_err());
}
