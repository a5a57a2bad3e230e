//! Each text with `^` where V8 reports the call.

use super::{CallSyntax, CalleeObject, callee};

fn check(marked: &str, expected: CallSyntax<'_>) {
    let at = marked.find('^').expect("a mark");
    assert_eq!(callee(&marked.replace('^', ""), at), Some(expected), "{marked}");
}

fn member<'t>(object: CalleeObject<'t>, name: &'t str) -> CallSyntax<'t> {
    CallSyntax::Member { object, name: Some(name) }
}

#[test]
fn variables_are_called() {
    check("x = ^f(1)", CallSyntax::Variable("f"));
    check("...^f(1)", CallSyntax::Variable("f"));
    check("^f?.(1)", CallSyntax::Variable("f"));
    check("^f`text`", CallSyntax::Variable("f"));
    check("a()^(1)", CallSyntax::Value);
    check("^a + b", CallSyntax::Other);
    check("^+a", CallSyntax::Other);
}

#[test]
fn members_are_called() {
    check("a.^b()", member(CalleeObject::Variable("a"), "b"));
    check("a?.^b()", member(CalleeObject::Variable("a"), "b"));
    check("a\n  .^b()", member(CalleeObject::Variable("a"), "b"));
    check("this.^b()", member(CalleeObject::This, "b"));
    check("this.#a.^b()", member(CalleeObject::Other, "b"));
    check("super.^b()", member(CalleeObject::Super, "b"));
    check("this.^#b()", member(CalleeObject::This, "#b"));
    check("a.b.^c()", member(CalleeObject::Other, "c"));
    check("a().^c()", member(CalleeObject::Other, "c"));
    check("a!.^c<string>()", member(CalleeObject::Variable("a"), "c"));
    check("a['b']^()", member(CalleeObject::Variable("a"), "b"));
    check("a[b]^()", member(CalleeObject::Variable("a"), ""));
    check("a.b.^call(this, 1)", CallSyntax::OnThis);
    check("a.^apply( this )", CallSyntax::OnThis);
    check("a.^call(this.b)", member(CalleeObject::Variable("a"), "call"));
    check("a.^call()", CallSyntax::Value);
    check("a.^call(null, 1)", CallSyntax::Value);
    check("a?.b?.^()", member(CalleeObject::Variable("a"), "b"));
    check("a?.b^?.()", member(CalleeObject::Variable("a"), "b"));
    check("x = a.^b;", CallSyntax::Member { object: CalleeObject::Variable("a"), name: None });
}

#[test]
fn classes_are_constructed() {
    check("^new A()", CallSyntax::New);
    check("^super(1)", CallSyntax::Super);
    check("new A().^b()", member(CalleeObject::New("A"), "b"));
    check("new a.A((1), 2).^b()", member(CalleeObject::New("a.A"), "b"));
    check("new A<B<C>>(1).^b()", member(CalleeObject::New("A"), "b"));
    check("renew A().^b()", member(CalleeObject::Other, "b"));
    check("(a).^b()", member(CalleeObject::Other, "b"));
}
