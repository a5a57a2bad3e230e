//! Code within elements of HTML. In: code. Out: the same without ends of its element.

use super::within_element;

fn check(code: &str, element: &str, expected: &str) {
    assert_eq!(within_element(code, element), expected);
}

#[test]
fn code_does_not_end_its_element() {
    check("a < b, '</script>', '</SCRIPT>'", "script", "a < b, '<\\/script>', '<\\/SCRIPT>'");
    check("'<!-- </style>'", "script", "'<\\!-- </style>'");
    check("a::after { content: '</style>' }", "style", "a::after { content: '<\\/style>' }");
    check("<", "script", "<");
}
