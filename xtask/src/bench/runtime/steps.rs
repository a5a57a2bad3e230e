//! Startup steps, as `RUSK_STARTUP_TRACE=steps` prints them. In: that output. Out: each step in
//! milliseconds; an error if one is missing, because the output no longer describes the start.

/// Before main a process can only measure its own processor time.
const STEPS: [&str; 6] = [
    "before main, in CPU time",
    "open the engine",
    "make a VM",
    "run our own scripts",
    "load the program",
    "since main",
];

pub fn read(message: &str) -> Result<Vec<(String, f64)>, String> {
    let took = |step: &str| {
        let line = message.lines().find_map(|line| line.trim_start().strip_prefix(step));
        let milliseconds = line.and_then(last_time).ok_or_else(|| format!("`{step}` is not reported"))?;
        Ok((format!("{step}, ms"), milliseconds))
    };
    STEPS.iter().map(|step| took(step)).collect()
}

/// The last time in a line, which is the duration of the step; the one before it is when it
/// started.
fn last_time(line: &str) -> Option<f64> {
    let arguments: Vec<&str> = line.split_whitespace().collect();
    let mut times = arguments.windows(2).filter_map(|pair| {
        let in_milliseconds = match pair[1] {
            "ns" => 1e-6,
            "µs" => 1e-3,
            "ms" => 1.0,
            "s" => 1e3,
            _ => return None,
        };
        pair[0].parse::<f64>().ok().map(|number| number * in_milliseconds)
    });
    times.next_back()
}

#[cfg(test)]
mod tests;
