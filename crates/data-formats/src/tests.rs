//! Strings and the JSON that they are.

use super::{Fault, json5, jsonc, markdown, toml, xml, xml_text, yaml};

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

fn check_json5(text: &str, value: &str) {
    check(json5(text), &format!("{{\"value\":{value}}}"));
}

#[test]
fn json5_has_the_literals_of_javascript() {
    check_json5(
        "{a: 'x', \"b\": [1, 2,], c: 0xFF, d: .5, e: 5., f: +1e3,}",
        r#"{"a":"x","b":[1,2],"c":255,"d":0.5,"e":5,"f":1000}"#,
    );
    check_json5(
        "/* a */ ['\\x41\\u00e9\\ud83d\\ude00\\\n', '\\v\\0\\q'] // b",
        "[\"A\u{e9}\u{1f600}\",\"\\u000b\\u0000q\"]",
    );
    check_json5("{$_\\u0061: 1, a: 2, $_a: 3, \u{fc}b: {}}", "{\"$_a\":3,\"a\":2,\"\u{fc}b\":{}}");
    check_json5("'\\ud800'", "\"\u{fffd}\"");
    check_json5("-0", "-0");
    check(json5("[-Infinity]"), r#"{"nodes":[null,[0],1],"numbers":{"0":"-Infinity"}}"#);
}

#[test]
fn json5_refuses_the_rest() {
    check_fault(json5(""), 1, 1);
    check_fault(json5("{a: 1,\n b: }"), 2, 5);
    check_fault(json5("[1 2]"), 1, 4);
    check_fault(json5("01"), 1, 1);
    check_fault(json5("{a: 1} x"), 1, 8);
    for text in [
        "{1a: 2}",
        "{,}",
        "[,]",
        "'a\nb'",
        "'a",
        "/* a",
        "undefined",
        "1.2.3",
        "0x",
        "'\\x4'",
        "'\\1'",
        "{a}",
        "--1",
        "1e",
    ] {
        assert!(json5(text).is_err(), "{text}");
    }
    assert!(json5(&"[".repeat(100_000)).is_err());
}

fn check_xml(text: &str, value: &str) {
    check(xml(text), &format!("{{\"value\":{value}}}"));
}

#[test]
fn xml_elements_are_strings_or_tables() {
    check_xml("<a/>", r#"{"a":""}"#);
    check_xml("<a> x </a>", r#"{"a":" x "}"#);
    check_xml("<a b='1'> </a>", r##"{"a":{"@b":"1","#text":" "}}"##);
    check_xml(
        "<a>\n <b>1</b>\n <c/> <b x=\"2\">3</b>\n</a>",
        r##"{"a":{"b":["1",{"@x":"2","#text":"3"}],"c":""}}"##,
    );
    check_xml("<p>Hello <b>world</b>!</p>", r##"{"p":{"#text":"Hello !","b":"world"}}"##);
    check_xml(
        "<s:a xmlns:s='u'>&lt;&#65;&#x42;<![CDATA[&<]]></s:a>",
        r##"{"s:a":{"@xmlns:s":"u","#text":"<AB&<"}}"##,
    );
    check_xml("<!--x--><?p?><a><?p q?>1<!--y-->2</a><!--z-->", r#"{"a":"12"}"#);
}

#[test]
fn xml_reads_the_declarations_in_the_document() {
    let declared = "<!DOCTYPE a [<!ENTITY x 'y&#38;z;'><!ENTITY z \"!\"><!ATTLIST a b NMTOKEN ' c ' d CDATA #IMPLIED e (f|g) 'f'>]>";
    check_xml(&format!("{declared}<a>&x;</a>"), r##"{"a":{"@b":"c","@e":"f","#text":"y!"}}"##);
    check_xml(&format!("{declared}<a b=' 1  2 ' d='\t&z;'/>"), r##"{"a":{"@b":"1 2","@d":" !","@e":"f"}}"##);
    check_xml("<!DOCTYPE a SYSTEM 'a.dtd'><a>&x;</a>", r#"{"a":"&x;"}"#);
    check_fault(xml("<a>\n &x;</a>"), 2, 2);
    let levels: String =
        (1..40).map(|level| format!("<!ENTITY e{level} '&e{0};&e{0};'>", level - 1)).collect();
    assert!(xml(&format!("<!DOCTYPE a [<!ENTITY e0 'xxxxxxxx'>{levels}]><a>&e20;</a>")).is_err());
    assert!(xml("<!DOCTYPE a [<!ENTITY e '&e;'>]><a>&e;</a>").is_err());
}

#[test]
fn xml_is_well_formed() {
    check_fault(xml("<a>\n<b></a>"), 2, 4);
    for text in [
        "",
        "x",
        "<a>",
        "<a></b>",
        "<a/><b/>",
        "<a b=1/>",
        "<a b='1' b='2'/>",
        "<a b='<'/>",
        "<a b='1'c='2'/>",
        "<a>]]></a>",
        "<a>&</a>",
        "<a>& b;</a>",
        "<a>&#0;</a>",
        "<a>\u{1}</a>",
        "<1/>",
        "<a><!-- -- --></a>",
        " <?xml version='1.0'?><a/>",
        "<?xml encoding='x'?><a/>",
        "<a><?xml?></a>",
        "<a/>x",
        "<a",
        "<!DOCTYPE a [<a/>",
    ] {
        assert!(xml(text).is_err(), "{text}");
    }
    assert!(xml(&"<a>".repeat(100_000)).is_err());
}

#[test]
fn xml_declares_its_encoding() {
    let utf16: Vec<u8> = "\u{feff}<a>\u{e9}</a>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(xml_text(&utf16).as_deref(), Ok("<a>\u{e9}</a>"));
    let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>";
    check(xml_text(latin).and_then(|text| xml(&text)), "{\"value\":{\"a\":\"\u{e9}\"}}");
    assert!(xml_text(b"<a>\xe9</a>").is_err());
    assert!(xml_text(b"<?xml version='1.0' encoding='x'?><a/>").is_err());
}

/// What bun makes of them.
#[test]
fn markdown_is_html() {
    let check = |text: &str, html: &str| assert_eq!(markdown(text), html);
    check("# a *b*\n\nc\nd  \ne", "<h1>a <em>b</em></h1>\n<p>c\nd<br />\ne</p>\n");
    check(
        "- [x] a\n- b",
        "<ul>\n<li class=\"task-list-item\"><input type=\"checkbox\" class=\"task-list-item-checkbox\" disabled checked>a</li>\n<li>b</li>\n</ul>\n",
    );
    check(
        "- a\n\n- [ ] b\n\n  c",
        "<ul>\n<li>\n<p>a</p>\n</li>\n<li class=\"task-list-item\"><input type=\"checkbox\" class=\"task-list-item-checkbox\" disabled>\n<p>b</p>\n<p>c</p>\n</li>\n</ul>\n",
    );
    check("3. a\n4. b", "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>\n");
    check(
        "- a\n  - b\n- > q",
        "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>\n<blockquote>\n<p>q</p>\n</blockquote>\n</li>\n</ul>\n",
    );
    check("```js x\n<a>\n```\n---", "<pre><code class=\"language-js\">&lt;a&gt;\n</code></pre>\n<hr />\n");
    check(
        "[a](/b?c&d \"e\") ![f *g*](h) <i@j.k>",
        "<p><a href=\"/b?c&amp;d\" title=\"e\">a</a> <img src=\"h\" alt=\"f g\" /> <a href=\"mailto:i@j.k\">i@j.k</a></p>\n",
    );
    check(
        "|a|b|\n|:-|-|\n|~~1~~|2|",
        "<table>\n<thead>\n<tr><th align=\"left\">a</th><th>b</th></tr>\n</thead>\n<tbody>\n<tr><td align=\"left\"><del>1</del></td><td>2</td></tr>\n</tbody>\n</table>\n",
    );
    check("> <b>a</b> & `c`", "<blockquote>\n<p><b>a</b> &amp; <code>c</code></p>\n</blockquote>\n");
    check(
        "<http://a.b/\u{fc}?x=1&y>",
        "<p><a href=\"http://a.b/%C3%BC?x=1&amp;y\">http://a.b/\u{fc}?x=1&amp;y</a></p>\n",
    );
    check("&copy; \"q\" 'x'", "<p>\u{a9} &quot;q&quot; 'x'</p>\n");
    check("- # h\n- ", "<ul>\n<li>\n<h1>h</h1>\n</li>\n<li></li>\n</ul>\n");
    check("<div>\n\n# x\n\n</div>", "<div>\n<h1>x</h1>\n</div>\n");
}
