//! DNS: `internalBinding('dns')`. Resolves names by the system's resolver in the thread pool;
//! encodes and decodes DNS messages. In: a name or an address, options, a callback. Out: the
//! callback is called with the result or libuv's error number; messages as bytes and as records.
//! Absent: the order of addresses; sending.

use rusk_base::sys::name_resolution::{self, ResolveError};
use rusk_base::sys::socket::{Family, SocketAddr};
use rusk_jsc::{Bytes, Call, Exception, Object, Outcome, Root, Scope, Value};

use rusk_block_list as block_list;
use rusk_dns::{Answer, Part};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{bytes_or_utf8, i32_argument, string_argument, u32_argument};

/// libuv's numbers of the resolver's answers.
const NUMBERS: &[(i32, f64)] = &[
    (libc_codes::ADDRFAMILY, -3000.0),
    (libc_codes::AGAIN, -3001.0),
    (libc_codes::BADFLAGS, -3002.0),
    (libc_codes::FAIL, -3004.0),
    (libc_codes::FAMILY, -3005.0),
    (libc_codes::MEMORY, -3006.0),
    (libc_codes::NODATA, -3007.0),
    (libc_codes::NONAME, -3008.0),
    (libc_codes::OVERFLOW, -3009.0),
    (libc_codes::SERVICE, -3010.0),
    (libc_codes::SOCKTYPE, -3011.0),
];

/// As glibc has them.
mod libc_codes {
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

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    // name, family or 0, hints, function: called with a list of addresses, or a number less than 0.
    add(scope, binding, "addresses", |scope, call| {
        let (name, hints) = (string_argument(scope, call, 0)?, i32_argument(scope, call, 2)?);
        let family = match i32_argument(scope, call, 1)? {
            4 => Some(Family::Inet),
            6 => Some(Family::Inet6),
            _ => None,
        };
        ask(
            scope,
            call,
            3,
            move || name_resolution::getaddrinfo(&name, family, hints),
            |scope, found| {
                let found: Vec<_> = found.iter().map(|address| scope.string(&address.to_string())).collect();
                scope.array(&found).map(Object::value)
            },
        )
    })?;
    // address, port, function: called with `[state, service]`, or a number less than 0.
    add(scope, binding, "names", |scope, call| {
        let place =
            SocketAddr::parse_ip(&string_argument(scope, call, 0)?, i32_argument(scope, call, 1)? as u16);
        let question = move || match place {
            Some(SocketAddr::Inet(address)) => name_resolution::getnameinfo(address),
            // It is of an interface that there is not.
            _ => Err(ResolveError::Resolver(libc_codes::NONAME)),
        };
        ask(scope, call, 2, question, |scope, (state, service)| {
            scope.array(&[scope.string(&state), scope.string(&service)]).map(Object::value)
        })
    })?;
    // id, name, number of a kind. Out: bytes, or undefined: no state has this name.
    add(scope, binding, "question", |scope, call| {
        let question = rusk_dns::question(
            u32_argument(scope, call, 0)? as u16,
            &string_argument(scope, call, 1)?,
            u32_argument(scope, call, 2)? as u16,
        );
        question.map_or(Ok(scope.undefined()), |bytes| Bytes::from_vec(scope, bytes).map(Object::value))
    })?;
    // bytes. Out: `[id, code, whether it is cut, state, kind, records]`, or undefined: it is no
    // answer.
    add(scope, binding, "answer", |scope, call| {
        let answer = rusk_dns::answer(&bytes_or_utf8(scope, call.argument(scope, 0))?);
        answer.map_or(Ok(scope.undefined()), |answer| show_answer(scope, answer))
    })?;
    Ok(binding)
}

fn show_answer<'s>(scope: &'s Scope, answer: Answer) -> Outcome<'s> {
    let mut records = Vec::with_capacity(answer.records.len());
    for record in answer.records {
        let mut parts = vec![scope.number(record.kind.into()), scope.number(record.ttl_s.into())];
        for part in record.parts {
            parts.push(match part {
                Part::Number(number) => scope.number(number.into()),
                Part::Address(address) => scope.string(&block_list::render(address)),
                Part::Name(name) => scope.string(&name),
                Part::Text(text) => {
                    scope.string(&text.iter().map(|byte| char::from(*byte)).collect::<String>())
                }
                Part::Bytes(bytes) => Bytes::from_vec(scope, bytes)?.value(),
            });
        }
        records.push(scope.array(&parts)?.value());
    }
    let parts = [
        scope.number(answer.id.into()),
        scope.number(answer.code.into()),
        scope.boolean(answer.is_cut),
        scope.string(&answer.host),
        scope.number(answer.kind.into()),
        scope.array(&records)?.value(),
    ];
    scope.array(&parts).map(Object::value)
}

fn ask<'s, T: Send + 'static>(
    scope: &'s Scope,
    call: &Call<'s>,
    then: usize,
    job: impl FnOnce() -> Result<T, ResolveError> + Send + 'static,
    show: impl for<'t> FnOnce(&'t Scope, T) -> Outcome<'t> + 'static,
) -> Outcome<'s> {
    let then = Root::new(scope, call.argument(scope, then));
    RuntimeState::current().handle.queue_work(job, move |scope, answer| {
        let answer: Value<'_> = match answer {
            Ok(found) => show(scope, found)?,
            Err(why) => scope.number(number(why)),
        };
        let then = then.value(scope).as_function(scope).expect("JavaScript gave a function");
        then.call(scope, &[answer]).map(|_| ())
    });
    Ok(scope.boolean(true))
}

fn number(why: ResolveError) -> f64 {
    match why {
        ResolveError::System(errno) => f64::from(-errno),
        ResolveError::Resolver(code) => {
            NUMBERS.iter().find(|(theirs, _)| *theirs == code).map_or(-3004.0, |(_, ours)| *ours)
        }
    }
}
