//! What an edit changes in package.json, and that it leaves the rest alone.

use super::*;

fn setting(group: Option<Group>, name: &str) -> Setting {
    Setting { group, name: name.to_owned(), literal: "^1".to_owned() }
}

fn adds(text: &str, group: Option<Group>, name: &str, expected: &str) {
    let edited = set_dependencies(text, &[setting(group, name)]).expect(text);
    assert_eq!(edited, expected, "{text}");
    assert_eq!(set_dependencies(&edited, &[setting(group, name)]).expect(text), expected, "a second time");
    crate::Manifest::parse(&edited).expect("still a manifest");
}

fn removes(text: &str, expected: &str) {
    assert_eq!(remove_dependencies(text, &["x".to_owned()]).expect(text), expected, "{text}");
}

#[test]
fn a_new_group_goes_to_the_end_in_the_files_own_style() {
    let check = |text: &str, expected: &str| adds(text, None, "x", expected);
    check("{}", "{\n  \"dependencies\": {\n    \"x\": \"^1\"\n  }\n}");
    check(
        "{\n    \"a\": 1\n}\n",
        "{\n    \"a\": 1,\n    \"dependencies\": {\n        \"x\": \"^1\"\n    }\n}\n",
    );
    check("{\n\t\"a\": 1\n}", "{\n\t\"a\": 1,\n\t\"dependencies\": {\n\t\t\"x\": \"^1\"\n\t}\n}");
    check("{\r\n \"a\": 1\r\n}", "{\r\n \"a\": 1,\r\n \"dependencies\": {\r\n  \"x\": \"^1\"\r\n }\r\n}");
    check(r#"{"a":1,"b":2}"#, r#"{"a":1,"b":2,"dependencies":{"x":"^1"}}"#);
    check(r#"{ "a": 1 }"#, r#"{ "a": 1, "dependencies": {"x": "^1"} }"#);
    check(
        "{\n  \"a\": 1, // why\n}\n",
        "{\n  \"a\": 1, // why\n  \"dependencies\": {\n    \"x\": \"^1\"\n  },\n}\n",
    );
    check(
        "{\n  \"a\": 1 // why\n}\n",
        "{\n  \"a\": 1, // why\n  \"dependencies\": {\n    \"x\": \"^1\"\n  }\n}\n",
    );
}

#[test]
fn a_name_goes_where_it_sorts() {
    let check = |text: &str, expected: &str| adds(text, None, "m", expected);
    check(
        "{\n\"dependencies\": {\n  \"a\": \"1\"\n}}",
        "{\n\"dependencies\": {\n  \"a\": \"1\",\n  \"m\": \"^1\"\n}}",
    );
    check(
        "{\n\"dependencies\": {\n  \"z\": \"1\"\n}}",
        "{\n\"dependencies\": {\n  \"m\": \"^1\",\n  \"z\": \"1\"\n}}",
    );
    check(
        r#"{"dependencies":{"a":"1","b":"1","z":"1"}}"#,
        r#"{"dependencies":{"a":"1","b":"1","m":"^1","z":"1"}}"#,
    );
    check(
        r#"{ "dependencies": { "a": "1", "z": "1" } }"#,
        r#"{ "dependencies": { "a": "1", "m": "^1", "z": "1" } }"#,
    );
    check(r#"{"dependencies":{"@s/x":"1","Z":"1"}}"#, r#"{"dependencies":{"@s/x":"1","Z":"1","m":"^1"}}"#);
    check("{\n  \"dependencies\": {}\n}", "{\n  \"dependencies\": {\n    \"m\": \"^1\"\n  }\n}");
}

#[test]
fn a_group_out_of_order_is_sorted_unless_comments_stand_in_it() {
    adds(
        "{\"dependencies\": {\n \"z\": \"1\",\n \"a\": \"2\"\n}}",
        None,
        "m",
        "{\"dependencies\": {\n \"a\": \"2\",\n \"m\": \"^1\",\n \"z\": \"1\"\n}}",
    );
    adds(
        r#"{"dependencies":{"b":"1","a":"2"}}"#,
        None,
        "m",
        r#"{"dependencies":{"a":"2","b":"1","m":"^1"}}"#,
    );
    adds(
        "{\"dependencies\": {\n \"z\": \"1\", // pinned\n \"a\": \"2\"\n}}",
        None,
        "m",
        "{\"dependencies\": {\n \"m\": \"^1\",\n \"z\": \"1\", // pinned\n \"a\": \"2\"\n}}",
    );
}

#[test]
fn a_literal_is_replaced_in_place() {
    adds(r#"{"dependencies":{"z":"1", "x" : "0"}}"#, None, "x", r#"{"dependencies":{"z":"1", "x" : "^1"}}"#);
    adds(r#"{"devDependencies":{"x":"0"}}"#, None, "x", r#"{"devDependencies":{"x":"^1"}}"#);
}

#[test]
fn a_name_moves_between_groups_as_bun_moves_it() {
    use Group::{Development, Optional, Peer, Production};
    let both = r#"{"peerDependencies":{"x":"0"},"devDependencies":{"x":"^1"}}"#;
    adds(r#"{"peerDependencies":{"x":"0"}}"#, Some(Development), "x", both);
    adds(r#"{"peerDependencies":{"x":"0"},"devDependencies":{"x":"0"}}"#, None, "x", both);
    adds(r#"{"peerDependencies":{"x":"0"}}"#, None, "x", r#"{"peerDependencies":{"x":"^1"}}"#);
    adds(r#"{"dependencies":{"x":"0"}}"#, Some(Peer), "x", r#"{"peerDependencies":{"x":"^1"}}"#);
    adds(r#"{"dependencies":{"x":"0"}}"#, Some(Optional), "x", r#"{"optionalDependencies":{"x":"^1"}}"#);
    adds(r#"{"optionalDependencies":{"x":"0"}}"#, Some(Production), "x", r#"{"dependencies":{"x":"^1"}}"#);
    adds(
        r#"{"dependencies":{"x":"0"},"devDependencies":{"x":"0"}}"#,
        None,
        "x",
        r#"{"dependencies":{"x":"^1"},"devDependencies":{"x":"^1"}}"#,
    );
}

#[test]
fn removing_takes_the_name_and_an_emptied_group() {
    removes(r#"{"dependencies":{"x":"1"}}"#, "{}");
    removes(r#"{"a":1,"dependencies":{"x":"1"}}"#, r#"{"a":1}"#);
    removes(r#"{"dependencies":{"x":"1"},"b":2}"#, r#"{"b":2}"#);
    removes(r#"{ "a": 1, "dependencies": { "x": "1" } }"#, r#"{ "a": 1 }"#);
    removes(r#"{"dependencies":{"a":"1", "x":"1", "z":"1"}}"#, r#"{"dependencies":{"a":"1", "z":"1"}}"#);
    removes(r#"{"dependencies":{"x":"1","x":"2","z":"1"}}"#, r#"{"dependencies":{"z":"1"}}"#);
    removes("{\n  \"a\": 1,\n  \"dependencies\": {\n    \"x\": \"1\"\n  }\n}\n", "{\n  \"a\": 1\n}\n");
    removes("{\n  \"dependencies\": {\n    \"x\": \"1\"\n  },\n  \"a\": 1\n}\n", "{\n  \"a\": 1\n}\n");
    removes(
        "{\"dependencies\": {\n \"a\": \"1\",\n \"x\": \"1\"\n}}",
        "{\"dependencies\": {\n \"a\": \"1\"\n}}",
    );
    removes(
        r#"{"dependencies":{"x":"1","y":"1"},"devDependencies":{"x":"1"},"optionalDependencies":{}}"#,
        r#"{"dependencies":{"y":"1"},"optionalDependencies":{}}"#,
    );
    removes(r#"{"dependencies":{"y":"1"}}"#, r#"{"dependencies":{"y":"1"}}"#);
}

#[test]
fn removing_keeps_the_comments_of_others() {
    removes(
        "{\"dependencies\": {\n  // head\n  \"a\": \"1\", // of a\n  \"x\": \"1\" // of x\n}}",
        "{\"dependencies\": {\n  // head\n  \"a\": \"1\" // of a\n}}",
    );
    removes(
        "{\"dependencies\": {\n  \"x\": \"1\", // of x\n  // of z\n  \"z\": \"1\",\n}}",
        "{\"dependencies\": {\n  // of z\n  \"z\": \"1\",\n}}",
    );
    removes(
        "{\"dependencies\": {\n  \"a\": \"1\",\n  \"x\": \"1\",\n}}",
        "{\"dependencies\": {\n  \"a\": \"1\",\n}}",
    );
    removes(
        "{\"dependencies\": {\"a\": \"1\", // of a\n\"x\": \"1\"}}",
        "{\"dependencies\": {\"a\": \"1\" // of a\n}}",
    );
}

#[test]
fn several_are_set_at_once() {
    let settings = [setting(Some(Group::Development), "b"), setting(Some(Group::Development), "a")];
    let edited = set_dependencies("{}", &settings).expect("an object");
    assert_eq!(crate::Manifest::parse(&edited).expect("a manifest").dev_dependencies[0].0, "a");
    assert_eq!(groups_of(&edited, "a").expect("an object"), [Group::Development]);
}

#[test]
fn what_is_no_object_is_not_edited() {
    for text in ["[]", "{", r#"{"dependencies":[]}"#] {
        assert!(set_dependencies(text, &[setting(None, "x")]).is_err(), "{text}");
    }
}

/// A small generator, so that a failure can be had again from its seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn blank(&mut self) -> &'static str {
        self.one_of(&["", " ", "\n", "\n  ", "\r\n\t", " // a, \"b\" }\n", "/* {, */", "\n    // x\n    "])
    }

    fn object(&mut self, keys: &[&str], mut value: impl FnMut(&mut Random) -> String) -> String {
        let mut text = "{".to_owned();
        let mut left: Vec<&str> = keys.to_vec();
        for at in 0..self.below(keys.len() + 1) {
            let key = left.swap_remove(self.below(left.len()));
            let comma = if at > 0 { "," } else { "" };
            let member = value(self);
            let parts = [self.blank(), comma, self.blank()].concat();
            text += &format!("{parts}\"{key}\"{}:{}{member}", self.blank(), self.blank());
        }
        let comma = if text.len() > 1 && self.below(3) == 0 { "," } else { "" };
        text + self.blank() + comma + self.blank() + "}"
    }
}

/// What a manifest names, as a sorted list.
fn named(text: &str) -> Vec<(Group, String, String)> {
    let manifest = crate::Manifest::parse(text).expect(text);
    let entry = |group, pairs: &crate::manifest::Pairs| {
        pairs.iter().map(move |(name, literal)| (group, name.clone(), literal.clone())).collect::<Vec<_>>()
    };
    let mut named: Vec<_> =
        manifest.groups().into_iter().flat_map(|(group, pairs)| entry(group, pairs)).collect();
    named.sort();
    named
}

#[test]
fn any_layout_is_edited_and_nothing_else_changes() {
    for seed in 0..3000 {
        let mut random = Random(seed);
        let groups = ["dependencies", "devDependencies", "zeta"];
        let text =
            random.object(&groups, |random| random.object(&["a", "m", "x", "z"], |_| "\"0\"".to_owned()));
        let before = named(&text);

        let removed = remove_dependencies(&text, &["x".to_owned()]).expect(&text);
        let expected: Vec<_> = before.iter().filter(|(_, name, _)| name != "x").cloned().collect();
        assert_eq!(named(&removed), expected, "seed {seed}: {text}\n-> {removed}");

        let added = set_dependencies(&text, &[setting(Some(Group::Development), "x")]).expect(&text);
        let mut expected = expected;
        expected.push((Group::Development, "x".to_owned(), "^1".to_owned()));
        expected.sort();
        assert_eq!(named(&added), expected, "seed {seed}: {text}\n-> {added}");
        assert_eq!(text.matches("zeta").count(), added.matches("zeta").count(), "seed {seed}");
    }
}

#[test]
fn a_catalog_entry_goes_where_catalogs_are() {
    let check = |text: &str, catalog: &str, expected: &str| {
        let edited = set_catalog_entry(text, catalog, "m", "^1").expect(text);
        assert_eq!(edited, expected, "{text}");
        assert_eq!(set_catalog_entry(&edited, catalog, "m", "^1").expect(text), expected, "a second time");
    };
    check("{\n  \"a\": 1\n}", "", "{\n  \"a\": 1,\n  \"catalog\": {\n    \"m\": \"^1\"\n  }\n}");
    check(
        "{\n  \"a\": 1\n}",
        "next",
        "{\n  \"a\": 1,\n  \"catalogs\": {\n    \"next\": {\n      \"m\": \"^1\"\n    }\n  }\n}",
    );
    check(
        "{\n  \"workspaces\": {\n    \"packages\": []\n  }\n}",
        "",
        "{\n  \"workspaces\": {\n    \"packages\": [],\n    \"catalog\": {\n      \"m\": \"^1\"\n    }\n  }\n}",
    );
    check(
        r#"{ "workspaces": { "packages": [], "catalogs": { "x": { "z": "2" } } } }"#,
        "x",
        r#"{ "workspaces": { "packages": [], "catalogs": { "x": { "m": "^1", "z": "2" } } } }"#,
    );
    check(
        r#"{ "catalog": { "m": "^0" }, "workspaces": { "packages": [] } }"#,
        "",
        r#"{ "catalog": { "m": "^1" }, "workspaces": { "packages": [] } }"#,
    );
    check(
        r#"{ "catalog": { "a": "1" }, "workspaces": {} }"#,
        "n",
        r#"{ "catalog": { "a": "1" }, "workspaces": {}, "catalogs": {"n": {"m": "^1"}} }"#,
    );
    assert!(set_catalog_entry(r#"{ "catalog": [] }"#, "", "m", "^1").is_err());
}
