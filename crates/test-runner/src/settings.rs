//! Settings that all requests share, as JSON for the JavaScript half. In: options. Out: one line.

use rusk_npm::json::text;

use crate::options::TestOptions;

/// The line. `concurrent`: indexes of files whose tests are all concurrent.
pub fn render(options: &TestOptions, has_colors: bool, concurrent: &[usize]) -> String {
    let timeout = if options.timeout_ms.is_finite() { options.timeout_ms } else { 0.0 };
    let mut members = vec![
        ("timeout", timeout.to_string()),
        ("retry", options.retry.to_string()),
        ("runsTodo", options.runs_todo.to_string()),
        ("onlyMarked", options.only_marked.to_string()),
        ("isConcurrent", options.is_concurrent.to_string()),
        ("maxConcurrency", options.max_concurrency.to_string()),
        ("isCi", options.is_ci.to_string()),
        ("updatesSnapshots", options.updates_snapshots.to_string()),
        ("hasColors", has_colors.to_string()),
        ("preloads", text::array(options.preloads.iter().map(|name| text::string(name)))),
        ("concurrentFiles", text::array(concurrent.iter().map(usize::to_string))),
    ];
    if let Some(pattern) = &options.name_pattern {
        members.push(("pattern", text::string(pattern)));
    }
    if options.coverage.is_some() {
        members.push(("coverageRoot", text::string(&options.root.to_string_lossy())));
    }
    if let Some(seed) = options.seed {
        members.push(("seed", seed.to_string()));
    }
    text::object(&members)
}
