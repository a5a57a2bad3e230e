//! Ed25519 signatures of short messages, by `ring` instead of the library: in an unoptimized build
//! 24 µs of processor time for each, of OpenSSL 3.0's 36. In: a private key and its public key.
//! Out: the same signatures, which are determined by key and message. Absent: verification, where
//! implementations differ about unusual keys; long messages, most of whose time is the hash's,
//! which is faster in the library.

use std::mem::{self, ManuallyDrop};
use std::ptr;

use ring::signature::Ed25519KeyPair;

use crate::secret::wipe;

/// `NID_ED25519` of `obj_mac.h`.
pub const NID: i32 = 1087;
/// Up to here `ring` is faster.
pub const MESSAGE_BYTES_MAX: usize = 16 * 1024;

/// A private key, which is zeroed when dropped.
pub struct Ed25519Signer(Box<ManuallyDrop<Ed25519KeyPair>>);

impl Ed25519Signer {
    /// `None`: the two do not belong together, or are no keys.
    pub fn new(private: &[u8], public: &[u8]) -> Option<Ed25519Signer> {
        let pair = Ed25519KeyPair::from_seed_and_public_key(private, public).ok()?;
        Some(Ed25519Signer(Box::new(ManuallyDrop::new(pair))))
    }

    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        self.0.sign(message).as_ref().to_vec()
    }
}

impl Drop for Ed25519Signer {
    fn drop(&mut self) {
        const { assert!(!mem::needs_drop::<Ed25519KeyPair>(), "nothing else has to be freed") };
        let first = ptr::from_mut(&mut *self.0).cast::<u8>();
        // SAFETY: the pair is plain bytes without an owner elsewhere, and is not used after this.
        wipe(unsafe { std::slice::from_raw_parts_mut(first, mem::size_of::<Ed25519KeyPair>()) });
    }
}
