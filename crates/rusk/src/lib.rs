//! The command line `rusk`. In: arguments and the environment. Out: text on the standard streams
//! and an exit code. The only crate that opens the standard streams, exits, or reads the
//! environment and the current directory; other crates get them as values. `main.rs` calls [`run`].

mod commands;
mod host;
mod picker;
mod problem;
mod program;
mod startup;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Instant;

use rusk_base::sys::stdio::{StdStream, stderr, stdout};
use rusk_base::timeline::phase;
use rusk_base::{Problem, Result, sys};
use rusk_scripts::Exit;

use rusk_command_line::flags::{self, Flag, Invocation, callers};
use rusk_command_line::program_flags;
use rusk_command_line::reference::exit_codes;
use rusk_screen::style::{Format, OutputContext, OutputFlags, OutputStyle, StreamTarget, Verbosity};
use rusk_screen::{Device, Screen};

pub use startup::{VARIABLES as STARTUP_VARIABLES, begin};

/// Terminal width if the terminal does not report one.
const COLUMNS_UNKNOWN: usize = 80;

/// Runs the command line of this process and returns its exit code. `begun`: the result of
/// [`begin`], which the entry point calls first.
pub fn run(begun: Result<()>) -> u8 {
    let status = status(begun);
    startup::report();
    status
}

fn status(begun: Result<()>) -> u8 {
    let started = Instant::now();
    let (arguments, environment) =
        phase("read environment", || (arguments(std::env::args_os()), host::environment()));
    if let Some(location) = program::embedded::location(&environment) {
        let name = std::env::args_os().next().unwrap_or_default().to_string_lossy().into_owned();
        let arguments = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        let outcome = begun.and_then(|()| program::embedded::run(location, arguments, name, environment));
        return outcome.map_or_else(|problem| report_early(&problem), end);
    }
    if let Some(parsed) = program_flags::parse(&arguments, stdin_is_program) {
        let argv0 = std::env::args_os().next().unwrap_or_default().to_string_lossy().into_owned();
        let outcome = begun.and(parsed).and_then(|program| program::run(program, argv0, environment));
        return outcome.map_or_else(|problem| report_early(&problem), end);
    }
    let parsed = phase("read flags", || flags::parse::parse(arguments.iter().cloned()))
        .map_err(|problem| commands::unknown::explained(problem, &arguments));
    let style = phase("check streams", || output_style(parsed.as_ref().ok(), &arguments, &environment));
    let mut screen = screen(style, started);
    let parsed = begun.and(parsed).and_then(|invocation| {
        commands::env_files::start_again(&invocation, &arguments, &environment).map(|()| invocation)
    });
    match parsed.and_then(|invocation| commands::run(&invocation, environment, started, &mut screen)) {
        Ok(exit) => end(exit),
        Err(problem) => {
            screen.problem(&problem);
            match problem.signal() {
                Some(signal) => end(Exit::Signal(signal)),
                None => exit_codes::of(&problem),
            }
        }
    }
}

/// Without arguments, standard input is the program if it is a pipe, socket or file.
fn stdin_is_program() -> bool {
    use std::os::unix::fs::FileTypeExt;
    let kind = std::fs::metadata("/dev/stdin").map(|data| data.file_type());
    std::env::args_os().len() == 1
        && kind.is_ok_and(|kind| kind.is_fifo() || kind.is_file() || kind.is_socket())
}

/// Prints an error that occurred before there was a screen.
fn report_early(problem: &Problem) -> u8 {
    screen(output_style(None, &[], &host::environment()), Instant::now()).problem(problem);
    exit_codes::of(problem)
}

/// Ends as the script did: by the same signal, so that the calling shell notices Ctrl-C.
fn end(exit: Exit) -> u8 {
    if let Exit::Signal(signal) = exit {
        startup::report();
        sys::signal_relay::raise_default(signal);
    }
    exit.code()
}

/// Whether this process was called by a name, for example through a link.
fn is_called(name: &str) -> bool {
    let called = std::env::args_os().next().unwrap_or_default();
    called_name(&called) == Some(name)
}

fn called_name(called: &OsStr) -> Option<&str> {
    Path::new(called).file_name().and_then(OsStr::to_str)
}

/// The arguments after argv[0]; `ruskx` is `rusk x`, `rusk pm pack` is `rusk pack`, `rusk --watch
/// test` is `rusk test --watch`, and `rusk dev` may be `rusk run dev`. Called by the name of
/// another manager, its arguments are understood.
fn arguments(mut all: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let called = all.next().unwrap_or_default();
    let all: Vec<OsString> = match called_name(&called) {
        Some("ruskx") => ["x".into()].into_iter().chain(all).collect(),
        Some(name) => callers::expand(name, all.collect()),
        _ => all.collect(),
    };
    match called_name(&called) {
        Some("node") => all,
        _ => {
            let is_script = &commands::unknown::is_script;
            flags::bun_run::expand(flags::bun_test::expand(flags::pm::expand(all)), is_script)
        }
    }
}

fn output_style(
    invocation: Option<&Invocation>,
    arguments: &[OsString],
    environment: &BTreeMap<String, String>,
) -> OutputStyle {
    let streams = OutputContext { environment, stdout: target(stdout()), stderr: target(stderr()) };
    match invocation {
        Some(invocation) => OutputStyle::choose(output_flags(invocation), streams),
        None => {
            // With --json, errors in other flags are JSON, too.
            let before_dashes = arguments.iter().take_while(|argument| *argument != "--");
            let json = before_dashes.into_iter().any(|argument| argument == "--json");
            OutputStyle {
                format: if json { Format::Json } else { Format::Text },
                ..OutputStyle::plain(streams)
            }
        }
    }
}

fn output_flags(invocation: &Invocation) -> OutputFlags<'_> {
    OutputFlags {
        verbosity: match (invocation.is_on(Flag::Silent), invocation.is_on(Flag::Verbose)) {
            (true, _) => Verbosity::Silent,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        },
        format: if invocation.is_on(Flag::Json) { Format::Json } else { Format::Text },
        color: invocation.value(Flag::Color),
    }
}

fn screen(style: OutputStyle, started: Instant) -> Screen {
    let device = Device {
        now: Box::new(move || started.elapsed()),
        width: Box::new(terminal_columns),
        line_shown: sys::progress_line::set_shown,
    };
    Screen::new(style, Box::new(stdout()), Box::new(stderr()), device)
}

fn target(stream: StdStream) -> StreamTarget {
    if stream.is_terminal() { StreamTarget::Terminal } else { StreamTarget::Other }
}

fn terminal_columns() -> usize {
    stderr().columns().unwrap_or(COLUMNS_UNKNOWN)
}
