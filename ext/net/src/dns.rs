//! DNS: `internalBinding('dns')`. Calls getaddrinfo(3) and getnameinfo(3) in the thread pool;
//! encodes and decodes DNS messages. In: a name or an address, options, a callback. Out: the
//! callback is called with the result or libuv's error number; messages as bytes and as records.
//! Absent: the order of addresses; sending.

use rusk_base::sys::name_resolution::{self, ResolveError};
use rusk_base::sys::socket::{Family, SocketAddr};
use rusk_jsc::{Bytes, Call, Exception, Object, Outcome, Root, Scope, Value};

use rusk_block_list as block_list;
use rusk_dns::{Field, Response};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::{bytes_or_utf8, i32_argument, string_argument, u32_argument};

/// libuv's error number of each error code of getaddrinfo(3).
const UV_ERRORS: &[(i32, f64)] = &[
    (eai::ADDRFAMILY, -3000.0),
    (eai::AGAIN, -3001.0),
    (eai::BADFLAGS, -3002.0),
    (eai::FAIL, -3004.0),
    (eai::FAMILY, -3005.0),
    (eai::MEMORY, -3006.0),
    (eai::NODATA, -3007.0),
    (eai::NONAME, -3008.0),
    (eai::OVERFLOW, -3009.0),
    (eai::SERVICE, -3010.0),
    (eai::SOCKTYPE, -3011.0),
];

/// The `EAI_*` codes of glibc.
mod eai {
    pub const BADFLAGS: i32 = -1;
    pub const NONAME: i32 = -2;
    pub const AGAIN: i32 = -3;
    pub const FAIL: i32 = -4;
    pub const NODATA: i32 = -5;
    pub const FAMILY: i32 = -6;
    pub const SOCKTYPE: i32 = -7;
    pub const SERVICE: i32 = -8;
    pub const ADDRFAMILY: i32 = -9;
    pub const MEMORY: i32 = -10;
    pub const OVERFLOW: i32 = -12;
}

rusk_runtime::shared_constants! {
    /// TYPE values of records.
    mod record_type: u16 {
        A = rusk_dns::record_type::A,
        NS = rusk_dns::record_type::NS,
        CNAME = rusk_dns::record_type::CNAME,
        SOA = rusk_dns::record_type::SOA,
        PTR = rusk_dns::record_type::PTR,
        MX = rusk_dns::record_type::MX,
        TXT = rusk_dns::record_type::TXT,
        AAAA = rusk_dns::record_type::AAAA,
        SRV = rusk_dns::record_type::SRV,
        NAPTR = rusk_dns::record_type::NAPTR,
        TLSA = rusk_dns::record_type::TLSA,
        ANY = rusk_dns::record_type::ANY,
        CAA = rusk_dns::record_type::CAA,
    }
}

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "recordType", record_type::ALL)?;
    // Arguments: name, family or 0, hints, a callback that gets a list of addresses or a negative
    // errno.
    add(scope, binding, "getaddrinfo", |scope, call| {
        let (name, hints) = (string_argument(scope, call, 0)?, i32_argument(scope, call, 2)?);
        let family = match i32_argument(scope, call, 1)? {
            4 => Some(Family::Inet),
            6 => Some(Family::Inet6),
            _ => None,
        };
        queue_query(
            scope,
            call,
            3,
            move || name_resolution::getaddrinfo(&name, family, hints),
            |scope, addresses| {
                let strings = addresses.iter().map(|address| scope.string(&address.to_string()));
                scope.array(&strings.collect::<Vec<_>>()).map(Object::value)
            },
        )
    })?;
    // Argument: name. Returns its first address, or undefined: the thread waits for the resolver.
    add(scope, binding, "resolveNow", |scope, call| {
        let found = name_resolution::getaddrinfo(&string_argument(scope, call, 0)?, None, 0);
        let first = found.ok().and_then(|addresses| addresses.into_iter().next());
        Ok(first.map_or(scope.undefined(), |address| scope.string(&address.to_string())))
    })?;
    // Arguments: address, port, a callback that gets `[host, service]` or a negative errno.
    add(scope, binding, "getnameinfo", |scope, call| {
        let address =
            SocketAddr::parse_ip(&string_argument(scope, call, 0)?, i32_argument(scope, call, 1)? as u16);
        let query = move || match address {
            Some(SocketAddr::Inet(address)) => name_resolution::getnameinfo(address),
            // The interface of its scope does not exist.
            _ => Err(ResolveError::Resolver(eai::NONAME)),
        };
        queue_query(scope, call, 2, query, |scope, (host, service)| {
            scope.array(&[scope.string(&host), scope.string(&service)]).map(Object::value)
        })
    })?;
    // Arguments: id, host name, record type. Returns bytes, or undefined if the name is invalid.
    add(scope, binding, "encodeQuery", |scope, call| {
        let query = rusk_dns::encode_query(
            u32_argument(scope, call, 0)? as u16,
            &string_argument(scope, call, 1)?,
            u32_argument(scope, call, 2)? as u16,
        );
        query.map_or(Ok(scope.undefined()), |bytes| Bytes::from_vec(scope, bytes).map(Object::value))
    })?;
    // Argument: bytes. Returns `[id, rcode, isTruncated, host, recordType, records]`, or undefined
    // if the response is malformed.
    add(scope, binding, "decodeResponse", |scope, call| {
        let response = rusk_dns::decode_response(&bytes_or_utf8(scope, call.argument(scope, 0))?);
        response.map_or(Ok(scope.undefined()), |response| response_array(scope, response))
    })?;
    Ok(binding)
}

fn response_array<'s>(scope: &'s Scope, response: Response) -> Outcome<'s> {
    let mut records = Vec::with_capacity(response.records.len());
    for record in response.records {
        let mut values = vec![scope.number(record.record_type.into()), scope.number(record.ttl_s.into())];
        for field in record.fields {
            values.push(match field {
                Field::Number(number) => scope.number(number.into()),
                Field::Address(address) => scope.string(&block_list::render(address)),
                Field::Name(name) => scope.string(&name),
                Field::Text(text) => {
                    scope.string(&text.iter().map(|byte| char::from(*byte)).collect::<String>())
                }
                Field::Bytes(bytes) => Bytes::from_vec(scope, bytes)?.value(),
            });
        }
        records.push(scope.array(&values)?.value());
    }
    let values = [
        scope.number(response.id.into()),
        scope.number(response.rcode.into()),
        scope.boolean(response.is_truncated),
        scope.string(&response.host),
        scope.number(response.record_type.into()),
        scope.array(&records)?.value(),
    ];
    scope.array(&values).map(Object::value)
}

/// Runs `query` in the thread pool. The argument at index `callback` is called with the result.
fn queue_query<'s, T: Send + 'static>(
    scope: &'s Scope,
    call: &Call<'s>,
    callback: usize,
    query: impl FnOnce() -> Result<T, ResolveError> + Send + 'static,
    to_value: impl for<'t> FnOnce(&'t Scope, T) -> Outcome<'t> + 'static,
) -> Outcome<'s> {
    let callback = Root::new(scope, call.argument(scope, callback));
    RuntimeState::current().handle.queue_work(query, move |scope, result| {
        let result: Value<'_> = match result {
            Ok(result) => to_value(scope, result)?,
            Err(error) => scope.number(uv_errno(error)),
        };
        let callback = callback.value(scope).as_function(scope).expect("JavaScript passes a function");
        callback.call(scope, &[result]).map(|_| ())
    });
    Ok(scope.boolean(true))
}

fn uv_errno(error: ResolveError) -> f64 {
    match error {
        ResolveError::System(errno) => f64::from(-errno),
        ResolveError::Resolver(code) => {
            let known = UV_ERRORS.iter().find(|(eai, _)| *eai == code);
            known.map_or(-3004.0, |(_, errno)| *errno)
        }
    }
}
