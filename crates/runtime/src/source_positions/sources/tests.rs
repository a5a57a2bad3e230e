//! Each line with `|` where the engine reports the end of the name, and `^` where V8 reports the
//! call.

use super::call_start;

fn check(marked: &str, is_new: bool) {
    let line = marked.replace(['|', '^'], "");
    let end = marked.replace('^', "").find('|').expect("a mark");
    let wanted = marked.replace('|', "").find('^').expect("a mark");
    assert_eq!(call_start(&line, end), (wanted, is_new), "{marked}");
}

#[test]
fn calls_stand_at_their_names() {
    check("^foo|(1)", false);
    check("  assert.^equal|(1)", false);
    check("a.b.^c|()", false);
    check("a[0]|^(1)", false);
    check("a()| ^(1)", false);
    check("x = a.^b|", false);
    check("\u{e4}.^\u{f6}|()", false);
    check("{}|^", false);
}

#[test]
fn constructors_stand_at_new() {
    check("throw ^new Error|('a')", true);
    check("^new a.b.C|()", true);
    check("^super|(1)", true);
    check("renew ^a|()", false);
    check("x.new ^a|()", false);
}

#[test]
fn properties_stand_at_their_names() {
    check("null|.^x", false);
    check("a.b|[^c]", false);
}

#[test]
fn a_name_may_begin_there() {
    check("a.|^b()", false);
    check("throw ^new |Error()", true);
}
