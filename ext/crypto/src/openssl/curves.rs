//! Elliptic curves of the class `ECDH`. In: names, points. Out: points, secrets.

use rusk_jsc::{Call, Exception, Object, Scope};
use rusk_openssl::{CryptoError, Curve, ErrorKind, curve_names};
use rusk_runtime::bindings::add;
use rusk_runtime::values::{string_argument, u32_argument};

use super::job::{JobOutput, throw};
use super::{finish, secret_bytes};

pub fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "curves", |scope, _| {
        let names = curve_names().map_err(|failure| throw(scope, &failure))?;
        let names: Vec<_> = names.iter().map(|name| scope.string(name)).collect();
        scope.array(&names).map(Object::value)
    })?;
    // `(curve)`: [name, bytes of a coordinate, bytes of a private key]; undefined: no such curve.
    add(scope, binding, "curve", |scope, call| {
        let found =
            Curve::find(&string_argument(scope, call, 0)?).map_err(|failure| throw(scope, &failure))?;
        let Some(curve) = found else { return Ok(scope.undefined()) };
        let (field, order) = (curve.field_bytes() as f64, curve.order_bytes() as f64);
        scope.array(&[scope.string(&curve.name), scope.number(field), scope.number(order)]).map(Object::value)
    })?;
    // `(curve, private key)`.
    add(scope, binding, "curveIsPrivate", |scope, call| {
        let key = secret_bytes(scope, call, 1)?;
        finish(scope, curve(scope, call)?.is_private_key(&key).map(JobOutput::Boolean))
    })?;
    // `(curve, private key)`: the public key, uncompressed.
    add(scope, binding, "curvePublic", |scope, call| {
        let key = secret_bytes(scope, call, 1)?;
        finish(scope, curve(scope, call)?.public_of_private(&key).map(JobOutput::Bytes))
    })?;
    // `(curve, point, form)`: undefined: it is not on the curve.
    add(scope, binding, "curveConvert", |scope, call| {
        let (point, form) = (secret_bytes(scope, call, 1)?, u32_argument(scope, call, 2)?);
        let converted = curve(scope, call)?.convert_point(&point, form);
        finish(scope, converted.map(|point| point.map_or(JobOutput::Nothing, JobOutput::Bytes)))
    })?;
    // `(curve, private key, public key)`: undefined: the latter is not on the curve.
    add(scope, binding, "curveSecret", |scope, call| {
        let (private, peer) = (secret_bytes(scope, call, 1)?, secret_bytes(scope, call, 2)?);
        let secret = curve(scope, call)?.compute_secret(&private, &peer);
        finish(scope, secret.map(|secret| secret.map_or(JobOutput::Nothing, JobOutput::Secret)))
    })
}

fn curve<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Curve, Exception<'s>> {
    let found = Curve::find(&string_argument(scope, call, 0)?).map_err(|failure| throw(scope, &failure))?;
    let unknown = || CryptoError::coded(ErrorKind::Type, "ERR_CRYPTO_INVALID_CURVE", "Invalid EC curve name");
    found.ok_or_else(|| throw(scope, &unknown()))
}
