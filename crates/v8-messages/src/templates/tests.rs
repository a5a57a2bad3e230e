//! The order that looking for a template relies on.

use super::TEMPLATES;

#[test]
fn templates_are_in_order_and_none_begins_as_another() {
    for pair in TEMPLATES.windows(2) {
        let (before, behind) = (pair[0][0], pair[1][0]);
        assert!(before == behind || (before < behind && !behind.starts_with(before)), "{before} {behind}");
    }
}
