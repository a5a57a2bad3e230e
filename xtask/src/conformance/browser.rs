//! `conformance browser`: the development server in a real browser. In: the application of
//! `fixtures/browser`, installed by rusk into `target/browser`, and a Chromium. Out:
//! `conformance/browser.json`: the cases, and the time from a save to the browser's update. A case
//! that fails is an error. Needs the network, to install React.

use super::flags::ConformanceFlags;
use crate::{files, process};
use std::path::{Path, PathBuf};
use std::process::Command;

const FILE: &str = "conformance/browser.json";

#[allow(clippy::print_stdout, reason = "the results are the output of the task")]
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = ConformanceFlags::read("browser", arguments)?;
    let browser = flags.areas.first().map_or("chromium", String::as_str);
    let application = application(&flags.rusk)?;
    let cases = driver(&flags.rusk, &application, browser, &flags.rusk, &[])?;
    println!("{cases}");
    let mut times = Vec::new();
    for (name, program) in [("rusk", Some(&flags.rusk)), ("bun", flags.bun.as_ref())] {
        let Some(program) = program else { continue };
        let application = self::application(&flags.rusk)?;
        let printed = driver(&flags.rusk, &application, browser, program, &["--times"])?;
        println!("{name}: {printed}");
        times.push(format!("\"{name}\": {}", printed.trim()));
    }
    let text = format!("{{\n\"cases\": {},\n\"times\": {{ {} }}\n}}\n", cases.trim(), times.join(",\n"));
    files::write(&files::root().join(FILE), &text)?;
    match cases
        .lines()
        .filter(|line| line.contains("\": \""))
        .all(|line| line.contains("\"passes\"") || line.contains("\"browser\""))
    {
        true => Ok(()),
        false => Err("a case fails".to_owned()),
    }
}

/// A fresh copy of the application, installed.
fn application(rusk: &Path) -> Result<PathBuf, String> {
    let directory = files::target().join("browser");
    files::empty(&directory)?;
    files::copy(&files::root().join("fixtures/browser/app"), &directory)?;
    process::succeed(Command::new(rusk).arg("install").current_dir(&directory))?;
    Ok(directory)
}

/// Runs the driver, itself a program of rusk.
fn driver(
    rusk: &Path,
    application: &Path,
    browser: &str,
    program: &Path,
    flags: &[&str],
) -> Result<String, String> {
    let mut command = Command::new(rusk);
    command.arg(files::root().join("fixtures/browser/run.mjs")).arg(application).arg(browser).arg(program);
    let done = process::succeed(command.args(flags))?;
    Ok(done.output)
}
