//! X.509 certificates. In: untrusted PEM or DER. Out: their fields, checks of names, signatures.
//! Absent: chains; rendering of extensions, whose DER is returned.

use std::ffi::{CString, c_long, c_ulong};
use std::ptr;

use crate::asn1::{elements, object_id, read_tlv};
use crate::bignum::Bignum;
use crate::bio::Bio;
use crate::error::{self, CryptoError};
use crate::key::Pkey;
use crate::key_format::write_pem;
use crate::library::{open, symbols};
use crate::owned::{Owned, der, take_allocated, text};
use crate::symbols::Raw;

/// `ASN1_STRFLGS_ESC_2253 | ESC_CTRL | UTF8_CONVERT | XN_FLAG_SEP_MULTILINE | XN_FLAG_FN_SN`.
const NAME_FLAGS: c_ulong = 0x1 | 0x2 | 0x10 | (4 << 16);

pub struct Certificate(Owned);

/// One attribute of a distinguished name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameEntry {
    pub name: String,
    pub value: String,
}

/// A name to compare with those of a certificate.
pub enum HostCheck<'c> {
    /// With `X509_CHECK_FLAG_*`.
    Host(&'c str, u32),
    Email(&'c str, u32),
    Ip(&'c str),
}

impl Certificate {
    /// PEM or DER.
    pub fn parse(bytes: &[u8]) -> Result<Certificate, CryptoError> {
        let symbols = open()?;
        // The tag of a sequence: DER, unless a line of text before a PEM block begins with it.
        if bytes.first() == Some(&0x30)
            && let Ok(certificate) = Certificate::of_der(bytes)
        {
            return Ok(certificate);
        }
        let bio = Bio::reader(bytes)?;
        error::clear();
        // SAFETY: the BIO is alive; there is no passphrase.
        let raw =
            unsafe { (symbols.PEM_read_bio_X509_AUX)(bio.raw(), ptr::null_mut(), None, ptr::null_mut()) };
        if !raw.is_null() {
            error::clear();
            return Owned::new(raw, symbols.X509_free, "malformed").map(Certificate);
        }
        let first = CryptoError::take("malformed");
        Certificate::of_der(bytes).map_err(|second| if bytes.first() == Some(&0x30) { second } else { first })
    }

    pub fn of_der(bytes: &[u8]) -> Result<Certificate, CryptoError> {
        let symbols = open()?;
        error::clear();
        let mut first = bytes.as_ptr();
        // SAFETY: the bytes live during the call; null asks for a new certificate.
        let raw = unsafe { (symbols.d2i_X509)(ptr::null_mut(), &raw mut first, bytes.len() as c_long) };
        Owned::new(raw, symbols.X509_free, "malformed").map(Certificate)
    }

    /// Takes ownership; null is an error.
    pub(crate) fn of_raw(raw: Raw) -> Result<Certificate, CryptoError> {
        Owned::new(raw, symbols().X509_free, "malformed").map(Certificate)
    }

    /// A new reference to a certificate that another object of the library keeps.
    pub(crate) fn of_shared(raw: Raw) -> Option<Certificate> {
        if !raw.is_null() {
            // SAFETY: the caller has a live certificate.
            unsafe { (symbols().X509_up_ref)(raw) };
        }
        Certificate::of_raw(raw).ok()
    }

    pub(crate) fn raw(&self) -> Raw {
        self.0.raw()
    }

    pub fn der(&self) -> Result<Vec<u8>, CryptoError> {
        // SAFETY: the certificate is alive; `der` passes null or room for the length.
        der("malformed", |target| unsafe { (symbols().i2d_X509)(self.raw(), target) })
    }

    pub fn pem(&self) -> Result<Vec<u8>, CryptoError> {
        write_pem("CERTIFICATE", &self.der()?)
    }

    fn subject_name(&self) -> Raw {
        // SAFETY: the certificate is alive and keeps its name.
        unsafe { (symbols().X509_get_subject_name)(self.raw()) }
    }

    fn issuer_name(&self) -> Raw {
        // SAFETY: as above.
        unsafe { (symbols().X509_get_issuer_name)(self.raw()) }
    }

    /// The attributes, one a line. `None`: they cannot be rendered.
    pub fn subject(&self) -> Result<Option<String>, CryptoError> {
        render_name(self.subject_name())
    }

    pub fn issuer(&self) -> Result<Option<String>, CryptoError> {
        render_name(self.issuer_name())
    }

    pub fn subject_entries(&self) -> Vec<NameEntry> {
        name_entries(self.subject_name())
    }

    pub fn issuer_entries(&self) -> Vec<NameEntry> {
        name_entries(self.issuer_name())
    }

    /// As `Sep  3 21:40:37 2022 GMT`.
    pub fn valid_from(&self) -> Result<String, CryptoError> {
        // SAFETY: the certificate is alive and keeps its times.
        render_time(unsafe { (symbols().X509_get0_notBefore)(self.raw()) })
    }

    pub fn valid_to(&self) -> Result<String, CryptoError> {
        // SAFETY: as above.
        render_time(unsafe { (symbols().X509_get0_notAfter)(self.raw()) })
    }

    /// The serial number's bytes; a negative one gives those of its absolute value.
    pub fn serial(&self) -> Result<Vec<u8>, CryptoError> {
        // SAFETY: the certificate is alive and keeps its number; null asks for a new one.
        let number = unsafe {
            (symbols().ASN1_INTEGER_to_BN)((symbols().X509_get0_serialNumber)(self.raw()), ptr::null_mut())
        };
        Ok(Bignum::of_raw(number)?.bytes())
    }

    pub fn public_key(&self) -> Result<Pkey, CryptoError> {
        error::clear();
        // SAFETY: the certificate is alive; the key is a new reference.
        Pkey::of_raw(unsafe { (symbols().X509_get_pubkey)(self.raw()) }, "malformed")
    }

    /// The DER value of an extension, by the library's number. `None`: there is none.
    pub fn extension(&self, nid: i32) -> Option<Vec<u8>> {
        // SAFETY: the certificate is alive and keeps its extensions.
        let data = unsafe {
            let index = (symbols().X509_get_ext_by_NID)(self.raw(), nid, -1);
            if index < 0 {
                return None;
            }
            (symbols().X509_EXTENSION_get_data)((symbols().X509_get_ext)(self.raw(), index))
        };
        (!data.is_null()).then(|| string_bytes(data))
    }

    pub fn is_ca(&self) -> bool {
        // SAFETY: the certificate is alive.
        let result = unsafe { (symbols().X509_check_ca)(self.raw()) } == 1;
        error::clear();
        result
    }

    /// The name in the certificate that matched. `None`: none does.
    pub fn check(&self, check: &HostCheck<'_>) -> Result<Option<String>, CryptoError> {
        let (HostCheck::Host(name, _) | HostCheck::Email(name, _) | HostCheck::Ip(name)) = check;
        let c_name = CString::new(*name).unwrap_or_default();
        let mut peer = ptr::null_mut();
        error::clear();
        // SAFETY: the certificate is alive; the name has the length that is passed and ends in NUL.
        let result = unsafe {
            match check {
                HostCheck::Host(_, flags) => {
                    let check = symbols().X509_check_host;
                    check(self.raw(), c_name.as_ptr(), name.len(), *flags, &raw mut peer)
                }
                HostCheck::Email(_, flags) => {
                    (symbols().X509_check_email)(self.raw(), c_name.as_ptr(), name.len(), *flags)
                }
                HostCheck::Ip(_) => (symbols().X509_check_ip_asc)(self.raw(), c_name.as_ptr(), 0),
            }
        };
        let matched = text(peer);
        take_allocated(peer.cast(), matched.len());
        match result {
            1 if peer.is_null() => Ok(Some((*name).to_owned())),
            1 => Ok(Some(matched)),
            0 => Ok(None),
            -2 => Err(CryptoError::coded(crate::ErrorKind::Type, "ERR_INVALID_ARG_VALUE", "Invalid name")),
            _ => Err(CryptoError::take("the name was not checked")),
        }
    }

    pub fn is_issued_by(&self, issuer: &Certificate) -> bool {
        // SAFETY: both certificates are alive.
        let result = unsafe { (symbols().X509_check_issued)(issuer.raw(), self.raw()) } == 0;
        error::clear();
        result
    }

    pub fn has_private_key(&self, key: &Pkey) -> bool {
        // SAFETY: certificate and key are alive.
        let result = unsafe { (symbols().X509_check_private_key)(self.raw(), key.raw()) } == 1;
        error::clear();
        result
    }

    pub fn is_signed_by(&self, key: &Pkey) -> bool {
        // SAFETY: certificate and key are alive.
        let result = unsafe { (symbols().X509_verify)(self.raw(), key.raw()) } == 1;
        error::clear();
        result
    }

    /// The long name of the signature algorithm, and its object identifier.
    pub fn signature_algorithm(&self) -> Result<(Option<String>, Option<String>), CryptoError> {
        // SAFETY: the certificate is alive; any number has a name or null.
        let nid = unsafe { (symbols().X509_get_signature_nid)(self.raw()) };
        // SAFETY: as above.
        let name = (nid != 0).then(|| text(unsafe { (symbols().OBJ_nid2ln)(nid) }));
        let bytes = self.der()?;
        // Certificate { tbs, algorithm { identifier, ... }, signature }
        let algorithm = read_tlv(&bytes).and_then(|(outer, _)| elements(outer.content).nth(1));
        let identifier = algorithm.and_then(|algorithm| read_tlv(algorithm.content));
        Ok((name, identifier.and_then(|(identifier, _)| object_id(identifier.content))))
    }
}

fn render_name(name: Raw) -> Result<Option<String>, CryptoError> {
    let bio = Bio::writer()?;
    // SAFETY: BIO and name are alive.
    let result = unsafe { (symbols().X509_NAME_print_ex)(bio.raw(), name, 0, NAME_FLAGS) };
    error::clear();
    Ok((result > 0).then(|| bio.written_text()))
}

fn render_time(time: Raw) -> Result<String, CryptoError> {
    let bio = Bio::writer()?;
    // SAFETY: BIO and time are alive.
    unsafe { (symbols().ASN1_TIME_print)(bio.raw(), time) };
    error::clear();
    Ok(bio.written_text())
}

fn name_entries(name: Raw) -> Vec<NameEntry> {
    // SAFETY: the name is alive; it keeps its entries.
    let count = unsafe { (symbols().X509_NAME_entry_count)(name) };
    (0..count).filter_map(|index| name_entry(name, index)).collect()
}

fn name_entry(name: Raw, index: i32) -> Option<NameEntry> {
    let symbols = symbols();
    let (mut first, mut label) = (ptr::null_mut(), [0_u8; 128]);
    // SAFETY: the name is alive and keeps the entry, which keeps object and value; the label has
    // the size that is passed.
    let (short, count) = unsafe {
        let entry = (symbols.X509_NAME_get_entry)(name, index);
        let object = (symbols.X509_NAME_ENTRY_get_object)(entry);
        let nid = (symbols.OBJ_obj2nid)(object);
        let short = match nid {
            0 => {
                (symbols.OBJ_obj2txt)(label.as_mut_ptr().cast(), label.len() as i32, object, 1);
                let end = label.iter().position(|byte| *byte == 0)?;
                String::from_utf8_lossy(&label[..end]).into_owned()
            }
            nid => text((symbols.OBJ_nid2sn)(nid)),
        };
        (short, (symbols.ASN1_STRING_to_UTF8)(&raw mut first, (symbols.X509_NAME_ENTRY_get_data)(entry)))
    };
    error::clear();
    let value = (count >= 0).then(|| take_allocated(first, count as usize))?;
    Some(NameEntry { name: short, value: String::from_utf8_lossy(&value).into_owned() })
}

fn string_bytes(string: Raw) -> Vec<u8> {
    // SAFETY: the string is alive and keeps its bytes.
    unsafe {
        let count = (symbols().ASN1_STRING_length)(string).max(0) as usize;
        let first = (symbols().ASN1_STRING_get0_data)(string);
        if first.is_null() { Vec::new() } else { std::slice::from_raw_parts(first, count).to_vec() }
    }
}
