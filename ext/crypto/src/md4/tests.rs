//! The test suite of RFC 1320, appendix A.5.

use super::*;

fn md4(chunks: &[&[u8]]) -> String {
    let mut state = Box::new(Md4::default());
    chunks.iter().for_each(|chunk| state.update(chunk));
    let digest = (state as Box<dyn DigestState>).finish();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn digests_are_those_of_the_rfc() {
    let digits = "1234567890".repeat(8);
    for (text, digest) in [
        ("", "31d6cfe0d16ae931b73c59d7e0c089c0"),
        ("a", "bde52cb31de33e46245e05fbdbd6fb24"),
        ("abc", "a448017aaf21d8525fc10ae87aa6729d"),
        ("message digest", "d9130a8164549fe818874806e1c7014b"),
        ("abcdefghijklmnopqrstuvwxyz", "d79e1c308aa5bbcdeea8ed63df412da9"),
        (
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "043f8582f241db351ce627e153e7f0e4",
        ),
        (digits.as_str(), "e33b4ddc9c38f2199c3e7b164fcc0536"),
    ] {
        assert_eq!(md4(&[text.as_bytes()]), digest, "{text}");
        let (first, second) = text.as_bytes().split_at(text.len() / 2);
        assert_eq!(md4(&[first, second]), digest, "{text} in two pieces");
    }
}
