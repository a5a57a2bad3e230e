//! `conformance esbuild`: esbuild's end-to-end tests with `rusk build`, by
//! `conformance/esbuild.mjs`. In: a checkout of esbuild. Out: counts, `conformance/esbuild.json`.
//! Needs node.

use crate::report::{self, Json};
use crate::{files, peers, process};
use rusk_npm::json::{Dialect, Node, Value, parse};
use std::process::Command;

/// `CHECKOUT [--rusk PROGRAM] [--no-keep]`
#[allow(clippy::print_stdout, reason = "the counts are the output of the task")]
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (mut checkout, mut rusk, mut keeps) = (None, None, true);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--no-keep" => keeps = false,
            "--rusk" => rusk = Some(rest.next().ok_or("expected a program after `--rusk`")?.into()),
            directory => checkout = Some(directory.to_owned()),
        }
    }
    let checkout = checkout.ok_or("expected a checkout of esbuild")?;
    let rusk = rusk.map_or_else(peers::rusk, Ok)?;
    let script = files::root().join("conformance/esbuild.mjs");
    let mut command = Command::new("node");
    command.arg(script).args([checkout.as_ref(), rusk.as_os_str()]);
    let ended = process::succeed(&mut command)?;
    let line = ended.output.lines().last().unwrap_or_default().to_owned();
    let counts = parse(&line, Dialect::Strict).map_err(|error| format!("{line}: {error:?}"))?;
    let number = |node: &Node<'_>| match node.value {
        Value::Number(digits) => digits.parse().unwrap_or_default(),
        _ => 0.0,
    };
    let of = |key: &str| counts.find(key).map(number).unwrap_or_default();
    let left_out = counts.find("leftOut").map(Node::members).unwrap_or_default();
    let left_out = left_out.iter().map(|one| (one.key.to_string(), Json::number(number(&one.node))));
    println!("{} of {} tests pass", of("passed"), of("passed") + of("failed"));
    if !keeps {
        return Ok(());
    }
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("passed", Json::number(of("passed"))),
        ("failed", Json::number(of("failed"))),
        ("left_out", Json::Object(left_out.collect())),
    ]);
    files::write(&files::root().join("conformance/esbuild.json"), &json.render())
}
