//! External test suites: `cargo xtask conformance NAME`. Absent: everything that our tests need
//! offline.

mod browser;
mod bundler;
pub(crate) mod flags;
mod matchers;
mod modules;
pub(crate) mod node;
pub(crate) mod node_api;
pub(crate) mod programs;
pub(crate) mod scan;
pub(crate) mod summary;
pub(crate) mod test262;
mod test_runner;
mod trace;
mod verdicts;
pub(crate) mod wpt;

/// Runs the named suite.
pub fn run(arguments: &[String]) -> Result<(), String> {
    match arguments.split_first() {
        Some((name, rest)) if name == "browser" => browser::run(rest),
        Some((name, rest)) if name == "node" => node::run(rest),
        Some((name, rest)) if name == "node-api" => node_api::run(rest),
        Some((name, rest)) if bundler::SUITES.contains(&name.as_str()) => bundler::run(name, rest),
        Some((name, rest)) if name == "matchers" => matchers::run(rest),
        Some((name, rest)) if name == "modules" => modules::run(rest),
        Some((name, rest)) if name == "programs" => programs::run(rest),
        Some((name, rest)) if name == "test262" => test262::run(rest),
        Some((name, rest)) if name == "wpt" => wpt::run(rest),
        Some((name, rest)) if name == "trace" => trace::run(rest),
        _ => Err("expected `conformance browser`, `conformance bun-bundler`, `conformance esbuild`, `conformance matchers`, `conformance modules`, `conformance node`, `conformance node-api`, `conformance programs`, `conformance rolldown`, `conformance test262`, `conformance trace` or \
                  `conformance wpt`"
            .to_owned()),
    }
}
