//! The machine's libcrypto through the safe types: known answers, round trips, wrong input.

use rusk_openssl::*;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn integers(values: &[(&str, i64)]) -> Params {
    let mut params = Params::new();
    values.iter().for_each(|(name, value)| params.integer(name, *value));
    params
}

fn rsa() -> Pkey {
    let mut params = Params::new();
    params.unsigned("bits", 1024);
    Pkey::generate("RSA", &params).expect("the library has RSA")
}

fn ec(curve: &str) -> Pkey {
    let mut params = Params::new();
    params.text("group", curve);
    Pkey::generate("EC", &params).expect("the library has EC")
}

#[test]
fn the_library_is_new_enough() {
    assert!(version().expect("the machine has it") >= OLDEST);
}

#[test]
fn aes_gcm_encrypts_and_checks_its_tag() {
    let run = |direction, input: &[u8], tag: Option<&[u8]>| {
        let cipher = Cipher::find("aes-128-gcm").expect("the library is there").expect("a known cipher");
        let mut context = CipherContext::new(&cipher, direction).expect("there is memory");
        assert_eq!(context.set_iv_length(12), Ok(true));
        context.start(&[0; 16], Some(&[0; 12])).expect("right lengths");
        tag.iter().for_each(|tag| assert!(context.set_tag(tag)));
        let output = context.update(input).expect("it is short");
        context.finish("wrong tag").map(|_| (output, context))
    };
    // Test case 2 of the GCM specification.
    let (encrypted, mut context) = run(Direction::Encrypt, &[0; 16], None).expect("nothing is checked");
    let mut tag = [0; TAG_BYTES_MAX];
    context.tag(&mut tag, "no tag").expect("it has ended");
    assert_eq!(hex(&encrypted), "0388dace60b6a392f328c2b971b2fe78");
    assert_eq!(hex(&tag), "ab6e47d42cec13bdf53a67b21257bddf");
    assert_eq!(run(Direction::Decrypt, &encrypted, Some(&tag)).expect("the tag is right").0, [0; 16]);
    assert!(run(Direction::Decrypt, &encrypted, Some(&[0; 16])).is_err());
}

/// Of short messages, whose signatures another crate makes, and of longer ones.
#[test]
fn ed25519_signatures_are_those_of_the_library() {
    let key = Pkey::generate("ED25519", &Params::new()).expect("the library has Ed25519");
    for count in [0, 1, 16 * 1024, 16 * 1024 + 1] {
        let message = vec![7; count];
        let signature = key.sign(None, &Params::new(), &message).expect("it is a private key");
        assert_eq!(signature.len(), 64);
        assert_eq!(key.verify(None, &Params::new(), &message, &signature), Ok(true), "{count}");
    }
    let public = key.raw_bytes(RawHalf::Public).expect("it has one");
    let public = Pkey::of_raw_bytes("ED25519", RawHalf::Public, &public).expect("it is a key");
    assert!(public.sign(None, &Params::new(), b"message").is_err());
}

#[test]
fn unknown_names_are_refused() {
    assert!(Cipher::find("aes-128-none").expect("the library is there").is_none());
    assert!(Curve::find("secp0").expect("the library is there").is_none());
    assert!(digest_size("sha0").is_err());
    assert!(Pkey::generate("NONE", &Params::new()).is_err());
    assert!(cipher_names().expect("the library is there").iter().any(|name| name == "aes-256-cbc"));
}

#[test]
fn digests_of_the_library_are_computed() {
    let mut context = DigestContext::new("sm3").expect("the default provider has it");
    context.update(b"ab");
    let mut copy = context.copy().expect("it is alive");
    copy.update(b"c");
    assert_eq!(hex(&copy.finish()), "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0");
}

#[test]
fn signatures_are_made_and_checked() {
    let keys = [(rsa(), Some("SHA256")), (ec("prime256v1"), Some("SHA256"))];
    let edwards = Pkey::generate("ED25519", &Params::new()).expect("the library has Ed25519");
    for (key, digest) in keys.into_iter().chain([(edwards, None)]) {
        let params = Params::new();
        let signature = key.sign(digest, &params, b"message").expect("it is a private key");
        assert_eq!(key.verify(digest, &params, b"message", &signature), Ok(true));
        assert_eq!(key.verify(digest, &params, b"another", &signature), Ok(false));
        assert_eq!(key.verify(digest, &params, b"message", b"short"), Ok(false));
    }
}

#[test]
fn keys_are_written_and_read() {
    let key = ec("secp384r1");
    for (kind, is_pem) in
        [(DerKind::Pkcs8, true), (DerKind::Sec1, true), (DerKind::Pkcs8, false), (DerKind::Sec1, false)]
    {
        let encryption = is_pem.then_some(("aes-256-cbc", &b"secret"[..]));
        let bytes = key.private_bytes(&PrivateFormat { kind, is_pem, encryption }).expect("it is private");
        let read = |passphrase| match is_pem {
            true => Pkey::private_of_pem(&bytes, passphrase),
            false => Pkey::private_of_der(kind, &bytes, passphrase),
        };
        let Ok(KeyRead::Key(copy)) = read(Some(b"secret")) else { panic!("{kind:?}: it was written here") };
        assert_eq!(copy.equals(&key), Some(true));
        assert!(!is_pem || read(Some(b"wrong")).is_err());
    }
    let public = key.public_pem(DerKind::Spki).expect("it has a public half");
    let copy = Pkey::public_of_pem(&public).expect("it was written here").expect("it has a block");
    assert_eq!(copy.equals(&key), Some(true));
    assert!(Pkey::public_of_pem(b"no block").expect("nothing to parse").is_none());
}

#[test]
fn malformed_keys_and_certificates_are_errors() {
    for bytes in [&b""[..], b"garbage", &[0x30, 0x82, 0xff, 0xff, 0x02], &[0x30, 0x03, 0x02, 0x01, 0x00]] {
        for kind in [DerKind::Pkcs1, DerKind::Pkcs8, DerKind::Sec1] {
            assert!(Pkey::private_of_der(kind, bytes, None).is_err());
        }
        assert!(Pkey::public_of_der(DerKind::Spki, bytes).is_err());
        assert!(Pkey::private_of_pem(bytes, None).is_err());
        assert!(Certificate::parse(bytes).is_err());
        assert!(Spkac::of_base64(bytes).expect("the library is there").is_none());
    }
}

#[test]
fn rsa_encrypts_and_decrypts() {
    let key = rsa();
    let oaep = || integers(&[("pad-mode", 4)]);
    let run = |operation, input: &[u8]| key.run(operation, &oaep(), Recover::NotAtAll, input);
    let encrypted = run(Operation::Encrypt, b"message").expect("it is short");
    assert_eq!(&*run(Operation::Decrypt, &encrypted).expect("it was encrypted here"), b"message");
    assert!(run(Operation::Decrypt, &[1; 128]).is_err());
}

#[test]
fn both_sides_agree_on_a_secret() {
    let (one, other) = (ec("prime256v1"), ec("prime256v1"));
    let secret = one.agree(&other, &Params::new()).expect("same curve");
    assert!(other.agree(&one, &Params::new()) == Ok(secret.clone()));
    let curve = Curve::find("P-256").expect("the library is there").expect("it has the curve");
    let point = other.octets("pub").expect("it has a public half");
    let private = one.number("priv").expect("it is private");
    assert!(curve.compute_secret(&private, &point) == Ok(Some(secret)));
    assert_eq!(curve.compute_secret(&private, &[4; 65]), Ok(None));
}

#[test]
fn strings_of_parameters_end_where_they_end() {
    // A name without NUL would continue with what follows it in memory.
    for _ in 0..50 {
        let _noise = vec![0x41_u8; std::hint::black_box(10)];
        assert_eq!(ec("secp521r1").text("group").as_deref(), Some("secp521r1"));
    }
}

#[test]
fn primes_are_made_and_checked() {
    let prime = generate_prime(64, false, None, None).expect("it is short");
    assert_eq!(check_prime(&prime, 0), Ok(true));
    assert_eq!(check_prime(&[15], 0), Ok(false));
}

#[test]
fn errors_have_nodes_codes() {
    let Err(CryptoError::Library { entries, .. }) = Pkey::private_of_pem(b"", None).map(|_| ()) else {
        panic!("there is no key")
    };
    assert_eq!(entries[0].message, "error:1E08010C:DECODER routines::unsupported");
    assert_eq!(entries[0].code().as_deref(), Some("ERR_OSSL_UNSUPPORTED"));
    assert_eq!(entries[0].library, "DECODER routines");
}
