//! The binary: arguments in, a screen and an exit code out. The only crate that prints, exits,
//! reads the environment or the current directory; what it starts gets them as values.

// The test harness has a main of its own.
#![cfg_attr(not(test), no_main)]
#![cfg_attr(test, allow(dead_code))]

mod commands;
mod flags;
mod host;
mod problem;
mod program;
mod screen;
mod startup;
mod timeline;
mod trace;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::Instant;

use rusk_base::sys::streams::{Stream, errors, output};
use rusk_base::timeline::phase;
use rusk_base::{Problem, Result, sys};
use rusk_scripts::Exit;

use flags::Invocation;
use screen::manner::{Form, Manner, Sink, Surroundings};
use screen::{Device, Screen};

/// Problems that are the user's work going wrong: exit code 1. Everything else is ours: 2.
const USERS_WORK: &[&str] = &["script-failed"];

/// Columns where the terminal does not say.
const COLUMNS_UNKNOWN: usize = 80;

#[cfg(not(test))]
rusk_base::begin_at!(startup::VARIABLES, startup::begin, run);

/// `traced`: whether the start is taken down as it was asked to be.
fn run(traced: Result<()>) -> u8 {
    let status = status(traced);
    startup::tell();
    status
}

fn status(traced: Result<()>) -> u8 {
    let started = Instant::now();
    let (arguments, environment) =
        phase("read environment", || (arguments(std::env::args_os()), host::environment()));
    if let Some(wanted) = program::flags::parse(&arguments, stdin_is_program) {
        let argv0 = std::env::args_os().next().unwrap_or_default().to_string_lossy().into_owned();
        let outcome = traced.and(wanted).and_then(|wanted| program::run(wanted, argv0, environment));
        return outcome.map_or_else(|problem| complain(&problem), end);
    }
    let parsed = phase("read flags", || flags::parse::parse(arguments.iter().cloned()));
    let manner = phase("look at streams", || manner(parsed.as_ref().ok(), &arguments, &environment));
    let mut screen = screen(manner, started);
    let parsed = traced.and(parsed);
    match parsed.and_then(|invocation| commands::run(&invocation, environment, started, &mut screen)) {
        Ok(exit) => end(exit),
        Err(problem) => {
            screen.problem(&problem);
            exit_code(&problem)
        }
    }
}

/// Without any word, a program may come through a pipe or from a file.
fn stdin_is_program() -> bool {
    use std::os::unix::fs::FileTypeExt;
    let kind = std::fs::metadata("/dev/stdin").map(|data| data.file_type());
    std::env::args_os().len() == 1
        && kind.is_ok_and(|kind| kind.is_fifo() || kind.is_file() || kind.is_socket())
}

/// A problem before there is a program.
fn complain(problem: &Problem) -> u8 {
    let environment = BTreeMap::new();
    screen(manner(None, &[], &environment), Instant::now()).problem(problem);
    exit_code(problem)
}

/// Ends as the script did, so that a shell above us sees Ctrl-C for what it was.
fn end(exit: Exit) -> u8 {
    if let Exit::Signal(signal) = exit {
        startup::tell();
        sys::signals::end_by(signal);
    }
    exit.code()
}

/// What stands behind the program's name; called `ruskx`, the program is `rusk x`.
fn arguments(mut all: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let name = all.next().unwrap_or_default();
    let is_x = Path::new(&name).file_name().is_some_and(|name| name == "ruskx");
    is_x.then(|| "x".into()).into_iter().chain(all).collect()
}

fn exit_code(problem: &Problem) -> u8 {
    match problem.code() {
        // As Node ends where its command line names a file of variables that is not there.
        "no-env-file" => 9,
        code if USERS_WORK.contains(&code) => 1,
        _ => 2,
    }
}

fn manner(
    invocation: Option<&Invocation>,
    arguments: &[OsString],
    environment: &BTreeMap<String, String>,
) -> Manner {
    let around = Surroundings { environment, results: sink(output()), notices: sink(errors()) };
    match invocation {
        Some(invocation) => Manner::choose(invocation, around),
        None => {
            // A program that asked for JSON reads JSON, also when its other flags were wrong.
            let before_words = arguments.iter().take_while(|argument| *argument != "--");
            let json = before_words.into_iter().any(|argument| argument == "--json");
            Manner { form: if json { Form::Json } else { Form::Text }, ..Manner::plain(around) }
        }
    }
}

fn screen(manner: Manner, started: Instant) -> Screen {
    let device = Device { now: Box::new(move || started.elapsed()), width: Box::new(terminal_columns) };
    Screen::new(manner, Box::new(output()), Box::new(errors()), device)
}

fn sink(stream: Stream) -> Sink {
    if stream.is_terminal() { Sink::Terminal } else { Sink::Other }
}

fn terminal_columns() -> usize {
    errors().columns().unwrap_or(COLUMNS_UNKNOWN)
}
