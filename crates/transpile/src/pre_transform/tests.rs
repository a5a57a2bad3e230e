//! Lowering before the transformer. `fixtures/programs/modules/typed-files.mjs` tests what that
//! code does.

use crate::options::{ClassFields, Decorators, Language, Options};
use crate::script::SourceKind;
use crate::to_javascript;

fn check(source: &str, wanted: &str) {
    let mut options = Options::new(Language::TypeScript, Some(SourceKind::Module));
    options.decorators = Decorators::Legacy;
    options.fields = ClassFields::Assign;
    let text = to_javascript(source, "a.ts", &options).map(|made| made.text).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(wanted), "{text}");
}

#[test]
fn using_in_loop_heads_is_lowered() {
    check("a: for (using b = c(); d; e) f()", "const b = _usingCtx.u(c()); a: for (; d; e) f();");
    check("for (let b = c(); d; e) f()", "for (let b = c(); d; e) f();");
}

#[test]
fn using_in_handlers_is_lowered() {
    let used = "try { var _usingCtx = $rusingCtx(); const a = _usingCtx.u(b);";
    check("try {} catch { using a = b }", &format!("catch {{ {used}"));
    check("try {} finally { using a = b }", &format!("finally {{ {used}"));
}

#[test]
fn assigned_fields_stay_decorated() {
    check("class A { @b static c = d }", "{ static { this.c = d; } } $rdecorate([b], A, \"c\"");
    check("class A { @b static 'c d' = e }", "{ static { this[\"c d\"] = e; } } $rdecorate([b], A, \"c d\"");
    check("class A { @b 'c d' = e }", "{ this[\"c d\"] = e; } } $rdecorate([b], A.prototype, \"c d\"");
    check("class A { @b [c()] = d; @b static [e] }", "$rdecorate([b], A.prototype, _key0, void 0);");
    check("class A { @b [c()] = d; @b static [e] }", "$rdecorate([b], A, _key1, void 0);");
    check("abstract class A { @b abstract c: d }", "$rdecorate([b], A.prototype, \"c\"");
}

#[test]
fn instance_members_are_decorated_first() {
    let wanted = "$rdecorate([a], A.prototype, \"d\", null); $rdecorate([a], A, \"b\", null); $rdecorate([a], A, \"c\", null);";
    check("class A { @a static b() {} @a static c() {} @a d() {} }", wanted);
}

#[test]
fn rest_parameters_are_decorated() {
    let wanted = "$rdecorate([ a, $rdecorateParam(0, b), $rdecorateParam(1, c) ], A.prototype, \"d\", null)";
    check("class A { @a d(@b e, @c ...f) {} }", wanted);
    check("class A { constructor(@b ...c) {} }", "A = $rdecorate([$rdecorateParam(0, b)], A)");
}
