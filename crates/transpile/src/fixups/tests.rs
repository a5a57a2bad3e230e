//! Fix-ups of the transformer's output.

use crate::options::{ClassFields, Language, Options};
use crate::script::SourceKind;
use crate::to_javascript;

fn check(fields: ClassFields, source: &str, wanted: &str) {
    let options = Options { fields, ..Options::new(Language::TypeScript, Some(SourceKind::Module)) };
    let text = to_javascript(source, "a.ts", &options).map(|generated| generated.text).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(wanted), "{text}");
}

#[test]
fn fields_are_assigned_after_super() {
    let class = |body: &str| format!("class A extends B {{ b = 1; constructor(public a) {{ {body} }} }}");
    let check_both = |body: &str, defined: &str, assigned: &str| {
        check(ClassFields::Define, &class(body), defined);
        check(ClassFields::Assign, &class(body), assigned);
    };
    check_both(
        "try { c(); super(); d() } finally {}",
        "(a) { try { c(); super(); this.a = a; d(); } finally {} }",
        "(a) { try { c(); super(); this.a = a; this.b = 1; d(); } finally {} }",
    );
    check_both(
        "try { try { super() } finally {} } catch {}",
        "(a) { try { try { super(); this.a = a; } finally {} } catch {} }",
        "(a) { try { try { super(); this.a = a; this.b = 1; } finally {} } catch {} }",
    );
    check_both(
        "e(); super(); try { super() } catch {}",
        "(a) { e(); super(); this.a = a; try { super(); } catch {} }",
        "(a) { e(); super(); this.a = a; this.b = 1; try { super(); } catch {} }",
    );
    check_both(
        "try {} catch { super() }",
        "(a) { this.a = a; try {} catch { super(); } }",
        "(a) { this.a = a; this.b = 1; try {} catch { super(); } }",
    );
}

#[test]
fn enums_have_no_negative_zero() {
    check(ClassFields::Define, "enum A { a = -0, b = 0 * -1, c = 1 / a }", "A[A[\"a\"] = 0] = \"a\"");
    check(ClassFields::Define, "enum A { a = -0, b = 0 * -1, c = 1 / a }", "A[A[\"b\"] = 0] = \"b\"");
    check(ClassFields::Define, "enum A { a = -0, b = 0 * -1, c = 1 / a }", "A[A[\"c\"] = -Infinity] = \"c\"");
    check(ClassFields::Define, "enum A {} b = -0", "b = -0");
}
