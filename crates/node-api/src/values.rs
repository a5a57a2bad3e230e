//! Primitive values, types and conversions (`napi_create_double`, `napi_typeof`,
//! `napi_coerce_to_string` and others). In: numbers of C, handles. Out: handles, numbers of C, with
//! Node's conversions. Absent: strings ([`crate::strings`]) and BigInts ([`crate::bigints`]).

use rusk_jsc::{ErrorKind, Exception, Kind, Scope, Value};

use crate::abi::{EnvPointer, Handle, Out, Status, ValueType};
use crate::env::{Cx, Outcome};
use crate::instance::Operation;
use crate::objects::to_object;
use crate::reference_functions::external_data;

fn create(env: EnvPointer, result: Out<Handle>, make: impl for<'s> FnOnce(&'s Scope) -> Value<'s>) -> Status {
    env.plain(|cx| {
        let result = result.check()?;
        cx.give(result, make(cx.scope))
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_undefined(env: EnvPointer, result: Out<Handle>) -> Status {
    create(env, result, |scope| scope.undefined())
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_null(env: EnvPointer, result: Out<Handle>) -> Status {
    create(env, result, |scope| scope.null())
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_global(env: EnvPointer, result: Out<Handle>) -> Status {
    create(env, result, |scope| scope.global().value())
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_boolean(env: EnvPointer, value: bool, result: Out<Handle>) -> Status {
    create(env, result, |scope| scope.boolean(value))
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_double(env: EnvPointer, value: f64, result: Out<Handle>) -> Status {
    create(env, result, |scope| scope.number(value))
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_int32(env: EnvPointer, value: i32, result: Out<Handle>) -> Status {
    create(env, result, |scope| scope.integer(value))
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_uint32(env: EnvPointer, value: u32, result: Out<Handle>) -> Status {
    create(env, result, |scope| scope.number(f64::from(value)))
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_int64(env: EnvPointer, value: i64, result: Out<Handle>) -> Status {
    create(env, result, |scope| scope.number(value as f64))
}

#[unsafe(no_mangle)]
extern "C" fn napi_typeof(env: EnvPointer, value: Handle, result: Out<ValueType>) -> Status {
    env.plain(|cx| {
        let value = value.value(cx.scope)?;
        result.check()?.set(type_of(cx.scope, value));
        Ok(())
    })
}

fn type_of(scope: &Scope, value: Value<'_>) -> ValueType {
    match value.kind(scope) {
        Kind::Undefined => ValueType::Undefined,
        Kind::Null => ValueType::Null,
        Kind::Boolean => ValueType::Boolean,
        Kind::Number => ValueType::Number,
        Kind::String => ValueType::String,
        Kind::Symbol => ValueType::Symbol,
        Kind::BigInt => ValueType::Bigint,
        Kind::Object if value.as_function(scope).is_some() => ValueType::Function,
        Kind::Object if external_data(scope, value).is_some() => ValueType::External,
        Kind::Object => ValueType::Object,
    }
}

/// Reads a number of C.
fn read_number<T>(env: EnvPointer, value: Handle, result: Out<T>, convert: fn(f64) -> T) -> Status {
    env.plain(|cx| {
        let value = value.value(cx.scope)?;
        let result = result.check()?;
        if value.kind(cx.scope) != Kind::Number {
            return Err(Status::NumberExpected.into());
        }
        result.set(convert(value.to_number(cx.scope)?));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_value_double(env: EnvPointer, value: Handle, result: Out<f64>) -> Status {
    read_number(env, value, result, |number| number)
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_value_int32(env: EnvPointer, value: Handle, result: Out<i32>) -> Status {
    read_number(env, value, result, |number| to_u32(number) as i32)
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_value_uint32(env: EnvPointer, value: Handle, result: Out<u32>) -> Status {
    read_number(env, value, result, to_u32)
}

/// What is not finite is 0; what is out of range is the limit.
#[unsafe(no_mangle)]
extern "C" fn napi_get_value_int64(env: EnvPointer, value: Handle, result: Out<i64>) -> Status {
    read_number(env, value, result, |number| if number.is_finite() { number as i64 } else { 0 })
}

/// `ToUint32` of the language: modulo 2 to the 32nd.
fn to_u32(number: f64) -> u32 {
    const RANGE: f64 = 4_294_967_296.0;
    if !number.is_finite() {
        return 0;
    }
    // `%` of floating-point numbers is exact.
    let rest = (number - number % 1.0) % RANGE;
    (if rest < 0.0 { rest + RANGE } else { rest }) as u32
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_value_bool(env: EnvPointer, value: Handle, result: Out<bool>) -> Status {
    env.plain(|cx| {
        let value = value.value(cx.scope)?;
        let result = result.check()?;
        if value.kind(cx.scope) != Kind::Boolean {
            return Err(Status::BooleanExpected.into());
        }
        result.set(value.is_truthy(cx.scope));
        Ok(())
    })
}

fn coerce(
    env: EnvPointer,
    value: Handle,
    result: Out<Handle>,
    convert: impl for<'s> FnOnce(Cx<'s>, Value<'s>) -> Outcome<'s, Value<'s>>,
) -> Status {
    env.run(|cx| {
        let value = value.value(cx.scope)?;
        let result = result.check()?;
        let converted = convert(cx, value)?;
        cx.give(result, converted)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_coerce_to_bool(env: EnvPointer, value: Handle, result: Out<Handle>) -> Status {
    coerce(env, value, result, |cx, value| Ok(cx.scope.boolean(value.is_truthy(cx.scope))))
}

#[unsafe(no_mangle)]
extern "C" fn napi_coerce_to_number(env: EnvPointer, value: Handle, result: Out<Handle>) -> Status {
    coerce(env, value, result, |cx, value| {
        if value.kind(cx.scope) == Kind::BigInt {
            // The engine's own function converts it.
            let message = "Cannot convert a BigInt value to a number";
            let thrown = Exception::new(cx.scope, ErrorKind::Type, message);
            return Err(cx.refuse(thrown, Status::NumberExpected));
        }
        let number = value.to_number(cx.scope);
        Ok(cx.scope.number(number.map_err(|thrown| cx.refuse(thrown, Status::NumberExpected))?))
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_coerce_to_object(env: EnvPointer, value: Handle, result: Out<Handle>) -> Status {
    coerce(env, value, result, |cx, value| Ok(to_object(cx, value)?.value()))
}

#[unsafe(no_mangle)]
extern "C" fn napi_coerce_to_string(env: EnvPointer, value: Handle, result: Out<Handle>) -> Status {
    coerce(env, value, result, |cx, value| {
        let text = cx.env.instance.call_js(cx.scope, Operation::ToText, &[value]);
        text.map_err(|thrown| cx.refuse(thrown, Status::StringExpected))
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_strict_equals(env: EnvPointer, left: Handle, right: Handle, result: Out<bool>) -> Status {
    env.run(|cx| {
        let (left, right) = (left.value(cx.scope)?, right.value(cx.scope)?);
        result.check()?.set(left.is_same(right, cx.scope));
        Ok(())
    })
}

/// Asks a operation whether a value is of a kind.
fn ask(env: EnvPointer, value: Handle, result: Out<bool>, operation: Operation) -> Status {
    env.plain(|cx| {
        let value = value.value(cx.scope)?;
        let result = result.check()?;
        let answer = value.as_object(cx.scope).is_some()
            && cx.env.instance.call_js(cx.scope, operation, &[value])?.is_truthy(cx.scope);
        result.set(answer);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_is_array(env: EnvPointer, value: Handle, result: Out<bool>) -> Status {
    env.plain(|cx| {
        let value = value.value(cx.scope)?;
        result.check()?.set(value.is_array(cx.scope));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_is_error(env: EnvPointer, value: Handle, result: Out<bool>) -> Status {
    ask(env, value, result, Operation::IsError)
}

#[unsafe(no_mangle)]
extern "C" fn napi_is_promise(env: EnvPointer, value: Handle, result: Out<bool>) -> Status {
    ask(env, value, result, Operation::IsPromise)
}

#[unsafe(no_mangle)]
extern "C" fn napi_is_arraybuffer(env: EnvPointer, value: Handle, result: Out<bool>) -> Status {
    ask(env, value, result, Operation::IsArrayBuffer)
}

#[unsafe(no_mangle)]
extern "C" fn node_api_is_sharedarraybuffer(env: EnvPointer, value: Handle, result: Out<bool>) -> Status {
    ask(env, value, result, Operation::IsSharedArrayBuffer)
}

#[unsafe(no_mangle)]
extern "C" fn napi_is_detached_arraybuffer(env: EnvPointer, value: Handle, result: Out<bool>) -> Status {
    ask(env, value, result, Operation::IsDetached)
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_date(env: EnvPointer, time_ms: f64, result: Out<Handle>) -> Status {
    env.run(|cx| {
        let result = result.check()?;
        let arguments = [cx.scope.number(time_ms)];
        let date = cx.env.instance.call_js(cx.scope, Operation::CreateDate, &arguments)?;
        cx.give(result, date)
    })
}

/// The time of a date; `undefined`: it is none.
fn date_value<'s>(cx: Cx<'s>, value: Value<'s>) -> Outcome<'s, Option<f64>> {
    let time = cx.env.instance.call_js(cx.scope, Operation::DateValue, &[value])?;
    match time.is_undefined(cx.scope) {
        true => Ok(None),
        false => Ok(Some(time.to_number(cx.scope)?)),
    }
}

#[unsafe(no_mangle)]
extern "C" fn napi_is_date(env: EnvPointer, value: Handle, result: Out<bool>) -> Status {
    env.plain(|cx| {
        let value = value.value(cx.scope)?;
        let result = result.check()?;
        result.set(date_value(cx, value)?.is_some());
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_date_value(env: EnvPointer, value: Handle, result: Out<f64>) -> Status {
    env.run(|cx| {
        let value = value.value(cx.scope)?;
        let result = result.check()?;
        result.set(date_value(cx, value)?.ok_or(Status::DateExpected)?);
        Ok(())
    })
}
