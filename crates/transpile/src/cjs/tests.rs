//! Detection of CommonJS exports.

use super::cjs_exports;

/// `wanted`: the names, then re-exported specifiers, each after `>`. `-` for a file that is no
/// CommonJS.
fn check(source: &str, wanted: &str) {
    let found = cjs_exports(source).map_or("-".to_owned(), |exports| {
        let reexports = exports.reexports.iter().map(|name| format!(">{name}"));
        exports.names.iter().cloned().chain(reexports).collect::<Vec<_>>().join(" ")
    });
    assert_eq!(found, wanted, "{source}");
}

#[test]
fn members_of_exports_are_names() {
    check("exports.a = 1; module.exports.b = 2; exports['c d'] = 3; exports.e == 4", "a b c d e");
    check("exports.a = exports.b = void 0; (function () { exports /* x */ . c\n= 1 })()", "a b c");
    check("x.exports.a = 1; _exports.b = 1; exports.c += 1; exports[`d`] = 1; /* exports.e = 1 */", "");
    check("exports['\\x61'] = exports['\\u{62}'] = exports['\\ud800'] = 1", "a b");
    check("exports['\\u{d83c}\\u{df10}'] = exports['\\ud83d\\ude00'] = exports['\\u{110000}'] = 1", "🌐 😀");
}

#[test]
fn an_object_of_exports_is_read_up_to_the_first_expression() {
    check("module.exports = { a, b: c, 'd': e, ...f, g: h.i, j }", "a b d g");
    check("module.exports = { a: 1, b }", "");
    check("module.exports = { a() {}, b }", "a");
    check("0 && (module.exports = { a, b: null, ...require('x') })", "a b >x");
    check("module.exports = exports = { a }", "");
}

#[test]
fn only_side_effect_free_getters_count() {
    check("Object.defineProperty(exports, '__esModule', { value: true })", "__esModule");
    check("Object.defineProperty(exports, 'a', { enumerable: true, get: function () { return x.y; } })", "a");
    check("Object.defineProperty(module.exports, 'a', { get() { return x['y'] } })", "a");
    check("exports.a = 1; Object.defineProperty(exports, 'a', { get() { return x() } })", "");
}

#[test]
fn the_last_assignment_of_a_file_counts() {
    check("module.exports = require('a'); module.exports = require('b')", ">b");
    check("module.exports = require('a'); __exportStar(require('b'), exports)", ">a >b");
    check("module.exports = require('a'); module.exports = function () {}", "");
}

#[test]
fn stars_are_followed() {
    check("tslib_1.__exportStar(require('a'), exports); __export(require('b'))", ">a >b");
    check("function f() { __exportStar(require('a'), exports) }", "");
    let keys =
        "forEach(function (k) { if (k === 'default' || k === '__esModule') return; exports[k] = x[k]; });";
    check(&format!("var x = require('a'); Object.keys(x).{keys}"), ">a");
    check(&format!("var x = _interopRequireWildcard(require('a')); Object.keys(x).{keys}"), ">a");
    check(&format!("Object.keys(x).{keys}"), "");
}

#[test]
fn divisions_and_regular_expressions_differ() {
    check("x = a / 1; exports.a = '/'", "a");
    check("if (x) /'/.test(y); exports.a = 1", "a");
    check("x = /[/]'/; exports.a = 1; x = {} / 1; y = `${'`' / 1}` / '2'", "a");
    check("function f() {} /'/.test(''); exports.a = 1", "a");
}

#[test]
fn modules_have_no_commonjs_exports() {
    check("import a from 'x'; exports.b = 1", "-");
    check("export default 1", "-");
    check("exports.a = 1; 'x", "-");
    check("exports.a = 1 }", "-");
    check("import('x'); exports.b = 1", "b");
}
