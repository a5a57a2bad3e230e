//! `cargo xtask conformance`: somebody else's judgement beside ours. Absent: anything that tests need offline.

mod modules;
pub(crate) mod scan;
mod trace;

/// Runs the named comparison.
pub fn run(arguments: &[String]) -> Result<(), String> {
    match arguments.split_first() {
        Some((name, rest)) if name == "modules" => modules::run(rest),
        Some((name, rest)) if name == "trace" => trace::run(rest),
        _ => Err("expected `conformance modules FOLDER...` or `conformance trace`".to_owned()),
    }
}
