//! Tests of `method_calls`.

use super::*;

fn shown(source: &str, language: Language) -> Vec<String> {
    let calls = method_calls(source, language, &["a", "b"]).expect("it parses");
    let call = |call: &MethodCall| {
        let arguments = call.arguments.iter().map(|argument| {
            let mark = if argument.is_text { "text " } else { "" };
            format!("{mark}{}", &source[argument.range.clone()])
        });
        assert_eq!(&source[call.name_range.clone()], call.name);
        assert_eq!(source.as_bytes()[call.close], b')');
        format!("{}({})", call.name, arguments.collect::<Vec<_>>().join(", "))
    };
    calls.iter().map(call).collect()
}

#[test]
fn calls_are_found_in_source_order() {
    let source = "f<T>(x as any).a(); 'y.a()'; /* x.a() */ g.not.b({ p: 1 }, `t`,); x.c(() => y.a(`${z}`))";
    assert_eq!(shown(source, Language::TypeScript), ["a()", "b({ p: 1 }, text `t`)", "a(`${z}`)"]);
}

#[test]
fn elements_of_jsx_have_calls() {
    assert_eq!(shown("<p>{x.a('s')}</p>", Language::Tsx), ["a(text 's')"]);
}

#[test]
fn what_does_not_parse_is_an_error() {
    assert!(method_calls("x.a(", Language::JavaScript, &["a"]).is_err());
}
