//! Digests of every algorithm, against bytes that have them and bytes that do not.

use super::*;

fn check(text: &str) {
    let wanted = Integrity::parse(text).expect("an integrity");
    assert!(verify(Some(&wanted), b"left").is_ok(), "{text}");
    let error = verify(Some(&wanted), b"right").expect_err("other bytes").to_string();
    assert!(error.contains(text), "{error}");
}

#[test]
fn bytes_have_the_digest_or_are_refused() {
    check("sha1-EsDx+63EBGtfK7ngY7In74dQ2dY=");
    check(&of_sha512(&sha512(b"left")).to_string());
    for (algorithm, digest) in [
        (Algorithm::Sha256, Sha256::digest(b"left").to_vec()),
        (Algorithm::Sha384, Sha384::digest(b"left").to_vec()),
    ] {
        check(&Integrity::new(algorithm, &digest).expect("of its length").to_string());
    }
}
