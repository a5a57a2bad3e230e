//! Hashes of other programs, and broken ones.

use super::*;

#[track_caller]
fn check(password: &str, hash: &str, wanted: Result<bool, HashError>) {
    assert_eq!(verify(password.as_bytes(), hash.as_bytes(), None), wanted, "{hash}");
}

/// Made by the reference implementation of Argon2 and by htpasswd.
#[test]
fn hashes_of_other_programs() {
    let argon2i = "$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA";
    check("password", argon2i, Ok(true));
    check("passwore", argon2i, Ok(false));
    // bcrypt ends a password with a NUL and repeats it, so these two are the same key.
    check("\u{0}", "$2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s.", Ok(true));
    check("", "$2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s.", Ok(true));
}

#[test]
fn what_was_hashed_is_verified() {
    let bcrypt = HashMethod::Bcrypt { cost: 4 };
    let argon2 = HashMethod::Argon2 { variant: Algorithm::Argon2d, memory_kib: 8, passes: 1 };
    for (method, prefix) in [(bcrypt, "$2b$04$"), (argon2, "$argon2d$v=19$m=8,t=1,p=1$")] {
        for password in ["a", "a\0b", &"x".repeat(71), &"x".repeat(72), &"x".repeat(73)] {
            let text = hash(password.as_bytes(), method).expect("hashed");
            assert!(text.starts_with(prefix), "{text}");
            check(password, &text, Ok(true));
            check(&format!("{password}y"), &text, Ok(false));
        }
    }
}

#[test]
fn broken_hashes() {
    let encoding = Err(HashError::InvalidEncoding);
    for text in ["", "x", "$", "$1$a$b", "$argon2x$v=19$m=8,t=1,p=1$AAAAAAAAAAA$AAAAAA"] {
        check("a", text, Err(HashError::UnsupportedAlgorithm));
    }
    for text in [
        "$argon2id$",
        "$argon2id$v=19$m=8,t=1,p=1$AAAA",
        "$argon2id$v=16$m=8,t=1,p=1$AAAAAAAAAAA$AAAAAA",
        "$argon2id$v=19$m=99999999999,t=1,p=1$AAAAAAAAAAA$AAAAAA",
        "$argon2id$v=19$m=8,t=1,p=1,x=1$AAAAAAAAAAA$AAAAAA",
        "$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAA$AAAAA",
        "$2b$",
        "$2b$04$abc",
        "$2c$04$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s.",
        "$2b$4$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s..",
        "$2b$04$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1\u{e9}",
    ] {
        check("a", text, encoding);
    }
    check(
        "a",
        "$2b$03$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s.",
        Err(HashError::WeakParameters),
    );
    check("a", "$argon2id$v=19$m=4,t=1,p=1$AAAAAAAAAAA$AAAAAA", Ok(false));
}

#[test]
fn the_family_that_is_expected() {
    let bcrypt = b"$2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s.";
    assert_eq!(verify(b"", bcrypt, Some(Family::Bcrypt)), Ok(true));
    assert_eq!(verify(b"", bcrypt, Some(Family::Argon2)), Err(HashError::InvalidEncoding));
    let argon2 = b"$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAA$AAAAAA";
    assert_eq!(verify(b"a", argon2, Some(Family::Bcrypt)), Ok(false));
}
