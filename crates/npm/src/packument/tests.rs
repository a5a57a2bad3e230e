//! The packument: what goes in as JSON comes out by version; damage comes out as absence.

use super::*;

const SOURCE: Source<'_> =
    Source { name: "@scope/left", etag: "\"abc\"", fetched_s: 1_000, fresh_until_s: 1_300 };

fn open(json: &str) -> Packument {
    let bytes = encode(json, &SOURCE).expect(json);
    Packument::open(Box::new(bytes)).expect("own bytes are in order")
}

/// A packument with one version made of `fields`, and that version's release handed to `check`.
fn check(fields: &str, check: impl FnOnce(&Release<'_>)) {
    let packument = open(&format!(r#"{{"versions":{{"1.0.0":{{{fields}}}}}}}"#));
    check(&packument.release(VersionId(0)).expect(fields));
}

fn check_order(json: &str, expected: &[&str]) {
    let packument = open(json);
    assert_eq!(packument.versions().map(|(text, _)| text).collect::<Vec<_>>(), expected);
}

const LEFT: &str = r#"{
  "name": "@scope/left", "modified": "2024-02-29T12:30:00.123Z",
  "dist-tags": {"latest": "1.10.0", "next": "2.0.0-rc.1"},
  "versions": {
    "1.10.0": {"name": "@scope/left", "dependencies": {"b": "^1", "a": "~2", "c": "*"},
      "optionalDependencies": {"c": "3", "d": "npm:e@4"}, "devDependencies": {"x": "1"},
      "dist": {"tarball": "https://registry.test/left-1.10.0.tgz", "shasum": "00ff", "integrity": "sha512-AA==",
        "unpackedSize": 4096, "signatures": [{"sig": "}]"}]},
      "hasInstallScript": true, "deprecated": "use \"right\" \u2192"},
    "2.0.0-rc.1": {}, "1.2.0": {}
  },
  "time": {"created": "2020-01-01T00:00:00.000Z", "1.2.0": "1970-01-02T00:00:01.000Z"}
}"#;

#[test]
fn the_front_says_what_is_known_without_a_record() {
    let left = open(LEFT);
    assert_eq!((left.name(), left.etag()), ("@scope/left", Some("\"abc\"")));
    assert_eq!(left.modified(), Some("2024-02-29T12:30:00.123Z"));
    assert_eq!((left.fetched_s(), left.fresh_until_s()), (1_000, 1_300));
    assert_eq!(left.dist_tag("latest"), Some("1.10.0"));
    assert_eq!(left.dist_tag("beta"), None);
    assert_eq!(left.find("1.10.0"), Some(VersionId(1)));
    assert_eq!(left.find("1.10"), None);
    assert_eq!(left.published_s(VersionId(0)), Some(86_401));
    assert_eq!(left.published_s(VersionId(1)), None);
    assert!(left.release(VersionId(3)).is_none());
}

#[test]
fn versions_ascend_as_semver_does() {
    check_order(LEFT, &["1.2.0", "1.10.0", "2.0.0-rc.1"]);
    let prereleases =
        r#"{"versions":{"1.0.0":{},"1.0.0-rc.10":{},"1.0.0-rc.9":{},"1.0.0-rc":{},"1.0.0-1":{}}}"#;
    check_order(prereleases, &["1.0.0-1", "1.0.0-rc", "1.0.0-rc.9", "1.0.0-rc.10", "1.0.0"]);
    check_order(r#"{"versions":{"one":{},"1.0":{},"1.0.0":7,"2.0.0":{}}}"#, &["2.0.0"]);
    check_order(r#"{"name":"gone","time":{"unpublished":{"name":"x"}}}"#, &[]);
}

#[test]
fn a_release_keeps_the_order_of_its_lists() {
    let left = open(LEFT);
    let release = left.release(VersionId(1)).expect("it is there");
    assert_eq!(release.version, "1.10.0");
    assert_eq!(release.dependencies, [("b", "^1"), ("a", "~2")]);
    assert_eq!(release.optional_dependencies, [("c", "3"), ("d", "npm:e@4")]);
    assert_eq!(release.tarball, Some("https://registry.test/left-1.10.0.tgz"));
    assert_eq!((release.integrity, release.shasum), (Some("sha512-AA=="), Some("00ff")));
    assert_eq!(release.unpacked_bytes, Some(4096));
    assert_eq!(release.deprecated, Some("use \"right\" →"));
    assert!(release.has_install_script);
    assert_eq!(left.release(VersionId(0)).expect("it is there").published_s, Some(86_401));
}

#[test]
fn of_a_repeated_version_the_last_counts() {
    let packument =
        open(r#"{"versions":{"1.0.0":{"deprecated":"a"},"2.0.0":{},"1.0.0":{"deprecated":"b"}}}"#);
    assert_eq!(packument.len(), 2);
    assert_eq!(packument.release(VersionId(0)).expect("it is there").deprecated, Some("b"));
}

#[test]
fn peers_and_their_meta() {
    let fields = r#""peerDependencies":{"react":"*","vue":"3"},
        "peerDependenciesMeta":{"vue":{"optional":true},"react":{"optional":false},"ghost":{"optional":true}}"#;
    check(fields, |release| {
        assert_eq!(release.peer_dependencies, [("react", "*"), ("vue", "3")]);
        assert_eq!(release.optional_peers, ["vue", "ghost"]);
    });
}

#[test]
fn a_repeated_name_keeps_its_first_place_and_its_last_value() {
    check(r#""dependencies":{"a":"1","b":"1","a":"2"}"#, |release| {
        assert_eq!(release.dependencies, [("a", "2"), ("b", "1")]);
    });
    let many: String = (0..60).map(|n| format!(r#""n{}":"{n}","#, n % 30)).collect();
    check(&format!(r#""dependencies":{{{many}"z":"1"}}"#), |release| {
        assert_eq!(release.dependencies.len(), 31);
        assert_eq!(release.dependencies[0], ("n0", "30"));
    });
}

#[test]
fn bundled_dependencies_in_every_form() {
    let bundled =
        |fields: &str, expected: Bundled<'_>| check(fields, |release| assert_eq!(release.bundled, expected));
    bundled(r#""bundleDependencies":["a","b"]"#, Bundled::Names(vec!["a", "b"]));
    bundled(r#""bundledDependencies":["a"]"#, Bundled::Names(vec!["a"]));
    bundled(r#""bundleDependencies":true"#, Bundled::Everything);
    bundled(r#""bundleDependencies":false"#, Bundled::Nothing);
    bundled(r#""bundleDependencies":[]"#, Bundled::Nothing);
}

#[test]
fn bin_in_every_form() {
    let bin = |fields: &str, expected: Bin<'_>| check(fields, |release| assert_eq!(release.bin, expected));
    bin(r#""bin":"cli.js""#, Bin::File("cli.js"));
    bin(r#""bin":{"z":"z.js","a":"a.js"}"#, Bin::Commands(vec![("z", "z.js"), ("a", "a.js")]));
    bin(r#""directories":{"bin":"./bin","lib":"x"}"#, Bin::Directory("./bin"));
    bin(r#""bin":{"a":"a.js"},"directories":{"bin":"./bin"}"#, Bin::Commands(vec![("a", "a.js")]));
    bin(r#""bin":["a.js"]"#, Bin::Nothing);
}

#[test]
fn platforms_and_engines() {
    check(r#""os":["linux","!win32"],"cpu":"x64","libc":["glibc"],"engines":{"node":">=18"}"#, |release| {
        assert_eq!(release.os, ["linux", "!win32"]);
        assert_eq!(release.cpu, ["x64"]);
        assert_eq!(release.libc, ["glibc"]);
        assert_eq!(release.engines, [("node", ">=18")]);
    });
}

#[test]
fn install_scripts_of_a_full_document_are_seen() {
    check(r#""scripts":{"test":"x","postinstall":"node x"}"#, |release| assert!(release.has_install_script));
    check(r#""scripts":{"test":"x","prepare":"x"}"#, |release| assert!(!release.has_install_script));
}

#[test]
fn deprecation_needs_a_reason_or_a_true() {
    let deprecated = |fields: &str, expected: Option<&str>| {
        check(fields, |release| assert_eq!(release.deprecated, expected, "{fields}"));
    };
    deprecated(r#""deprecated":"old""#, Some("old"));
    deprecated(r#""deprecated":"""#, None);
    deprecated(r#""deprecated":false"#, None);
    deprecated(r#""deprecated":true"#, Some("no reason given"));
}

#[test]
fn license_and_funding_in_every_form() {
    for (fields, license, funding) in [
        (r#""license":"MIT","funding":"https://a.test""#, Some("MIT"), Some(r#""https://a.test""#)),
        (
            r#""license":{"type":"ISC","url":"u"},"funding":{"url": "u"}"#,
            Some("ISC"),
            Some(r#"{"url": "u"}"#),
        ),
        (r#""license":["MIT"],"funding":[{"url":"u"}, "v"]"#, None, Some(r#"[{"url":"u"}, "v"]"#)),
        (r#""license":"","licenses":"MIT""#, None, None),
    ] {
        check(fields, |release| {
            assert_eq!((release.license, release.funding), (license, funding), "{fields}")
        });
    }
}

#[test]
fn funding_that_is_too_long_is_passed_over() {
    let fields = format!(r#""funding":"{}""#, "a".repeat(2048));
    check(&fields, |release| assert_eq!(release.funding, None));
}

#[test]
fn fields_of_a_wrong_kind_are_absent() {
    let fields = r#""dependencies":[1,{"a":[]}],"optionalDependencies":"x","peerDependencies":null,"os":{"a":1},
        "engines":["node >= 0.4"],"dist":3,"bin":4,"directories":[],"peerDependenciesMeta":{"a":true},"scripts":0"#;
    check(fields, |release| assert_eq!(*release, Release { version: "1.0.0", ..Release::default() }));
}

#[test]
fn text_that_is_not_a_packument_is_refused() {
    let refused = |json: &str| assert!(encode(json, &SOURCE).is_err(), "{json}");
    for json in
        ["", "[]", "null", "{", "{\"a\":}", "{} x", "{\"a\" 1}", "{\"versions\":{\"1.0.0\":{}", "<html>"]
    {
        refused(json);
    }
    for end in (1..LEFT.len()).filter(|&end| LEFT.is_char_boundary(end)) {
        refused(&LEFT[..end]);
    }
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(encode(&deep, &SOURCE).is_ok(), "what is passed over may nest without recursion");
}

#[test]
fn the_mark_differs_when_the_front_does() {
    let renamed = Source { name: "right", ..SOURCE };
    let mark = |source: &Source<'_>| {
        Packument::open(Box::new(encode(LEFT, source).expect("valid"))).expect("in order").mark()
    };
    assert_eq!(mark(&SOURCE), open(LEFT).mark());
    assert_ne!(mark(&SOURCE), mark(&renamed));
}

#[test]
fn damage_is_absence_and_never_a_panic() {
    let whole = encode(LEFT, &SOURCE).expect("valid");
    let first = open(LEFT);
    let original: Vec<_> = first.versions().map(|(_, id)| first.release(id)).collect();
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % below as u64) as usize
    };
    for round in 0..20_000 {
        let mut bytes = whole.clone();
        for _ in 0..=next(3) {
            let at = next(bytes.len());
            match round % 3 {
                0 => bytes[at] ^= 1 << next(8),
                1 => bytes[at..].iter_mut().take(next(64)).for_each(|byte| *byte = 0),
                _ => bytes.truncate(at + 1),
            }
        }
        let Some(packument) = Packument::open(Box::new(bytes)) else { continue };
        for ((_, id), original) in packument.versions().zip(&original) {
            let release = packument.release(id);
            assert!(release.is_none() || release == *original, "round {round}");
        }
    }
}

#[test]
fn a_forged_front_is_bounded_by_the_bytes() {
    let front = Front { versions: u32::MAX, tags: u32::MAX, text_len: u32::MAX, ..Front::default() };
    assert!(Packument::open(Box::new(front.write(&[], &[], &[], &[]))).is_none());
    let far = Span { at: u32::MAX, len: u32::MAX };
    let mut index = Vec::new();
    format::put_entry(
        &mut index,
        &format::FormatEntry {
            version: far,
            record: far,
            check: 1,
            trust: PublisherTrust::Unproven,
            published_s: 0,
        },
    );
    let front = Front { versions: 1, tags: 1, text_len: 2, name: far, ..Front::default() };
    let packument =
        Packument::open(Box::new(front.write(&index, &[0xff; 16], b"ab", &[]))).expect("lengths agree");
    assert_eq!((packument.name(), packument.etag()), ("", None));
    assert_eq!(packument.dist_tags().count(), 0);
    assert!(packument.release(VersionId(0)).is_none());
}

/// Strings are passed eight bytes at a time.
#[test]
fn a_string_ends_where_it_ends_whatever_its_length() {
    for length in 1..40 {
        let plain = "é¢x!".chars().cycle().take(length).collect::<String>();
        for (written, meant) in [("", ""), (r#"\""#, "\""), (r"\\", "\\"), (r"\u0022,", "\",")] {
            let written = format!("{plain}{written}{plain}");
            let meant = format!("{plain}{meant}{plain}");
            let fields = format!(
                r#""passed": ["{written}", {{"{written}": "{written}"}}], "deprecated": "{written}""#
            );
            check(&fields, |release| assert_eq!(release.deprecated, Some(meant.as_str()), "{fields}"));
        }
    }
    for unended in [r#"{"a": "12345678"#, r#"{"a": "1234567\"#, r#"{"a": "1234567\""#, "{\"a"] {
        assert!(encode(unended, &SOURCE).is_err(), "{unended}");
    }
}
