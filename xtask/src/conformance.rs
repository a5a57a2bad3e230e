//! `cargo xtask conformance`: somebody else's judgement beside ours. Absent: anything that tests need offline.

pub(crate) mod list;
mod modules;
pub(crate) mod node;
pub(crate) mod scan;
mod trace;

/// Runs the named comparison.
pub fn run(arguments: &[String]) -> Result<(), String> {
    match arguments.split_first() {
        Some((name, rest)) if name == "node" => node::run(rest),
        Some((name, rest)) if name == "modules" => modules::run(rest),
        Some((name, rest)) if name == "trace" => trace::run(rest),
        _ => Err("expected `conformance modules FOLDER...`, `conformance node --tests FOLDER` or `conformance trace`".to_owned()),
    }
}
