//! What a scanner sees.

use super::packages::{Query, without_secrets};

#[test]
fn no_secret_of_a_url_is_shown() {
    for (url, kept, removed) in [
        ("https://u:p@r.test/a.tgz?sig=1", "https://r.test/a.tgz?sig=1", "https://r.test/a.tgz"),
        (
            "git+https://t@git.test/a.git#abc",
            "git+https://git.test/a.git#abc",
            "git+https://git.test/a.git#abc",
        ),
        ("https://r.test/a?t=1#b", "https://r.test/a?t=1#b", "https://r.test/a#b"),
        ("^1.0.0", "^1.0.0", "^1.0.0"),
    ] {
        assert_eq!(without_secrets(url, Query::Kept), kept);
        assert_eq!(without_secrets(url, Query::Removed), removed);
    }
}
