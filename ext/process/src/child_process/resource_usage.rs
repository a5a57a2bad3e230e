//! Resource usage of a child process that has exited (wait4(2), getrusage(2)). Out: numbers at the
//! indexes of [`usage`].

use rusk_jsc::{Object, Outcome, Scope};
use rusk_spawn::Usage;

rusk_runtime::shared_constants! {
    /// Indexes of the numbers.
    pub(super) mod usage: usize {
        USER_MICROSECONDS = 0,
        SYSTEM_MICROSECONDS = 1,
        RESIDENT_BYTES_MAX = 2,
        SHARED_BYTES = 3,
        SWAPS = 4,
        BLOCKS_IN = 5,
        BLOCKS_OUT = 6,
        MESSAGES_SENT = 7,
        MESSAGES_RECEIVED = 8,
        SIGNALS = 9,
        VOLUNTARY_SWITCHES = 10,
        INVOLUNTARY_SWITCHES = 11,
    }
}

pub(super) const COUNT: usize = usage::ALL.len();

pub(super) fn numbers(of: &Usage) -> [f64; COUNT] {
    let mut numbers = [0; COUNT];
    numbers[usage::USER_MICROSECONDS] = of.user.as_micros() as u64;
    numbers[usage::SYSTEM_MICROSECONDS] = of.system.as_micros() as u64;
    numbers[usage::RESIDENT_BYTES_MAX] = of.resident_bytes_max;
    numbers[usage::SHARED_BYTES] = of.shared_bytes;
    numbers[usage::SWAPS] = of.swaps;
    numbers[usage::BLOCKS_IN] = of.blocks_in;
    numbers[usage::BLOCKS_OUT] = of.blocks_out;
    numbers[usage::MESSAGES_SENT] = of.messages_sent;
    numbers[usage::MESSAGES_RECEIVED] = of.messages_received;
    numbers[usage::SIGNALS] = of.signals;
    numbers[usage::VOLUNTARY_SWITCHES] = of.switches_voluntary;
    numbers[usage::INVOLUNTARY_SWITCHES] = of.switches_involuntary;
    numbers.map(|number| number as f64)
}

pub(super) fn to_array<'s>(scope: &'s Scope, of: &Usage) -> Outcome<'s> {
    let numbers = numbers(of).map(|number| scope.number(number));
    scope.array(&numbers).map(Object::value)
}
