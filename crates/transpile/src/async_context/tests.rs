//! The code around an `await` that propagates AsyncLocalStorage contexts.

use crate::options::{AsyncContext, Language, Options};
use crate::script::SourceKind;
use crate::transpile::transpile;

fn check(source: &str, wanted: &str) {
    let options = Options {
        async_context: AsyncContext::Propagated,
        ..Options::new(Language::JavaScript, Some(SourceKind::Module))
    };
    let script = transpile(source, "a.js", &options).expect("it parses");
    assert_eq!(script.text.as_deref().unwrap_or(source), wanted);
}

#[test]
fn an_await_restores_its_context() {
    check("await a", "$r.after($r.save( a),await $r.load())");
    check("await await a", "$r.after($r.save( $r.after($r.save( a),await $r.load())),await $r.load())");
    check("async()=>await\na", "async()=>$r.after($r.save(\na),await $r.load())");
    check("await/**/a", "$r.after($r.save(/**/a),await $r.load())");
    check("for await(let a of b);", "for await(let a of $r.each(b/*$r*/));");
    check("for await(let a of[b]);", "for await(let a of/*$r*/$r.each([b]/*$r*/));");
    let kept = "$r.after($r.save( b),await $r.load())";
    check("async()=>{return{a};await b}", &format!("async()=>{{return/*$r*/$r.bind({{a}}/*$r*/);{kept}}}"));
    check("async()=>{return(a);await b}", &format!("async()=>{{return/*$r*/$r.bind((a)/*$r*/);{kept}}}"));
    let both = "for await(let a of $r.each($r.after($r.save( b),await $r.load())/*$r*/));";
    check("for await(let a of await b);", both);
}

#[test]
fn a_rejected_await_restores_its_context() {
    check(
        "async()=>{try{await a}catch{b}}",
        "async()=>{{let $rc0=$r;try{$r.after($rc0=$r.save( a),await $r.load(),$rc0=$r)}catch{$rc0=$r.recover($rc0);b}/*$r*/}}",
    );
    check(
        "try{b}finally{await a}",
        "{let $rc0=$r;try{b}finally{$rc0=$r.recover($rc0);$r.after($r.save( a),await $r.load())}/*$r*/}",
    );
    check("()=>{try{a}catch{}};'await'", "()=>{try{a}catch{}};'await'");
}

#[test]
fn async_results_are_wrapped() {
    check(
        "async()=>{return a;await 1}",
        "async()=>{return $r.bind(a/*$r*/);$r.after($r.save( 1),await $r.load())}",
    );
    check("async()=>({a:await 1})", "async()=>$r.bind(({a:$r.after($r.save( 1),await $r.load())})/*$r*/)");
    check("async()=>()=>{return 'await'}", "async()=>()=>{return 'await'}");
}

#[test]
fn comma_expressions_return_the_last_value() {
    check(
        "async()=>{return a,b;await 1}",
        "async()=>{return $r.bind(/*$r,*/(a,b/*$r,*/)/*$r*/);$r.after($r.save( 1),await $r.load())}",
    );
    check(
        "async()=>{return(a,b);await 1}",
        "async()=>{return/*$r*/$r.bind((a,b)/*$r*/);$r.after($r.save( 1),await $r.load())}",
    );
    check(
        "async()=>{return await a,b}",
        "async()=>{return $r.bind(/*$r,*/($r.after($r.save( a),await $r.load()),b/*$r,*/)/*$r*/)}",
    );
}

#[test]
fn async_generator_results_are_wrapped() {
    check("(async function*(){yield a})", "(async function*(){yield $r.resolve(a/*$r*/)})");
    check("(async function*(){yield[a]})", "(async function*(){yield/*$r*/$r.resolve([a]/*$r*/)})");
    check(
        "(async function*(){(yield),yield})",
        "(async function*(){(yield $r.resolve()),yield $r.resolve()})",
    );
    check("(async function*(){yield*a})", "(async function*(){yield*$r.each(a/*$r*/)})");
    check(
        "(async function*(){return 1;yield})",
        "(async function*(){return $r.resolve(1/*$r*/);yield $r.resolve()})",
    );
    check(
        "(async function*(){yield a,yield b})",
        "(async function*(){yield $r.resolve(a/*$r*/),yield $r.resolve(b/*$r*/)})",
    );
    check(
        "(async function*(){yield yield})",
        "(async function*(){yield $r.resolve(yield $r.resolve()/*$r*/)})",
    );
    check("(function*(){yield a});async()=>{}", "(function*(){yield a});async()=>{}");
    check("(async function*(){()=>{return a}})", "(async function*(){()=>{return a}})");
}
