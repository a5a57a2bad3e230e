//! Result of the verification of a peer's certificate, as Node names it.

use std::ffi::c_long;

use crate::library::symbols;
use crate::owned::text;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyFailure {
    /// The library's name without `X509_V_ERR_`.
    pub code: &'static str,
    pub message: String,
}

/// `X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT`.
pub(crate) const NO_CERTIFICATE: c_long = 2;

/// `None`: the certificate is accepted.
pub(crate) fn failure(result: c_long) -> Option<VerifyFailure> {
    if result == 0 {
        return None;
    }
    let code = usize::try_from(result).ok().and_then(|index| CODES.get(index)).copied();
    // SAFETY: the function accepts any number.
    let message = text(unsafe { (symbols().X509_verify_cert_error_string)(result) });
    Some(VerifyFailure { code: code.filter(|code| !code.is_empty()).unwrap_or("UNSPECIFIED"), message })
}

/// Names of `x509_vfy.h` by number; those for which Node has none are empty.
const CODES: [&str; 80] = {
    let mut codes = [""; 80];
    let known = [
        (2, "UNABLE_TO_GET_ISSUER_CERT"),
        (3, "UNABLE_TO_GET_CRL"),
        (4, "UNABLE_TO_DECRYPT_CERT_SIGNATURE"),
        (5, "UNABLE_TO_DECRYPT_CRL_SIGNATURE"),
        (6, "UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY"),
        (7, "CERT_SIGNATURE_FAILURE"),
        (8, "CRL_SIGNATURE_FAILURE"),
        (9, "CERT_NOT_YET_VALID"),
        (10, "CERT_HAS_EXPIRED"),
        (11, "CRL_NOT_YET_VALID"),
        (12, "CRL_HAS_EXPIRED"),
        (13, "ERROR_IN_CERT_NOT_BEFORE_FIELD"),
        (14, "ERROR_IN_CERT_NOT_AFTER_FIELD"),
        (15, "ERROR_IN_CRL_LAST_UPDATE_FIELD"),
        (16, "ERROR_IN_CRL_NEXT_UPDATE_FIELD"),
        (17, "OUT_OF_MEM"),
        (18, "DEPTH_ZERO_SELF_SIGNED_CERT"),
        (19, "SELF_SIGNED_CERT_IN_CHAIN"),
        (20, "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"),
        (21, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
        (22, "CERT_CHAIN_TOO_LONG"),
        (23, "CERT_REVOKED"),
        (25, "PATH_LENGTH_EXCEEDED"),
        (26, "INVALID_PURPOSE"),
        (27, "CERT_UNTRUSTED"),
        (28, "CERT_REJECTED"),
        (62, "HOSTNAME_MISMATCH"),
        (79, "INVALID_CA"),
    ];
    let mut index = 0;
    while index < known.len() {
        codes[known[index].0] = known[index].1;
        index += 1;
    }
    codes
};
