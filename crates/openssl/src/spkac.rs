//! Signed public key and challenge (SPKAC), which `<keygen>` sent. In: untrusted bytes in base64.
//! Out: whether the signature is right, the challenge, the public key.

use std::ffi::{CString, c_int};

use crate::asn1::{elements, read_tlv};
use crate::error::{self, CryptoError};
use crate::key::Pkey;
use crate::library::open;
use crate::owned::{Owned, der};

pub struct Spkac(Owned);

impl Spkac {
    /// `None`: malformed.
    pub fn of_base64(text: &[u8]) -> Result<Option<Spkac>, CryptoError> {
        let symbols = open()?;
        let Ok(text) = CString::new(text) else { return Ok(None) };
        let count = c_int::try_from(text.as_bytes().len()).unwrap_or(0);
        // SAFETY: the text has this length.
        let raw = unsafe { (symbols.NETSCAPE_SPKI_b64_decode)(text.as_ptr(), count) };
        error::clear();
        if raw.is_null() {
            return Ok(None);
        }
        Owned::new(raw, symbols.NETSCAPE_SPKI_free, "malformed").map(|owned| Some(Spkac(owned)))
    }

    pub fn public_key(&self) -> Result<Pkey, CryptoError> {
        // SAFETY: the structure is alive; the key is a new reference.
        let raw = unsafe { (open()?.NETSCAPE_SPKI_get_pubkey)(self.0.raw()) };
        Pkey::of_raw(raw, "the key is malformed")
    }

    pub fn is_valid(&self) -> Result<bool, CryptoError> {
        let Ok(key) = self.public_key() else {
            error::clear();
            return Ok(false);
        };
        // SAFETY: structure and key are alive.
        let result = unsafe { (open()?.NETSCAPE_SPKI_verify)(self.0.raw(), key.raw()) };
        error::clear();
        Ok(result > 0)
    }

    pub fn challenge(&self) -> Result<Vec<u8>, CryptoError> {
        let symbols = open()?;
        // SAFETY: the structure is alive; `der` passes null or room for the length.
        let bytes = der("malformed", |target| unsafe { (symbols.i2d_NETSCAPE_SPKI)(self.0.raw(), target) })?;
        // SignedPublicKeyAndChallenge { PublicKeyAndChallenge { key, challenge }, ... }
        let inner = read_tlv(&bytes).and_then(|(outer, _)| read_tlv(outer.content));
        let challenge =
            inner.and_then(|(inner, _)| elements(inner.content).nth(1).map(|text| text.content.to_vec()));
        Ok(challenge.unwrap_or_default())
    }
}
