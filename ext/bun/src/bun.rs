//! `internalBinding('bun')`: hashes, semver and garbage collection for the global `Bun`. In: bytes,
//! versions, ranges. Out: hashes, orders. Absent: checks of arguments.

use std::cmp::Ordering;

use rusk_jsc::{Bytes, Call, Exception, Gc, Object, Outcome, Scope, Value};
use rusk_npm::semver::{Range, Version};

use rusk_hashes::Digest;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{string_argument, u32_argument};

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    let names = rusk_hashes::NAMES.map(|name| scope.string(name));
    binding.set_property(scope, "hashes", scope.array(&names)?.value())?;
    add(scope, binding, "hash", hash)?;
    // (version, range): whether the version is in the range.
    add(scope, binding, "satisfies", |scope, call| {
        let (version, range) = (string_argument(scope, call, 0)?, string_argument(scope, call, 1)?);
        let parsed = Version::parse(&version).zip(Range::parse(&range));
        Ok(scope.boolean(parsed.is_some_and(|(version, range)| range.contains(&version))))
    })?;
    add(scope, binding, "order", order)?;
    add(scope, binding, "color", crate::color::parse)?;
    // (whether to collect before the call returns)
    add(scope, binding, "collect", |scope, call| {
        scope.collect(if call.argument(scope, 0).is_truthy(scope) { Gc::Now } else { Gc::Soon });
        Ok(scope.undefined())
    })?;
    // Paths of the files that are embedded in this program.
    add(scope, binding, "embeddedFiles", |scope, _| {
        let paths = rusk_runtime::embedded_files().map(|files| files.assets()).unwrap_or_default();
        let paths: Vec<Value<'_>> = paths.iter().map(|path| scope.string(path)).collect();
        scope.array(&paths).map(Object::value)
    })?;
    Ok(binding)
}

/// (index in `hashes`, bytes or string, upper and lower half of the seed): a number for a 32-bit
/// hash, or both halves of a 64-bit hash.
fn hash<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let index = u32_argument(scope, call, 0)? as usize;
    let seed = u64::from(u32_argument(scope, call, 2)?) << 32 | u64::from(u32_argument(scope, call, 3)?);
    let data = call.argument(scope, 1);
    let digest = match Bytes::of(scope, data) {
        Some(bytes) => bytes.with_bytes_mut(scope, |bytes| rusk_hashes::hash(index, bytes, seed)),
        None => rusk_hashes::hash(index, data.to_rust_string(scope)?.as_bytes(), seed),
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

/// (version, version): -1, 0 or 1; or the string that is not a version.
fn order<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let (left, right) = (string_argument(scope, call, 0)?, string_argument(scope, call, 1)?);
    match (parse_partial(&left), parse_partial(&right)) {
        (None, _) => Ok(scope.string(&left)),
        (_, None) => Ok(scope.string(&right)),
        (Some(left), Some(right)) => Ok(scope.number(match left.cmp_precedence(&right) {
            Ordering::Less => -1.0,
            Ordering::Equal => 0.0,
            Ordering::Greater => 1.0,
        })),
    }
}

/// Parses a version whose last parts may be missing or wildcards; as in bun, it sorts after all
/// versions that have them.
fn parse_partial(text: &str) -> Option<Version> {
    const GREATEST: &str = "9007199254740991";
    Version::parse(text).or_else(|| {
        let bare = text.trim().trim_start_matches(['v', '=', ' ']);
        let (numbers, tail) = bare.split_at(bare.find(['-', '+']).unwrap_or(bare.len()));
        let mut parts: Vec<&str> = numbers.strip_suffix('.').unwrap_or(numbers).split('.').collect();
        if parts.len() > 3 || (parts.len() == 1 && !tail.is_empty()) {
            return None;
        }
        parts.resize(3, "*");
        let filled: Vec<&str> =
            parts.iter().map(|part| if matches!(*part, "x" | "X" | "*") { GREATEST } else { part }).collect();
        Version::parse(&format!("{}{tail}", filled.join(".")))
    })
}
