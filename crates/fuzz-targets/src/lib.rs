//! Fuzzing on stable Rust: runs seeds and their mutations through a target until the budget is
//! spent. In: a target, a seed for the mutations, a budget. Out: how many inputs ran, or the first
//! finding. The same seed gives the same inputs. `coverage` has libFuzzer
//! generate the inputs instead.

pub mod command;
mod coverage;
mod mutate;
pub mod record;
pub mod targets;

use mutate::Mutator;
use rustix::time::{ClockId, clock_gettime};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::time::{Duration, Instant};

pub use targets::{FuzzTarget, TARGETS};

/// An input that takes more processor time than this is a finding: a manifest of a few kilobytes
/// must not. An input that blocks is ended by [`command`]; wall time would report a busy machine.
const INPUT_MAX: Duration = Duration::from_secs(2);

/// When to stop without a finding: at whichever comes first.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub inputs: u64,
    pub time: Duration,
}

/// An input that a target failed on.
#[derive(Debug)]
pub struct Finding {
    pub input: Vec<u8>,
    pub what: String,
}

/// Runs one target; returns how many inputs it survived. `watch` is called before each input.
pub fn run(target: &FuzzTarget, seed: u64, budget: Budget, watch: impl Fn(&[u8])) -> Result<u64, Finding> {
    let seeds = target.all_seeds();
    let mut mutator = Mutator::new(seed, &seeds);
    let started = Instant::now();
    let mut count = 0;
    let spent = |count| count >= budget.inputs || started.elapsed() >= budget.time;
    for input in &seeds {
        survive(target, input, &watch)?;
    }
    while !spent(count) {
        survive(target, mutator.next(), &watch)?;
        count += 1;
    }
    Ok(count)
}

fn survive(target: &FuzzTarget, input: &[u8], watch: &impl Fn(&[u8])) -> Result<(), Finding> {
    watch(input);
    let started = processor_time();
    let run = panic::catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    let took = processor_time().saturating_sub(started);
    let what = match run {
        Err(thrown) => panic_message(thrown.as_ref()),
        Ok(()) if took > INPUT_MAX => format!("took {} ms", took.as_millis()),
        Ok(()) => return Ok(()),
    };
    Err(Finding { input: input.to_vec(), what })
}

/// Of all threads: deep input is parsed on a thread of its own.
fn processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

fn panic_message(thrown: &(dyn std::any::Any + Send)) -> String {
    let text = thrown.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| thrown.downcast_ref::<&str>().copied()).unwrap_or("a panic without a text").to_owned()
}

/// Stores a finding's input in `directory`; returns the message for the user.
pub fn save(directory: &Path, target: &FuzzTarget, finding: &Finding) -> String {
    let sum = finding
        .input
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let path = directory.join(format!("{}-{sum:016x}", target.name));
    let saved = std::fs::create_dir_all(directory).and_then(|()| std::fs::write(&path, &finding.input));
    let location = match saved {
        Ok(()) => path.display().to_string(),
        Err(error) => format!("{}: {error}", path.display()),
    };
    let (name, what, bytes) = (target.name, &finding.what, finding.input.len());
    let text = String::from_utf8_lossy(&finding.input[..bytes.min(200)]).escape_debug().to_string();
    format!(
        "{name}: {what}\n  input of {bytes} bytes: {location}\n  {text}\n  once fixed, keep it in fixtures/fuzz/{name}/"
    )
}

#[cfg(test)]
mod tests;
