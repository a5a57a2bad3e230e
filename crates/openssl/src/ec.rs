//! Elliptic curves: points and private keys, as the class `ECDH` uses them. In: a curve's name,
//! points in any of three forms. Out: points, secrets.

use std::ffi::{CString, c_int};
use std::ptr;

use crate::bignum::{self, Bignum};
use crate::error::{self, CryptoError};
use crate::library::{open, symbols};
use crate::owned::{Owned, text};
use crate::secret::SecretBytes;
use crate::symbols::BuiltinCurve;

pub struct Curve {
    group: Owned,
    /// The short name.
    pub name: String,
}

/// The names of all curves, in the library's order.
pub fn curve_names() -> Result<Vec<String>, CryptoError> {
    let symbols = open()?;
    // SAFETY: a null list asks for the number.
    let count = unsafe { (symbols.EC_get_builtin_curves)(ptr::null_mut(), 0) };
    let mut curves = vec![BuiltinCurve { nid: 0, comment: ptr::null() }; count];
    // SAFETY: the list has `count` entries.
    unsafe { (symbols.EC_get_builtin_curves)(curves.as_mut_ptr(), count) };
    // SAFETY: any number may be passed.
    Ok(curves.iter().map(|curve| text(unsafe { (symbols.OBJ_nid2sn)(curve.nid) })).collect())
}

impl Curve {
    /// By any of its names, as NIST's. `None`: no such curve.
    pub fn find(name: &str) -> Result<Option<Curve>, CryptoError> {
        let symbols = open()?;
        error::clear();
        let known = match name {
            "P-192" => "prime192v1",
            "P-224" => "secp224r1",
            "P-256" => "prime256v1",
            "P-384" => "secp384r1",
            "P-521" => "secp521r1",
            name => name,
        };
        let known = CString::new(known).unwrap_or_default();
        // SAFETY: the name ends in NUL; an unknown number gives null.
        let (group, name) = unsafe {
            let nid = (symbols.OBJ_txt2nid)(known.as_ptr());
            ((symbols.EC_GROUP_new_by_curve_name)(nid), text((symbols.OBJ_nid2sn)(nid)))
        };
        error::clear();
        if group.is_null() {
            return Ok(None);
        }
        Ok(Some(Curve { group: Owned::new(group, symbols.EC_GROUP_free, "no such curve")?, name }))
    }

    /// Bytes of a coordinate.
    pub fn field_bytes(&self) -> usize {
        // SAFETY: the group is alive.
        (unsafe { (symbols().EC_GROUP_get_degree)(self.group.raw()) }.max(0) as usize).div_ceil(8)
    }

    /// Bytes of a private key, and of one number of a signature.
    pub fn order_bytes(&self) -> usize {
        // SAFETY: the group is alive and keeps its order.
        let order = unsafe { (symbols().EC_GROUP_get0_order)(self.group.raw()) };
        bignum::bytes_of(order).len()
    }

    /// Whether a number may be a private key: more than 0, less than the order.
    pub fn is_private_key(&self, key: &[u8]) -> Result<bool, CryptoError> {
        let key = Bignum::of_bytes(key)?;
        // SAFETY: key and group are alive.
        let order = unsafe { (symbols().EC_GROUP_get0_order)(self.group.raw()) };
        // SAFETY: both numbers are alive.
        let is_less = unsafe { (symbols().BN_cmp)(key.raw(), order) } < 0;
        Ok(is_less && !key.bytes().is_empty())
    }

    fn point(&self) -> Result<Owned, CryptoError> {
        // SAFETY: the group is alive.
        let raw = unsafe { (symbols().EC_POINT_new)(self.group.raw()) };
        Owned::new(raw, symbols().EC_POINT_free, "out of memory")
    }

    fn read_point(&self, bytes: &[u8]) -> Result<Option<Owned>, CryptoError> {
        let point = self.point()?;
        // SAFETY: group and point are alive, the bytes live during the call.
        let result = unsafe {
            let read = symbols().EC_POINT_oct2point;
            read(self.group.raw(), point.raw(), bytes.as_ptr(), bytes.len(), ptr::null_mut())
        };
        error::clear();
        Ok((result == 1).then_some(point))
    }

    /// A point in another form: 2 compressed, 4 uncompressed, 6 hybrid. `None`: it is not on the
    /// curve.
    pub fn convert_point(&self, bytes: &[u8], form: u32) -> Result<Option<Vec<u8>>, CryptoError> {
        match self.read_point(bytes)? {
            Some(point) => self.write_point(&point, form).map(Some),
            None => Ok(None),
        }
    }

    fn write_point(&self, point: &Owned, form: u32) -> Result<Vec<u8>, CryptoError> {
        let write = symbols().EC_POINT_point2oct;
        let (group, point, form) = (self.group.raw(), point.raw(), form as c_int);
        // SAFETY: group and point are alive; a null target asks for the length.
        let count = unsafe { write(group, point, form, ptr::null_mut(), 0, ptr::null_mut()) };
        let mut bytes = vec![0_u8; count];
        // SAFETY: as above; the target has `count` bytes.
        let written = unsafe { write(group, point, form, bytes.as_mut_ptr(), count, ptr::null_mut()) };
        if count == 0 || written != count {
            return Err(CryptoError::take("Failed to get public key"));
        }
        Ok(bytes)
    }

    /// The public key of a private one, uncompressed.
    pub fn public_of_private(&self, private: &[u8]) -> Result<Vec<u8>, CryptoError> {
        let (point, number) = (self.point()?, Bignum::of_bytes(private)?);
        error::clear();
        // SAFETY: group, point and number are alive; null points leave the generator.
        let result = unsafe {
            let (multiply, none) = (symbols().EC_POINT_mul, ptr::null_mut());
            multiply(self.group.raw(), point.raw(), number.raw(), none, none, none)
        };
        if result != 1 {
            return Err(CryptoError::take("the public key was not computed"));
        }
        self.write_point(&point, 4)
    }

    /// The x coordinate of the shared point. `None`: the peer's key is not on the curve.
    pub fn compute_secret(&self, private: &[u8], peer: &[u8]) -> Result<Option<SecretBytes>, CryptoError> {
        let Some(peer) = self.read_point(peer)? else { return Ok(None) };
        let (shared, number, x) = (self.point()?, Bignum::of_bytes(private)?, Bignum::new()?);
        error::clear();
        // SAFETY: group, points and numbers are alive; a null number leaves out the generator, a
        // null coordinate is not computed.
        let is_done = unsafe {
            let none = ptr::null_mut();
            let (group, multiply) = (self.group.raw(), symbols().EC_POINT_mul);
            (symbols().EC_POINT_is_at_infinity)(group, peer.raw()) == 0
                && multiply(group, shared.raw(), none, peer.raw(), number.raw(), none) == 1
                && (symbols().EC_POINT_get_affine_coordinates)(group, shared.raw(), x.raw(), none, none) == 1
        };
        match is_done {
            true => Ok(Some(SecretBytes::new(bignum::padded_bytes_of(x.raw(), self.field_bytes())))),
            false => Err(CryptoError::take("Failed to compute ECDH key")),
        }
    }
}
