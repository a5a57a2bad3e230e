//! OpenSSL's libcrypto and libssl, the shared libraries of the distribution, as safe Rust types.
//! In: the libraries, which are opened at first use. Out: ciphers, digests, keys, signatures,
//! certificates; TLS connections without I/O; the library's errors as values. Absent: a JavaScript
//! engine; the choice of defaults.
//!
//! Every value that owns an object of the library was made by a function that opened it, so methods
//! need not ask again. Objects are freed when dropped, and bytes that may be secret are zeroed
//! ([`SecretBytes`]).
#![allow(unsafe_code)]

mod asn1;
mod bignum;
mod bio;
mod certificate;
mod cipher;
mod dh;
mod digest;
mod ec;
mod ed25519;
mod error;
mod key;
mod key_format;
mod library;
mod mac;
mod operation;
mod owned;
mod params;
mod secret;
mod secure_heap;
mod signature;
mod spkac;
mod symbols;
pub mod tls;

pub use asn1::{Tlv, read_tlv};
pub use bignum::{check_prime, generate_prime};
pub use certificate::{Certificate, HostCheck, NameEntry};
pub use cipher::{Cipher, CipherContext, CipherInfo, Direction, TAG_BYTES_MAX, cipher_names};
pub use dh::{DhContext, DhParameters, named_prime};
pub use digest::{DigestContext, digest_size};
pub use ec::{Curve, curve_names};
pub use error::{CryptoError, ErrorEntry, ErrorKind};
pub use key::{KeyHandle, KeyMaterial, Pkey, RawHalf, Selection};
pub use key_format::{DerKind, KeyRead, PrivateFormat};
pub use library::{OLDEST, Version, version};
pub use mac::{derive_kdf, mac};
pub use operation::{Operation, Recover};
pub use params::Params;
pub use secret::{SecretBytes, are_equal, wipe};
pub use secure_heap::{SecureHeap, secure_heap_used, start_secure_heap};
pub use signature::{der_to_p1363, p1363_to_der};
pub use spkac::Spkac;
