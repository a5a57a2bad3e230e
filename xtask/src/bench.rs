//! `cargo xtask bench`: the ruler. The method and its caveats stand in `bench/README.md`.

mod install;
mod table;
mod tools;

/// Runs the named benchmark.
pub fn run(arguments: &[String]) -> Result<(), String> {
    match arguments.split_first() {
        Some((name, rest)) if name == "install" => install::run(rest),
        _ => Err("expected `bench install`".to_owned()),
    }
}
