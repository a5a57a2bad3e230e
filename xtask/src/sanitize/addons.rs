//! `sanitize addons`: runs addons of the tests under Valgrind's memcheck. In: `fixtures/addons`,
//! compiled with line numbers, and `exercise.cjs`, which uses all of them. Out: nothing, or what
//! memcheck reports of an addon, of Node-API or of the C library. The engine runs without its
//! compilers and takes its memory from malloc(3), so that buffers and strings are watched, too. It
//! reads its own stack and heap conservatively; what it does there is not reported. An addon that
//! is wrong on purpose must be found, or the run has no meaning.

use crate::{files, peers, process, test_addons};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Those that `exercise.cjs` uses, and the one with errors.
const ADDONS: [&str; 4] = ["misbehaves", "overruns", "threads", "values"];
/// Its mistakes.
const MISTAKES: [&str; 2] = ["buffer", "freed"];
/// The exit code of a run with reports.
const FOUND: i32 = 99;

#[allow(clippy::print_stdout, reason = "the result is the output of the task")]
pub fn run(arguments: &[String]) -> Result<(), String> {
    let rusk = match arguments {
        [] => peers::rusk()?,
        [flag, path] if flag == "--rusk" => PathBuf::from(path),
        _ => return Err("expected `sanitize addons [--rusk PROGRAM]`".to_owned()),
    };
    let rusk = rusk.canonicalize().map_err(|error| format!("{}: {error}", rusk.display()))?;
    let directory = files::target().join("sanitize/addons");
    test_addons::compile(&ADDONS, &directory)?;
    files::write(&directory.join("suppressions.txt"), &suppressions())?;
    let exercise = files::root().join("fixtures/addons/exercise.cjs");
    process::succeed(memcheck(&rusk, &directory).args(["--expose-gc".as_ref(), exercise.as_os_str()]))?;
    for mistake in MISTAKES {
        let program = format!("require('./overruns.node').{mistake}()");
        let status = memcheck(&rusk, &directory).args(["-e", &program]).output();
        let status = status.map_err(|error| format!("valgrind: {error}"))?.status;
        if status.code() != Some(FOUND) {
            return Err(format!("the mistake `{mistake}` was not found: {status}"));
        }
    }
    println!("nothing found; {} mistakes of an addon were found", MISTAKES.len());
    Ok(())
}

fn memcheck(rusk: &Path, directory: &Path) -> Command {
    let mut command = Command::new("valgrind");
    command.current_dir(directory).env("Malloc", "1").env("JSC_useJIT", "0").env("ADDONS", directory);
    command.env("JSC_useConcurrentGC", "0").env("JSC_numberOfGCMarkers", "1");
    command.args(["--quiet", "--leak-check=no", "--suppressions=suppressions.txt"]);
    command.arg(format!("--error-exitcode={FOUND}")).arg(rusk);
    command
}

/// Reports whose innermost function is the engine's.
fn suppressions() -> String {
    let kinds = ["Cond", "Value1", "Value2", "Value4", "Value8", "Value16", "Addr4", "Addr8"];
    let one = |kind| format!("{{\n  engine\n  Memcheck:{kind}\n  obj:*libjavascriptcoregtk*\n}}\n");
    kinds.map(one).concat()
}
