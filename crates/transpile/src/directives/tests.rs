//! The hashbang and directives before the first statement.

use super::first_statement;

#[test]
fn it_is_after_directives() {
    let rest = |source: &'static str| first_statement(source).map(|offset| &source[offset..]);
    assert_eq!(rest("a; 'use strict'"), Some("a; 'use strict'"));
    assert_eq!(rest("'use strict'\nlet é;"), Some("\nlet é;"));
    assert_eq!(rest("// é\n'one'; \"use strict\"; a"), Some(" a"));
    assert_eq!(rest("'one' + 1"), Some("'one' + 1"));
    assert_eq!(rest("#!/usr/bin/env node\n1"), Some("\n1"));
    assert_eq!(rest("let ="), None);
}
