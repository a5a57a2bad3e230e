//! The code that decorated classes are lowered to. `fixtures/programs/modules/decorators.ts` tests
//! what that code does.

use crate::options::{Language, Options};
use crate::position_map::SourcePosition;
use crate::script::{ModuleForm, Script, SourceKind};
use crate::transpile::transpile_parsed;
use crate::{to_javascript, transpile};

fn script(language: Language, source: &str) -> Script {
    transpile_parsed(source, "a.js", &Options::new(language, Some(SourceKind::Module)))
        .unwrap_or_else(|errors| panic!("{errors}: {source}"))
}

/// The code of a module, with common parts abbreviated.
fn check(source: &str, wanted: &str) {
    let text = script(Language::JavaScript, source).text.unwrap_or_default();
    assert_eq!(text.lines().count(), source.lines().count(), "{text}");
    let short = text.replace("new $r.helpers.Decoration", "D").replace("static{$rd0.define(this)}", "{}");
    assert_eq!(short.split_whitespace().collect::<Vec<_>>().join(" "), wanted);
}

fn check_error(source: &str, wanted: &str) {
    let outcome = transpile(source, "a.js", &Options::new(Language::JavaScript, Some(SourceKind::Module)));
    assert_eq!(outcome.map(|_| ()).unwrap_err().to_string(), wanted, "{source}");
}

#[test]
fn computed_keys_register_members() {
    check(
        "class C{@a @b(1) m(){}}",
        r#"const $rd0=D("C");class C{{};static[$rd0.named("method",[a ,b(1)],"m")](){} m(){};#$rx0_0=$rd0.start(this);}"#,
    );
    check(
        "class C{@a static async*m(){}}",
        r#"const $rd0=D("C");class C{{};static[$rd0.named("static method",[a],"m")](){} static async*m(){}}"#,
    );
    check(
        "class C{@a static get[m](){}}",
        r#"const $rd0=D("C");class C{{};static get[$rd0.key("static getter",[a], m)](){}}"#,
    );
}

#[test]
fn field_initializers_become_calls() {
    check(
        "class C{@a static x=1}",
        r#"const $rd0=D("C");class C{{};static [$rd0.key("static field",[a], "x")]=$rd0.value(0,this,1);static{$rd0.extra(0,this)}}"#,
    );
    check(
        "class C{@a 1\n[b](){}}",
        "const $rd0=D(\"C\");class C{{};[$rd0.key(\"field\",[a], 1)]=$rd0.value(0,this); [b](){};#$rx0_0=$rd0.extra(0,this);}",
    );
    check(
        "class C{@a x;@b y;z}",
        r#"const $rd0=D("C");class C{{};[$rd0.key("field",[a], "x")]=$rd0.value(0,this);;[$rd0.key("field",[b], "y")]=($rd0.extra(0,this),$rd0.value(1,this));;#$rx0_0=$rd0.extra(1,this);z}"#,
    );
    check(
        "class C{@a x=()=>1;y}",
        r#"const $rd0=D("C");class C{{};[$rd0.key("field",[a], "x")]=$rd0.value(0,this,({x:()=>1}).x);;;#$rx0_0=$rd0.extra(0,this);y}"#,
    );
}

#[test]
fn private_members_have_a_registering_method() {
    check(
        "class C{@a static #x=1}",
        r##"const $rd0=D("C");class C{{};static[$rd0.hidden("static field",[a],"#x",o=>#x in o,o=>o.#x,(o,v)=>{o.#x=v})](){} static #x=$rd0.value(0,this,1);static{$rd0.extra(0,this)}}"##,
    );
    check(
        "class C{@a static #m(){}}",
        r##"const $rd0=D("C");class C{{};static[$rd0.hidden("static method",[a],"#m",o=>#m in o,o=>o.#m,null,"#m")](){} static "#m"(){}static get #m(){return $rd0.methods[0]}}"##,
    );
    check(
        "class C{@a static set #m(b){}}",
        r##"const $rd0=D("C");class C{{};static[$rd0.hidden("static setter",[a],"#m",o=>#m in o,null,(o,v)=>{o.#m=v},"#m")](){} static set "#m"(b){}static set #m($rv){$rd0.set(0,this,$rv)}}"##,
    );
}

#[test]
fn accessors_become_getters_and_setters() {
    check(
        "class C{accessor x=1}",
        r##"class C{;get["x"](){return this.#$rs0_0}set["x"]($rv){this.#$rs0_0=$rv}#$rs0_0 =1;}"##,
    );
    check(
        "class C{accessor #x}",
        "class C{;get #x(){return this.#$rs0_0}set #x($rv){this.#$rs0_0=$rv}#$rs0_0 ;}",
    );
    check(
        "class C{static accessor[x]}",
        r##"const $rd0=D("C");class C{{};static get[$rd0.key("static accessor",[], x)](){return this.#$rs0_0}static set[$rd0.keys[0]]($rv){this.#$rs0_0=$rv}static #$rs0_0;}"##,
    );
}

#[test]
fn decorated_classes_refer_to_the_result() {
    check(
        "@a class C{static x=C;static{C}}",
        r#"const $rd0=D("C");$rd0.by([a]); let C=({C:class {{};static[$rd0.key("late field",[], "x")](){return($rd0.class)}static{$rd0.put(0)};;static[$rd0.late()](){$rd0.class}static{$rd0.put(1)};static{$rd0.finish()}}},$rd0.class);"#,
    );
    check(
        "@a class C{static x}",
        r#"const $rd0=D("C");$rd0.by([a]); let C=({C:class {{};static[$rd0.key("late field",[], "x")](){}static{$rd0.put(0)};static{$rd0.finish()}}},$rd0.class);"#,
    );
    check(
        "@a class C{m(){({C});C.#p}static #p}",
        r##"const $rd0=D("C");$rd0.by([a]); let C=({C:class {{}m(){({C: $rd0.class});$rd0.origin.#p}static #p;static{$rd0.finish()}}},$rd0.class);"##,
    );
}

#[test]
fn class_expressions_get_a_function_scope() {
    check(
        "a=@b class{}",
        r#"a=((($rd0=D("a"),$rd0by=$rd0.by([b]))=> ({a:class{{};static{$rd0.finish()}}},$rd0.class))())"#,
    );
    check(
        "a(class B{@b static m(){}})",
        r#"a(((($rd0=D("B"))=>class B{{};static[$rd0.named("static method",[b],"m")](){} static m(){}})()))"#,
    );
    check(
        "a(@(await b)class{})",
        r#"let $rd0;a(($rd0=D(""),$rd0.by([(await b)]),({"":class{{};static{$rd0.finish()}}},$rd0.class)))"#,
    );
}

#[test]
fn exported_classes_keep_their_names() {
    check(
        "@a export class C{}",
        r#"const $rd0=D("C");$rd0.by([a]); let C=({C:class {{};static{$rd0.finish()}}},$rd0.class);"#,
    );
    check(
        "export @a class C{}",
        r#"const $rd0=D("C");$rd0.by([a]); let C=({C:class {{};static{$rd0.finish()}}},$rd0.class);"#,
    );
    check(
        "export default @a class C{}",
        r#"const $rd0=D("C");$rd0.by([a]); let C=({C:class {{};static{$rd0.finish()}}},$rd0.class);"#,
    );
    check(
        "@a export default class{}",
        r#"const $rd0=D("default");$rd0.by([a]); const $rdefault=({default:({default:class{{};static{$rd0.finish()}}},$rd0.class)}).default;"#,
    );
    check(
        "export default @a class{}",
        r#"const $rdefault=({default:((($rd0=D("default"),$rd0by=$rd0.by([a]))=> ({default:class{{};static{$rd0.finish()}}},$rd0.class))())}).default;"#,
    );
}

#[test]
fn suspending_classes_use_a_variable() {
    check(
        "export default @(await a) class{}",
        r#"let $rd0;const $rdefault=({default:($rd0=D("default"),$rd0.by([(await a)]), ({default:class{{};static{$rd0.finish()}}},$rd0.class))}).default;"#,
    );
}

#[test]
fn decorators_keep_their_receivers() {
    check(
        "@a.b class C{}",
        r#"const $rd0=D("C");$rd0.by([$rd0.of(a,"b")]); let C=({C:class {{};static{$rd0.finish()}}},$rd0.class);"#,
    );
    check(
        "@(a[b])@c.d()class C{}",
        r#"const $rd0=D("C");$rd0.by([($rd0.of(a,(b))),c.d()]);let C=({C:class {{};static{$rd0.finish()}}},$rd0.class);"#,
    );
}

#[test]
fn exports_stay_if_modules_are_kept() {
    let text = |source: &str| {
        let made =
            to_javascript(source, "a.js", &Options::new(Language::JavaScript, None)).expect("it parses");
        assert_eq!(made.helpers.len(), 1, "{source}");
        made.text
    };
    assert!(text("@a export class C {}").contains("export let C="));
    assert!(text("export @a class C {}").contains("export let C="));
    assert!(text("export default @a class C {}").ends_with("export{C as default};"));
    assert!(
        text("export default @a class {}")
            .starts_with("export default ((($rd0=new $rDecoration(\"default\")")
    );
    assert!(text("export class C { @a b }").contains(";export class C "));
}

#[test]
fn errors_in_decorators_have_positions() {
    check_error("class C { @a constructor() {} }", "A constructor cannot be decorated (1:11)");
    check_error(
        "async () => @(await a) class {}",
        "A class with decorators that awaits or yields wants a block around it (1:13)",
    );
}

#[test]
fn positions_stay() {
    let script = script(Language::JavaScript, "@a class C {\n  @b static c = d;\n}");
    let text = script.text.clone().unwrap_or_default();
    let column = text.lines().nth(1).and_then(|line| line.find("(d")).expect("the value is there") + 1;
    let found =
        script.position_map(ModuleForm::Function).source(SourcePosition { line: 1, column: column as u32 });
    assert_eq!(found, Some(SourcePosition { line: 1, column: 16 }));
}

#[test]
fn private_methods_get_an_unused_public_key() {
    let text = script(Language::JavaScript, "class C{@a get #x(){}@a set #x(b){}'#x  '(){}}").text;
    let text = text.unwrap_or_default();
    assert!(text.contains("get \"#x\"(){}") && text.contains("set \"#x \"(b){}"), "{text}");
}
