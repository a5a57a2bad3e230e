//! Test suites of other bundlers with `rusk build`: `conformance esbuild`, `conformance rolldown`
//! and `conformance bun-bundler`, by the scripts of these names in `conformance/`. In: a checkout.
//! Out: counts, and the names of tests that fail. Needs node; that of bun needs bun.

use crate::report::{self, Json};
use crate::{files, peers, process};
use rusk_npm::json::{Dialect, Node, Value, parse};
use std::path::PathBuf;
use std::process::Command;

pub const SUITES: &[&str] = &["esbuild", "rolldown", "bun-bundler"];

/// What the harness of bun imports.
const PACKAGES: &[&str] = &["esbuild@0.28.2", "dedent@1.7.0"];

/// `CHECKOUT [--rusk PROGRAM] [--no-keep]`
#[allow(clippy::print_stdout, reason = "the counts are the output of the task")]
pub fn run(suite: &str, arguments: &[String]) -> Result<(), String> {
    let (mut checkout, mut rusk, mut keeps) = (None, None, true);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--no-keep" => keeps = false,
            "--rusk" => rusk = Some(rest.next().ok_or("expected a program after `--rusk`")?.into()),
            directory => checkout = Some(directory.to_owned()),
        }
    }
    let checkout = checkout.ok_or_else(|| format!("expected a checkout of {suite}"))?;
    let rusk: PathBuf = rusk.map_or_else(peers::rusk, Ok)?;
    let mut command = Command::new("node");
    command
        .arg(files::root().join(format!("conformance/{suite}.mjs")))
        .args([checkout.as_ref(), rusk.as_os_str()]);
    if suite == "bun-bundler" {
        let directory = files::target().join("conformance-bun-bundler");
        peers::install_into(&directory, "{\"private\": true}", PACKAGES, "esbuild")?;
        command.arg(directory.join("node_modules")).arg(peers::find().join("bun"));
    }
    let ended = process::succeed(&mut command)?;
    let line = ended.output.lines().last().unwrap_or_default().to_owned();
    let counts = parse(&line, Dialect::Strict).map_err(|error| format!("{line}: {error:?}"))?;
    let of = |key: &str| counts.find(key).map(number).unwrap_or_default();
    println!("{} of {} tests pass", of("passed"), of("passed") + of("failed"));
    if !keeps {
        return Ok(());
    }
    let json = stored(&counts);
    files::write(&files::root().join(format!("conformance/{suite}.json")), &json.render())
}

fn number(node: &Node<'_>) -> f64 {
    match node.value {
        Value::Number(digits) => digits.parse().unwrap_or_default(),
        _ => 0.0,
    }
}

/// The counts of a script as they are stored.
fn stored(counts: &Node<'_>) -> Json {
    let mut members = vec![("date".to_owned(), Json::text(report::today()))];
    for key in ["passed", "failed"] {
        members.push((key.to_owned(), Json::number(counts.find(key).map(number).unwrap_or_default())));
    }
    let left_out = counts.find("leftOut").map(Node::members).unwrap_or_default();
    let left_out = left_out.iter().map(|one| (one.key.to_string(), Json::number(number(&one.node))));
    members.push(("left_out".to_owned(), Json::Object(left_out.collect())));
    if let Some(failures) = counts.find("failures") {
        let names = failures.elements().iter().filter_map(|name| name.as_str());
        members.push(("failures".to_owned(), Json::List(names.map(Json::text).collect())));
    }
    Json::Object(members)
}
