//! The Rust programs of `cargo xtask bench spawn`: rusk-spawn, std's Command and tokio's. In: a
//! method and `key=value` arguments, the same for every program of the benchmark. Out: one line of
//! JSON with every sample in nanoseconds. A child that fails ends the run.

mod method;
mod run;
mod scenario;
mod sys;
mod timer;

use method::{Method, rusk::Rusk, std_command::StdCommand, tokio_command::TokioCommand};
use run::Samples;
use scenario::{Scenario, Watch};
use std::fmt::Write;
use std::fs::File;
use std::io;
use std::time::{Duration, Instant};
use timer::Timer;

/// Children that are started before the measurement, to warm up page tables and caches.
const WARM_UP: usize = 8;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let scenario = Scenario::parse(&arguments).map_err(io::Error::other)?;
    if scenario.method == "rusk" {
        rusk_spawn::reserve(scenario.flight)?;
    }
    let open: Vec<File> = (0..scenario.open).map(|_| File::open("/dev/null")).collect::<io::Result<_>>()?;
    let touched = vec![1_u8; scenario.touched_mib << 20];
    let line = match scenario.method.as_str() {
        "rusk" | "rusk_late" => measure(&mut Rusk::new(&scenario), &scenario)?,
        "std" => measure(&mut StdCommand::new(&scenario), &scenario)?,
        "tokio" => measure(&mut TokioCommand::new(&scenario)?, &scenario)?,
        method => return Err(io::Error::other(format!("no method `{method}`"))),
    };
    drop((open, std::hint::black_box(touched)));
    print(&line);
    Ok(())
}

#[allow(clippy::print_stdout, reason = "the samples are what was asked for")]
fn print(line: &str) {
    println!("{line}");
}

fn measure(method: &mut impl Method, scenario: &Scenario) -> io::Result<String> {
    run::run(method, scenario, WARM_UP.min(scenario.count))?;
    let timer = (scenario.watch == Watch::Timer).then(Timer::start);
    let before = (sys::cpu(sys::Whose::Own), sys::cpu(sys::Whose::Children));
    let began = Instant::now();
    let samples = run::run(method, scenario, scenario.count)?;
    let wall = began.elapsed();
    let parent = sys::cpu(sys::Whose::Own) - before.0;
    let children = sys::cpu(sys::Whose::Children) - before.1;
    let late = timer.map(Timer::stop).unwrap_or_default();
    Ok(render(&samples, &late, [("wall", wall), ("parent_cpu", parent), ("child_cpu", children)]))
}

fn render(samples: &Samples, late: &[Duration], times: [(&str, Duration); 3]) -> String {
    let mut line = String::from("{");
    let lists =
        [("call", &*samples.call), ("exec", &*samples.exec), ("reaped", &*samples.reaped), ("late", late)];
    for (name, list) in lists {
        let list: Vec<String> = list.iter().map(|sample| sample.as_nanos().to_string()).collect();
        let _ = write!(line, "\"{name}\": [{}], ", list.join(", "));
    }
    let times = times.map(|(name, time)| format!("\"{name}\": {}", time.as_nanos()));
    line + &times.join(", ") + "}"
}
