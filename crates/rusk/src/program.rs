//! Running a program: `rusk file.ts`, `-e`, `-p`, standard input. In: what [`flags`] made of the
//! command line. Out: the program's exit code. Absent: everything that a program sees; that is
//! `rusk-runtime`'s.

pub mod flags;
mod settings;
mod watch;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

use rusk_base::sys::streams::errors;
use rusk_base::timeline::phase;
use rusk_base::{Result, sys};
use rusk_install::configuration::{self, Flags};
use rusk_runtime::{Failure, Main, Program, Runtime, Settings, Stop, UnstableAbi};
use rusk_scripts::Exit;

use crate::{host, problem, startup};
use flags::{Options, Source, Wanted};

/// Debug builds read the JavaScript of our own from here, so that trying a change needs no build.
const BUILTINS: &str = "RUSK_BUILTINS";

/// `0`: the engine is asked by its public functions alone.
const UNSTABLE_ABI: &str = "RUSK_UNSTABLE_ABI";

/// In the cache: what was transpiled before.
const SCRIPTS: &str = "scripts";

/// In the cache: what the engine made of it.
const CODE: &str = "code";

/// In the cache: copies of the engine's library that open in less time.
const ENGINE: &str = "engine";

/// Variables by which libraries are searched, replaced or watched, or by which the engine's own
/// journal is asked for: then the library itself is opened, with all that it brings along.
const OF_LIBRARIES: [&str; 4] = ["LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "WEBKIT_DEBUG"];

/// bun's word for `--no-clear-screen`: `true`.
const KEEPS_SCREEN: &str = "BUN_CONFIG_NO_CLEAR_TERMINAL_ON_RELOAD";

/// `rusk run FILE`.
pub fn run_file(name: &str, arguments: &[OsString], current_dir: PathBuf) -> Result<Exit> {
    let arguments = arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    run_in(Wanted::file(name, arguments), "rusk".to_owned(), host::environment(), current_dir)
}

/// Runs a program; `argv0`: how we were called.
pub fn run(wanted: Wanted, argv0: String, environment: BTreeMap<String, String>) -> Result<Exit> {
    let current_dir = host::current_dir(None)?;
    run_in(wanted, argv0, environment, current_dir)
}

fn run_in(
    wanted: Wanted,
    argv0: String,
    mut environment: BTreeMap<String, String>,
    current_dir: PathBuf,
) -> Result<Exit> {
    let options = Options::parse(environment.get("NODE_OPTIONS").map_or("", String::as_str))?;
    let watched = environment.remove(watch::VARIABLE);
    if let (Some(way), None) = (&wanted.watch, &watched) {
        let keeps_screen =
            way.keeps_screen || environment.get(KEEPS_SCREEN).is_some_and(|value| value == "true");
        return watch::run(&wanted, way, &current_dir, keeps_screen);
    }
    let tell = watch::report(watched.as_deref());
    let given =
        phase("read settings", || settings::read(&wanted, &options, &current_dir, &environment, &tell))?;
    if let Some(zone) = given.variables.get("TZ") {
        sys::usage::set_time_zone(Some(zone));
    }
    let main = main(wanted.source)?;
    let builtins = environment.get(BUILTINS).filter(|_| cfg!(debug_assertions)).map(PathBuf::from);
    let mut host = host::host(current_dir, environment);
    let is_searched = host.environment.contains_key("LD_LIBRARY_PATH");
    let unstable_abi = match host.environment.get(UNSTABLE_ABI).map(String::as_str) {
        Some("0") => UnstableAbi::Never,
        _ => UnstableAbi::WhenVerified,
    };
    let is_plain = OF_LIBRARIES.iter().all(|name| !host.environment.contains_key(*name));
    let cache_dir = configuration::usual_cache_dir(&host, &Flags::default());
    // What a folder says is the program's, not ours.
    host.environment.extend(given.variables);
    let program = Program {
        exec_path: host::program()?.to_string_lossy().into_owned(),
        argv0,
        exec_arguments: wanted.exec_arguments,
        arguments: wanted.arguments,
        current_dir: host.current_dir,
        environment: host.environment,
        conditions: options.conditions.into_iter().chain(wanted.conditions).collect(),
        preloads: given.preloads,
        defines: Arc::new(given.defines),
        builtins,
        scripts: cache_dir.as_ref().map(|cache| cache.join(SCRIPTS)),
        code: cache_dir.as_ref().map(|cache| cache.join(CODE)),
    };
    let mut settings = Settings {
        program,
        on_failure: Box::new(|failure| fail(failure)),
        on_exit: Box::new(|code| exit(code)),
        on_begin: Box::new(startup::freeze),
        on_read: Box::new(tell),
        ..Settings::default()
    };
    settings.engine.uses_linker_search = is_searched;
    settings.engine.unstable_abi = unstable_abi;
    settings.engine.prelink_dir = cache_dir.filter(|_| is_plain).map(|cache| cache.join(ENGINE));
    let runtime = Runtime::new(settings)?;
    let outcome = runtime.run_main(&main);
    // The kernel takes the heap back at once.
    std::mem::forget(runtime);
    match outcome {
        Ok(()) if rusk_runtime::leaves_threads() => exit(0),
        Ok(()) => Ok(Exit::DONE),
        Err(Stop::Failure(failure)) => fail(&failure),
        Err(Stop::Problem(problem)) => Err(problem),
        Err(Stop::Exited(code)) => exit(code),
    }
}

fn main(source: Source) -> Result<Main> {
    Ok(match source {
        Source::File(name) => Main::File(name),
        Source::Text { source, is_printed, is_module } => {
            Main::Text { source, name: "[eval]", is_printed, is_module }
        }
        Source::Stdin { is_printed, is_module } => {
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

/// Nothing of the program runs behind its failure, so the process ends here.
fn fail(failure: &Failure) -> ! {
    // There is no other place to say that stderr is gone.
    let _ = writeln!(errors(), "{failure}\n\nrusk v{}", env!("CARGO_PKG_VERSION"));
    exit(failure.code)
}

#[allow(clippy::exit, reason = "the heap is not taken apart, and nothing of ours is left to be done")]
fn exit(code: i32) -> ! {
    startup::tell();
    if rusk_runtime::leaves_threads() {
        // What the engine takes apart at the end is still in use.
        sys::usage::end_now(code);
    }
    std::process::exit(code)
}
