//! Runs a program: `rusk file.ts`, `-e`, `-p`, standard input. In: the parsed command line
//! ([`rusk_command_line::program_flags`]). Out: the program's exit code. Absent: what a program
//! sees, which is in `rusk-runtime`.

pub mod embedded;
pub mod settings;
mod test_worker;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusk_base::sys::stdio::stderr;
use rusk_base::timeline::phase;
use rusk_base::{Result, sys};
use rusk_configuration::Flags;
use rusk_runtime::{EngineSetting, Failure, Main, Program, Runtime, Settings, Stop, UnstableAbi};
use rusk_scripts::Exit;
use rusk_watch::program::{self as watch_mode, WatchMode};

use crate::host::node_headers;
use crate::{host, problem, startup};
use rusk_command_line::program_flags::{
    EntryPoint, NodeOptions, ProgramInvocation, WatchOptions, has_program_extension,
};

/// Debug builds read the builtin JavaScript files from this directory, so that a change needs no
/// build.
const BUILTINS: &str = "RUSK_BUILTINS";

/// `0`: use only the public API of the engine, not its unstable ABI.
const UNSTABLE_ABI: &str = "RUSK_UNSTABLE_ABI";

/// The runner of `node:test` files.
const NODE_TESTS: &str = "internal/test_runner/main";

/// Directory of the transpile cache.
const TRANSPILE_CACHE: &str = "scripts";

/// Directory of the bytecode cache.
const CODE_CACHE: &str = "code";

/// Directory of copies of the engine's library that load faster.
const ENGINE_COPIES: &str = "engine";

/// Variables that change how libraries are found, replaced or audited, or that enable the engine's
/// log. If one is set, the original library is loaded, with its dependencies.
const LIBRARY_VARIABLES: [&str; 4] = ["LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "WEBKIT_DEBUG"];

/// bun's variable for `--no-clear-screen`: `true`.
const KEEPS_SCREEN: &str = "BUN_CONFIG_NO_CLEAR_TERMINAL_ON_RELOAD";

/// Flag with the time between two samples of a CPU profile.
const SAMPLING_INTERVAL: &str = "--cpu-prof-interval";

/// `rusk run FILE`.
pub fn run_file(name: &str, arguments: &[OsString], current_dir: PathBuf) -> Result<Exit> {
    let arguments = arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
    run_in(ProgramInvocation::file(name, arguments), "rusk".to_owned(), host::environment(), current_dir)
}

/// Runs a program. `argv0`: the name that rusk was called by.
pub fn run(
    invocation: ProgramInvocation,
    argv0: String,
    environment: BTreeMap<String, String>,
) -> Result<Exit> {
    let current_dir = host::current_dir(None)?;
    run_in(invocation, argv0, environment, current_dir)
}

/// A second marker of the collector would take turns with the first, within each pause.
fn use_one_marker_on_one_processor(settings: &mut Settings) {
    if rustix::thread::sched_getaffinity(None).is_ok_and(|processors| processors.count() == 1) {
        settings.engine.settings.push((c"numberOfGCMarkers", EngineSetting::Count(1)));
    }
}

fn watch(
    invocation: &ProgramInvocation,
    options: &WatchOptions,
    current_dir: &Path,
    keeps_screen: bool,
) -> Result<Exit> {
    let file = match &invocation.entry_point {
        EntryPoint::Stdin { .. } => return Err(problem::watch_stdin()),
        EntryPoint::File(name) => Some(current_dir.join(name)),
        _ => None,
    };
    let paths: Vec<PathBuf> = options.paths.iter().map(|path| current_dir.join(path)).collect();
    let mode = WatchMode { rusk: &host::program()?, may_run: has_program_extension, keeps_screen };
    watch_mode::run(&mode, &paths, file.as_deref())
}

fn run_in(
    invocation: ProgramInvocation,
    argv0: String,
    mut environment: BTreeMap<String, String>,
    current_dir: PathBuf,
) -> Result<Exit> {
    let node_options = NodeOptions::parse(environment.get("NODE_OPTIONS").map_or("", String::as_str))?;
    let watch_pipe = environment.remove(watch_mode::VARIABLE);
    if let (Some(options), None) = (&invocation.watch, &watch_pipe) {
        let keeps_screen =
            options.keeps_screen || environment.get(KEEPS_SCREEN).is_some_and(|value| value == "true");
        return watch(&invocation, options, &current_dir, keeps_screen);
    }
    let is_test_worker = environment.remove(test_worker::VARIABLE).is_some();
    let report_file = watch_mode::report(watch_pipe.as_deref());
    let given = phase("read settings", || {
        settings::read(&invocation, &node_options, &current_dir, &environment, &report_file)
    })?;
    if let Some(zone) = given.variables.get("TZ") {
        sys::process::set_time_zone(Some(zone));
    }
    let main = main(invocation.entry_point)?;
    let builtins = environment.get(BUILTINS).filter(|_| cfg!(debug_assertions)).map(PathBuf::from);
    let mut host = host::host(current_dir, environment);
    let is_searched = host.environment.contains_key("LD_LIBRARY_PATH");
    let unstable_abi = unstable_abi(&host.environment);
    let has_plain_libraries = LIBRARY_VARIABLES.iter().all(|name| !host.environment.contains_key(*name));
    let cache_dir = rusk_configuration::usual_cache_dir(&host, &Flags::default());
    // Variables from .env files are for the program, not for rusk.
    host.environment.extend(given.variables);
    let program = Program {
        exec_path: host::program()?.to_string_lossy().into_owned(),
        argv0,
        exec_arguments: invocation.exec_arguments,
        configured_arguments: given.arguments,
        arguments: invocation.arguments,
        current_dir: host.current_dir,
        environment: host.environment,
        conditions: node_options.conditions.into_iter().chain(invocation.conditions).collect(),
        preloads: given.preloads,
        defines: Arc::new(given.defines),
        jsx: given.jsx,
        builtins,
        scripts: cache_dir.as_ref().map(|cache| cache.join(TRANSPILE_CACHE)),
        code: cache_dir.as_ref().map(|cache| cache.join(CODE_CACHE)),
        headers: cache_dir.as_ref().map(|cache| node_headers::directory(cache)),
    };
    let mut settings = Settings {
        program,
        on_failure: Box::new(|failure| fail(failure)),
        on_exit: Box::new(|code| exit(code)),
        on_begin: Box::new(startup::freeze),
        on_read: Box::new(report_file),
        ..rusk_extensions::settings()
    };
    settings.engine.uses_linker_search = is_searched;
    if let Some(interval) = sampling_interval(&settings.program)? {
        settings.engine.settings.push((c"sampleInterval", EngineSetting::Count(interval)));
    }
    use_one_marker_on_one_processor(&mut settings);
    settings.engine.unstable_abi = unstable_abi;
    settings.engine.prelink_dir =
        cache_dir.filter(|_| has_plain_libraries).map(|cache| cache.join(ENGINE_COPIES));
    if is_test_worker {
        return test_worker::run(settings);
    }
    let runtime = Runtime::new(settings)?;
    let outcome = runtime.run_main(&main);
    // The kernel frees the heap faster than we can.
    std::mem::forget(runtime);
    match outcome {
        Ok(()) if rusk_runtime::has_running_threads() => exit(0),
        Ok(()) => Ok(Exit::DONE),
        Err(Stop::Failure(failure)) => fail(&failure),
        Err(Stop::Problem(problem)) => Err(problem),
        Err(Stop::Exited(code)) => exit(code),
    }
}

fn unstable_abi(environment: &BTreeMap<String, String>) -> UnstableAbi {
    match environment.get(UNSTABLE_ABI).map(String::as_str) {
        Some("0") => UnstableAbi::Never,
        _ => UnstableAbi::WhenVerified,
    }
}

/// Microseconds between two samples of a CPU profile, if they are given.
fn sampling_interval(program: &Program) -> Result<Option<u32>> {
    let Some(text) = program.option_value(SAMPLING_INTERVAL) else { return Ok(None) };
    match text.parse() {
        Ok(interval @ 1..) => Ok(Some(interval)),
        _ => Err(problem::bad_sampling_interval(SAMPLING_INTERVAL, text)),
    }
}

fn main(entry_point: EntryPoint) -> Result<Main> {
    Ok(match entry_point {
        EntryPoint::File(name) => Main::File(name),
        EntryPoint::Tests => Main::Builtin { id: NODE_TESTS, function: "runFiles" },
        EntryPoint::Code { source, is_printed, is_module } => {
            Main::Text { source, name: "[eval]", is_printed, is_module }
        }
        EntryPoint::Stdin { is_printed, is_module } => {
            Main::Text { source: stdin()?, name: "[stdin]", is_printed, is_module }
        }
    })
}

fn stdin() -> Result<String> {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).map_err(problem::no_stdin)?;
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Prints a failure of the program and exits: no code of the program runs after it.
fn fail(failure: &Failure) -> ! {
    // If stderr is closed, there is nowhere to report it.
    let _ = writeln!(stderr(), "{failure}\n\nrusk v{}", env!("CARGO_PKG_VERSION"));
    exit(failure.code)
}

#[allow(clippy::exit, reason = "the heap need not be freed, and there is no cleanup left to do")]
fn exit(code: i32) -> ! {
    startup::report();
    if rusk_runtime::has_running_threads() {
        // Threads still use what the engine would free at exit.
        sys::process::exit_now(code);
    }
    std::process::exit(code)
}
