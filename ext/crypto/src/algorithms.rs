//! Hash algorithms by OpenSSL's names. In: a name, case-insensitive. Out: the constructor of a
//! state, the lengths of its digest and block. Absent: SM3, MD5-SHA1
//! (library_digest.rs).

use blake2::{Blake2b256, Blake2b512, Blake2s256};
use md5::Md5;
use ring::digest::Context;
use ripemd::Ripemd160;
use sha1::Sha1;
use sha2::digest::{Digest, ExtendableOutput, Update, XofReader};
use sha2::{Sha224, Sha256, Sha512_224, Sha512_256};
use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256};

use crate::md4::{self, Md4};

/// An incremental hash computation.
pub(super) trait DigestState: Send {
    fn update(&mut self, bytes: &[u8]);
    fn finish(self: Box<Self>) -> Vec<u8>;
    fn copy(&self) -> Box<dyn DigestState>;
    /// Sets the output length. No effect on algorithms of a fixed length.
    fn set_length(&mut self, length: Option<usize>);
}

pub(super) struct Algorithm {
    pub name: &'static str,
    pub bytes: usize,
    pub block_bytes: usize,
    pub is_extendable: bool,
    pub create: fn() -> Box<dyn DigestState>,
}

#[derive(Clone)]
struct Fixed<D>(D);

#[derive(Clone)]
struct RingDigest(Context);

#[derive(Clone)]
struct Extendable<D, const BYTES: usize> {
    state: D,
    length: Option<usize>,
}

const ALGORITHMS: &[Algorithm] = &[
    fixed::<Blake2b512>("blake2b512", 64, 128),
    fixed::<Blake2s256>("blake2s256", 32, 64),
    fixed::<Md5>("md5", 16, 64),
    fixed::<Ripemd160>("ripemd160", 20, 64),
    fixed::<Sha1>("sha1", 20, 64),
    fixed::<Sha224>("sha224", 28, 64),
    fixed::<Sha256>("sha256", 32, 64),
    fixed::<Sha3_224>("sha3-224", 28, 144),
    fixed::<Sha3_256>("sha3-256", 32, 136),
    fixed::<Sha3_384>("sha3-384", 48, 104),
    fixed::<Sha3_512>("sha3-512", 64, 72),
    ring_digest("sha384", 48, || Box::new(RingDigest(Context::new(&ring::digest::SHA384)))),
    ring_digest("sha512", 64, || Box::new(RingDigest(Context::new(&ring::digest::SHA512)))),
    fixed::<Sha512_224>("sha512-224", 28, 128),
    fixed::<Sha512_256>("sha512-256", 32, 128),
    extendable::<Shake128, 16>("shake128", 168),
    extendable::<Shake256, 32>("shake256", 136),
];

/// Algorithms that `Bun` has and `node:crypto` lacks: they are found by their index alone.
const OF_BUN: &[Algorithm] = &[
    fixed::<Blake2b256>("blake2b256", 32, 128),
    Algorithm {
        name: "md4",
        bytes: md4::DIGEST_BYTES,
        block_bytes: md4::BLOCK_BYTES,
        is_extendable: false,
        create: || Box::new(Md4::default()),
    },
];

/// OpenSSL's aliases.
const ALIASES: &[(&str, &str)] = &[
    ("RSA-MD5", "md5"),
    ("RSA-RIPEMD160", "ripemd160"),
    ("RSA-SHA1", "sha1"),
    ("RSA-SHA1-2", "sha1"),
    ("RSA-SHA224", "sha224"),
    ("RSA-SHA256", "sha256"),
    ("RSA-SHA3-224", "sha3-224"),
    ("RSA-SHA3-256", "sha3-256"),
    ("RSA-SHA3-384", "sha3-384"),
    ("RSA-SHA3-512", "sha3-512"),
    ("RSA-SHA384", "sha384"),
    ("RSA-SHA512", "sha512"),
    ("RSA-SHA512/224", "sha512-224"),
    ("RSA-SHA512/256", "sha512-256"),
    ("id-rsassa-pkcs1-v1_5-with-sha3-224", "sha3-224"),
    ("id-rsassa-pkcs1-v1_5-with-sha3-256", "sha3-256"),
    ("id-rsassa-pkcs1-v1_5-with-sha3-384", "sha3-384"),
    ("id-rsassa-pkcs1-v1_5-with-sha3-512", "sha3-512"),
    ("md5WithRSAEncryption", "md5"),
    ("ripemd", "ripemd160"),
    ("ripemd160WithRSA", "ripemd160"),
    ("rmd160", "ripemd160"),
    ("sha1WithRSAEncryption", "sha1"),
    ("sha224WithRSAEncryption", "sha224"),
    ("sha256WithRSAEncryption", "sha256"),
    ("sha384WithRSAEncryption", "sha384"),
    ("sha512-224WithRSAEncryption", "sha512-224"),
    ("sha512-256WithRSAEncryption", "sha512-256"),
    ("sha512WithRSAEncryption", "sha512"),
    ("ssl3-md5", "md5"),
    ("ssl3-sha1", "sha1"),
];

/// Aliases that are accepted but not listed: with a hyphen, as in WebCrypto.
const UNLISTED: &[(&str, &str)] = &[
    ("sha-1", "sha1"),
    ("sha-224", "sha224"),
    ("sha-256", "sha256"),
    ("sha-384", "sha384"),
    ("sha-512", "sha512"),
    ("sha2-224", "sha224"),
    ("sha2-256", "sha256"),
    ("sha2-384", "sha384"),
    ("sha2-512", "sha512"),
    ("sha512/224", "sha512-224"),
    ("sha512/256", "sha512-256"),
    ("blake2b-512", "blake2b512"),
    ("blake2s-256", "blake2s256"),
    ("shake-128", "shake128"),
    ("shake-256", "shake256"),
];

impl Algorithm {
    /// Place of the algorithm among all.
    pub fn index(&self) -> usize {
        let mut all = ALGORITHMS.iter().chain(OF_BUN);
        all.position(|algorithm| algorithm.name == self.name).expect("it is one of them")
    }

    pub fn at(index: usize) -> Option<&'static Algorithm> {
        ALGORITHMS.iter().chain(OF_BUN).nth(index)
    }

    /// One that `Bun` alone has.
    pub fn find_of_bun(name: &str) -> Option<&'static Algorithm> {
        OF_BUN.iter().find(|algorithm| algorithm.name == name)
    }

    pub fn find(name: &str) -> Option<&'static Algorithm> {
        let is_name = |own: &str| own.eq_ignore_ascii_case(name);
        let found = ALGORITHMS.iter().find(|algorithm| is_name(algorithm.name));
        found.or_else(|| {
            let (_, own) = ALIASES.iter().chain(UNLISTED).find(|(other, _)| is_name(other))?;
            ALGORITHMS.iter().find(|algorithm| algorithm.name == *own)
        })
    }
}

/// All names, sorted by bytes, as OpenSSL lists them.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let own = ALGORITHMS.iter().map(|algorithm| algorithm.name);
    let mut names: Vec<_> = own.chain(ALIASES.iter().map(|(name, _)| *name)).collect();
    names.sort_unstable();
    names.into_iter()
}

const fn fixed<D>(name: &'static str, bytes: usize, block_bytes: usize) -> Algorithm
where
    D: Digest + Clone + Send + 'static,
{
    Algorithm { name, bytes, block_bytes, is_extendable: false, create: || Box::new(Fixed(D::new())) }
}

/// As [`fixed`], by `ring`, whose SHA-512 takes four fifths of the time of the `sha2` crate.
const fn ring_digest(name: &'static str, bytes: usize, create: fn() -> Box<dyn DigestState>) -> Algorithm {
    Algorithm { name, bytes, block_bytes: 128, is_extendable: false, create }
}

const fn extendable<D, const BYTES: usize>(name: &'static str, block_bytes: usize) -> Algorithm
where
    D: ExtendableOutput + Update + Default + Clone + Send + 'static,
{
    let create =
        || -> Box<dyn DigestState> { Box::new(Extendable::<D, BYTES> { state: D::default(), length: None }) };
    Algorithm { name, bytes: BYTES, block_bytes, is_extendable: true, create }
}

impl<D: Digest + Clone + Send + 'static> DigestState for Fixed<D> {
    fn update(&mut self, bytes: &[u8]) {
        Digest::update(&mut self.0, bytes);
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        self.0.finalize().to_vec()
    }

    fn copy(&self) -> Box<dyn DigestState> {
        Box::new(self.clone())
    }

    fn set_length(&mut self, _: Option<usize>) {}
}

impl DigestState for RingDigest {
    fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        self.0.finish().as_ref().to_vec()
    }

    fn copy(&self) -> Box<dyn DigestState> {
        Box::new(self.clone())
    }

    fn set_length(&mut self, _: Option<usize>) {}
}

impl<D: ExtendableOutput + Update + Clone + Send + 'static, const BYTES: usize> DigestState
    for Extendable<D, BYTES>
{
    fn update(&mut self, bytes: &[u8]) {
        self.state.update(bytes);
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        let mut digest = vec![0; self.length.unwrap_or(BYTES)];
        self.state.finalize_xof().read(&mut digest);
        digest
    }

    fn copy(&self) -> Box<dyn DigestState> {
        Box::new(self.clone())
    }

    fn set_length(&mut self, length: Option<usize>) {
        self.length = length;
    }
}
