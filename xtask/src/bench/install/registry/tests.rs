//! The configuration of nginx.

use super::*;

#[test]
fn only_a_recording_asks_elsewhere_for_what_is_not_there() {
    for (missing, expected) in [(OnMissing::NotFound, "=404"), (OnMissing::Record, "@record")] {
        let text = render(Path::new("recorded"), 4891, missing);
        assert!(text.contains("listen 127.0.0.1:4891 "), "{text}");
        assert!(text.contains(&format!("try_files $uri {expected};")), "{text}");
        assert!(text.contains(&format!("try_files /tarballs$uri {expected};")), "{text}");
    }
}
