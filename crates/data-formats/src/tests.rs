//! Strings and the JSON that they are.

use super::{Fault, jsonc, toml, yaml};

fn check(found: Result<String, Fault>, wanted: &str) {
    assert_eq!(found.as_deref(), Ok(wanted));
}

fn check_fault(found: Result<String, Fault>, line: u32, column: u32) {
    let fault = found.expect_err("it is refused");
    assert_eq!((fault.line, fault.column), (line, column), "{}", fault.message);
}

fn check_yaml(text: &str, value: &str) {
    check(yaml(text), &format!("{{\"value\":{value}}}"));
}

#[test]
fn comments_and_last_commas_become_blanks() {
    check(jsonc("{\"a//\": 1, // \u{e4}\n}"), "{\"a//\": 1      \n}");
    check(jsonc("[1, /* x\n */ ]"), "[1      \n    ]");
    check(jsonc("\u{feff}[\"\\\"\", 1]"), "[\"\\\"\", 1]");
    check_fault(jsonc("[\n  /* 1]"), 2, 3);
}

#[test]
fn toml_keeps_its_order() {
    check(
        toml("z=1\na.c=[0xff,1.5]\na.b=true\n[d]\ne=2024-01-02"),
        "{\"value\":{\"z\":1,\"a\":{\"c\":[255,1.5],\"b\":true},\"d\":{\"e\":\"2024-01-02\"}}}",
    );
    check(
        toml("a=nan\nb=-inf"),
        "{\"nodes\":[null,null,{\"a\":0,\"b\":1},2],\"numbers\":{\"0\":\"NaN\",\"1\":\"-Infinity\"}}",
    );
    check_fault(toml("a=1\nb=9223372036854775807"), 2, 3);
    check_fault(toml("a=1\na=2"), 2, 1);
    assert!(toml(&format!("a={}", "[".repeat(100_000))).is_err());
    assert!(toml(&format!("[{}a]", "a.".repeat(100_000))).is_err());
}

#[test]
fn yaml_scalars_are_those_of_the_core_schema() {
    check_yaml(
        "[~, null, True, false, 012, 0x10, 0o17, -1.5e3, +1, 1.]",
        "[null,null,true,false,12,16,15,-1500,1,1]",
    );
    check_yaml(
        "[yes, 1_000, 0b1, '1', 2001-12-14, !!str 1, !x 2, !!int 3, 1.2.3]",
        r#"["yes","1_000","0b1","1","2001-12-14","1","2",3,"1.2.3"]"#,
    );
    check_yaml("- |\n  a\n  b\n- >-\n  c\n  d", r#"["a\nb\n","c d"]"#);
    check_yaml("", "null");
    check_yaml("a: 1\n---\nb: 2", r#"[{"a":1},{"b":2}]"#);
}

#[test]
fn yaml_keys_are_what_javascript_makes_of_them() {
    check_yaml(
        "{~: 1, 0x10: 2, true: 3, [a, [1, ~]]: 4, {x: y}: 5}",
        r#"{"null":1,"16":2,"true":3,"a,1,":4,"[object Object]":5}"#,
    );
    check_yaml("a: 1\nb: 2\na: 3", r#"{"a":3,"b":2}"#);
}

#[test]
fn yaml_merges_and_shares() {
    check_yaml("<<: [{a: 1, b: 2}, {b: 3, c: 4}]\na: 5", r#"{"b":2,"c":4,"a":5}"#);
    check_yaml("a: 1\n<<: {m: 1, a: 5}\nb: 2", r#"{"a":1,"m":1,"b":2}"#);
    check_yaml("x: 1\n<<: [{a: 1}]\n<<: {d: 1, a: 2}\nz: 1\nx: 3", r#"{"x":3,"a":1,"d":1,"z":1}"#);
    check_yaml("<<: 1", r#"{"<<":1}"#);
    check(yaml("[&a {b: 1}, *a]"), r#"{"nodes":[[1,1],{"b":3},"b",1,0],"numbers":{}}"#);
    check(yaml("&a [*a]"), r#"{"nodes":[[0],0],"numbers":{}}"#);
}

#[test]
fn yaml_stays_bounded() {
    check_fault(yaml("a: 1\nb: *x"), 2, 4);
    check_fault(yaml("a: [1"), 2, 1);
    assert!(yaml(&"[".repeat(100_000)).is_err());
    assert!(yaml(&"- ".repeat(100_000)).is_err());
    let members: String = (0..3000).map(|key| format!("k{key}: 1, ")).collect();
    let merges = "- {<<: *a}\n".repeat(1000);
    check_fault(yaml(&format!("- &a {{{members}}}\n{merges}")), 335, 10);
    let empties = "{}, ".repeat(1500);
    assert!(yaml(&format!("- &a [{empties}]\n-\n{}", "  <<: *a\n".repeat(1500))).is_err());
    let lists = (1..60).map(|level| format!("- &a{level} [*a{0}, *a{0}]\n", level - 1)).collect::<String>();
    assert!(yaml("- &a [*a]\n- {? *a : 1}").is_err());
    assert!(yaml(&format!("- &a0 [x, x]\n{lists}- {{? *a59 : 1}}\n")).is_err());
}
