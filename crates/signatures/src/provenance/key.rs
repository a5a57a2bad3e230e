//! A key pair on P-256 that exists for one statement. The private half never leaves the process.

use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use rusk_base::Result;

use super::problem;
use crate::registry_keys::P256_PREFIX;

pub struct EphemeralKey {
    pair: EcdsaKeyPair,
    random: SystemRandom,
}

impl EphemeralKey {
    pub fn generate() -> Result<EphemeralKey> {
        let random = SystemRandom::new();
        let algorithm = &ECDSA_P256_SHA256_ASN1_SIGNING;
        let document =
            EcdsaKeyPair::generate_pkcs8(algorithm, &random).map_err(|_| problem::no_signature())?;
        let pair = EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random)
            .map_err(|_| problem::no_signature())?;
        Ok(EphemeralKey { pair, random })
    }

    /// DER of the SubjectPublicKeyInfo (RFC 5280).
    pub fn public_key(&self) -> Vec<u8> {
        [&P256_PREFIX, self.pair.public_key().as_ref()].concat()
    }

    /// ECDSA with SHA-256, as DER.
    pub fn sign(&self, message: &[u8]) -> Result<Vec<u8>> {
        let signature = self.pair.sign(&self.random, message).map_err(|_| problem::no_signature())?;
        Ok(signature.as_ref().to_vec())
    }
}
