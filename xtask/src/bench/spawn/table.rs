//! Prints the numbers of a scenario, 80 columns wide. Times in microseconds.

use super::results::{Measure, SpawnRow};
use super::scenario::{Scenario, Watch};

#[allow(clippy::print_stdout, reason = "the table is the output of the task")]
pub fn print(scenario: &Scenario, rows: &[SpawnRow]) {
    println!("\n{}: {}", scenario.name, scenario.description);
    let is_timer = scenario.watch == Watch::Timer;
    println!("{}", if is_timer { timer_head() } else { head() });
    for row in rows.iter().filter(|row| row.scenario == scenario.name) {
        match &row.failure {
            Some(message) => println!("{:<12}  {message}", row.method),
            None if is_timer => println!("{}", timer_line(row)),
            None => println!("{}", line(row)),
        }
    }
}

fn head() -> String {
    format!(
        "{:<12}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>7}{:>7}{:>6}",
        "", "call p50", "p90", "p99", "exec", "reaped", "mean", "cpu", "child", "/s"
    )
}

fn line(row: &SpawnRow) -> String {
    let call = row.find(Measure::Call).cloned().unwrap_or_default();
    let reaped = row.find(Measure::Reaped).cloned().unwrap_or_default();
    let p50 = |measure| row.find(measure).map_or_else(|| "–".to_owned(), |own| short(own.p50));
    let mean = |measure| row.find(measure).map_or_else(|| "–".to_owned(), |own| short(own.mean));
    format!(
        "{:<12}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>7}{:>7}{:>6}",
        row.method,
        short(call.p50),
        short(call.p90),
        short(call.p99),
        p50(Measure::Exec),
        short(reaped.p50),
        short(reaped.mean),
        mean(Measure::ParentCpu),
        mean(Measure::ChildCpu),
        row.find(Measure::PerSecond).map_or_else(String::new, |own| format!("{:.0}", own.p50)),
    )
}

fn timer_head() -> String {
    format!("{:<12}{:>9}{:>9}{:>9}{:>9}{:>9}", "", "late p50", "p90", "p99", "max", "ticks")
}

fn timer_line(row: &SpawnRow) -> String {
    let late = row.find(Measure::TimerDelay).cloned().unwrap_or_default();
    let [p50, p90, p99, max] = [late.p50, late.p90, late.p99, late.max].map(short);
    format!("{:<12}{p50:>9}{p90:>9}{p99:>9}{max:>9}{:>9}", row.method, late.samples)
}

/// One decimal for small numbers.
pub fn short(number: f64) -> String {
    if number < 100.0 { format!("{number:.1}") } else { format!("{number:.0}") }
}
