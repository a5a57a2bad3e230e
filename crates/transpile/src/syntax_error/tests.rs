//! The message for an unexpected token.

use crate::options::{Language, Options};
use crate::script::SourceKind;
use crate::transpile::transpile_parsed;

#[track_caller]
fn check(source: &str, message: &str) {
    let options = Options::new(Language::JavaScript, Some(SourceKind::Module));
    let errors = transpile_parsed(source, "a.js", &options).map(|_| ()).expect_err("it does not parse");
    assert_eq!(errors.first().message, message, "{source}");
}

#[test]
fn a_token_is_named_as_v8_names_it() {
    check("let a = ;", "Unexpected token ';'");
    check("a = b +", "Unexpected end of input");
    check("let a = if", "Unexpected token 'if'");
    check("})(); evil(", "Unexpected token '}'");
    check("export const = 1", "Unexpected token '='");
}
