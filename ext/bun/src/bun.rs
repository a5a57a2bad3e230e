//! `internalBinding('bun')`: what the global `Bun` asks of Rust and no other builtin does. In:
//! bytes, versions, ranges. Out: hashes, orders. Absent: checks of arguments.

use std::cmp::Ordering;

use rusk_jsc::{Bytes, Call, Exception, Gc, Object, Outcome, Scope};
use rusk_npm::semver::{Range, Version};

use rusk_hashes::Digest;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{id, text};

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add(scope, natives, "hash", hash)?;
    // version, range
    add(scope, natives, "satisfies", |scope, call| {
        let (version, range) = (text(scope, call, 0)?, text(scope, call, 1)?);
        let both = Version::parse(&version).zip(Range::parse(&range));
        Ok(scope.boolean(both.is_some_and(|(version, range)| range.contains(&version))))
    })?;
    add(scope, natives, "order", order)?;
    // whether now
    add(scope, natives, "collect", |scope, call| {
        scope.collect(if call.argument(scope, 0).is_truthy(scope) { Gc::Now } else { Gc::Soon });
        Ok(scope.undefined())
    })?;
    Ok(natives)
}

/// number of the hash, bytes or a text, upper and lower half of the seed. Out: a number, or both
/// halves of one of 64 bits.
fn hash<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let number = id(scope, call, 0)? as usize;
    let seed = u64::from(id(scope, call, 2)?) << 32 | u64::from(id(scope, call, 3)?);
    let piece = call.argument(scope, 1);
    let digest = match Bytes::of(scope, piece) {
        Some(bytes) => bytes.with_bytes_mut(scope, |bytes| rusk_hashes::hash(number, bytes, seed)),
        None => rusk_hashes::hash(number, piece.to_rust_string(scope)?.as_bytes(), seed),
    };
    match digest {
        None => Ok(scope.undefined()),
        Some(Digest::Word(word)) => Ok(scope.number(f64::from(word))),
        Some(Digest::Long(long)) => {
            let halves = [(long >> 32) as u32, long as u32].map(|half| scope.number(f64::from(half)));
            scope.array(&halves).map(Object::value)
        }
    }
}

/// Two versions. Out: -1, 0 or 1; the text that is no version.
fn order<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let (one, other) = (text(scope, call, 0)?, text(scope, call, 1)?);
    match (whole_or_part(&one), whole_or_part(&other)) {
        (None, _) => Ok(scope.string(&one)),
        (_, None) => Ok(scope.string(&other)),
        (Some(one), Some(other)) => Ok(scope.number(match one.cmp_precedence(&other) {
            Ordering::Less => -1.0,
            Ordering::Equal => 0.0,
            Ordering::Greater => 1.0,
        })),
    }
}

/// A version that may lack its last parts, or have a wildcard for them: as in bun, it comes behind
/// all that have them.
fn whole_or_part(text: &str) -> Option<Version> {
    const BEHIND_ALL: &str = "9007199254740991";
    Version::parse(text).or_else(|| {
        let bare = text.trim().trim_start_matches(['v', '=', ' ']);
        let (numbers, tail) = bare.split_at(bare.find(['-', '+']).unwrap_or(bare.len()));
        let mut parts: Vec<&str> = numbers.strip_suffix('.').unwrap_or(numbers).split('.').collect();
        if parts.len() > 3 || (parts.len() == 1 && !tail.is_empty()) {
            return None;
        }
        parts.resize(3, "*");
        let filled: Vec<&str> = parts
            .iter()
            .map(|part| if matches!(*part, "x" | "X" | "*") { BEHIND_ALL } else { part })
            .collect();
        Version::parse(&format!("{}{tail}", filled.join(".")))
    })
}
