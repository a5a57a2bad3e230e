//! What a child used until its end. In: the kernel's account. Out: numbers, in the order in which
//! js/internal/bun/resource_usage.js names them: microseconds, bytes, counts.

use rusk_jsc::{Object, Outcome, Scope};
use rusk_spawn::Usage;

pub(super) const USAGE_NUMBERS: usize = 12;

pub(super) fn numbers(usage: &Usage) -> [f64; USAGE_NUMBERS] {
    let numbers = [
        usage.user.as_micros() as u64,
        usage.system.as_micros() as u64,
        usage.resident_bytes_max,
        usage.shared_bytes,
        usage.swaps,
        usage.blocks_in,
        usage.blocks_out,
        usage.messages_sent,
        usage.messages_received,
        usage.signals,
        usage.switches_voluntary,
        usage.switches_involuntary,
    ];
    numbers.map(|number| number as f64)
}

pub(super) fn show<'s>(scope: &'s Scope, usage: &Usage) -> Outcome<'s> {
    let numbers = numbers(usage).map(|number| scope.number(number));
    scope.array(&numbers).map(Object::value)
}
