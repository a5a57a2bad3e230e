//! `sanitize`: tests under tools that watch memory and threads. In: what to test. Out: nothing, or
//! the tool's report.

mod addons;
mod messages;

pub fn run(arguments: &[String]) -> Result<(), String> {
    match arguments.split_first() {
        Some((name, rest)) if name == "addons" => addons::run(rest),
        Some((name, rest)) if name == "messages" => messages::run(rest),
        _ => Err("expected `sanitize addons` or `sanitize messages`".to_owned()),
    }
}
