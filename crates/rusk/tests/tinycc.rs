//! `cc()` of bun:ffi with TinyCC and without it. In: a library with TinyCC's interface, compiled
//! here, so that the machine need not have it. Out: which compiler a program was compiled by.

use std::path::Path;
use std::process::{Command, Output};

use rusk_testkit::project::Project;

const SOURCE: &str = "#include \"own.h\"
#ifdef __TINYC__
int is_tinycc(void) { return 1; }
#else
int is_tinycc(void) { return 0; }
#endif
double half(double value) { return value * FACTOR + OWN; }
";

const PROGRAM: &str = "
const { cc, dlopen } = require('bun:ffi');
const options = { source: 'source.c', include: 'headers', define: { FACTOR: '0.5' }, library: ['m'], flags: '-O1' };
const { symbols, close } = cc({ ...options, symbols: { is_tinycc: { returns: 'int' }, half: { args: ['f64'], returns: 'f64' } } });
const isInstalled = ['libtcc.so', 'libtcc.so.1', 'libtcc.so.0'].some((name) => { try { return dlopen(name, {}) } catch { return false } });
console.log(symbols.is_tinycc(), symbols.half(3), isInstalled);
close();
try { symbols.half(1) } catch ({ message }) { console.log(message) }
for (const wrong of [{ source: 'broken.c' }, { source: 'source.c', symbols: { none: {} } }]) {
  try { cc({ ...options, symbols: {}, ...wrong }) } catch ({ code, message }) { console.log(code, message.split('\\n')[0].replace(/in \".*\"/, 'in it')) }
}";

fn project() -> Project {
    let project = Project::new();
    std::fs::create_dir(project.path().join("headers")).expect("a new project");
    for (name, text) in
        [("source.c", SOURCE), ("broken.c", "int broken( {\n"), ("headers/own.h", "#define OWN 10\n")]
    {
        std::fs::write(project.path().join(name), text).expect("a new project");
    }
    project
}

/// Compiles the library into the project.
fn provide_tinycc(project: &Project) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/ffi/libtcc.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-Wall", "-Werror", "-o"]);
    let compiled = compiler.arg(project.path().join("libtcc.so")).arg(source).output();
    let compiled = compiled.expect("the machine has a compiler");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
}

fn run(project: &Project, environment: &[(&str, &str)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rusk"));
    command.args(["-e", PROGRAM]).current_dir(project.path()).env_clear().env("PATH", "/usr/bin:/bin");
    let Output { stdout, stderr, .. } =
        command.envs(environment.iter().copied()).output().expect("rusk starts");
    assert_eq!(String::from_utf8_lossy(&stderr), "");
    String::from_utf8_lossy(&stdout).into_owned()
}

const CLOSED: &str = "the function's library was closed";

#[test]
fn tinycc_compiles_where_it_is_installed() {
    let project = project();
    provide_tinycc(&project);
    let directory = project.path().to_string_lossy().into_owned();
    assert_eq!(
        run(&project, &[("LD_LIBRARY_PATH", &directory)]),
        format!(
            "1 11.5 true\n{CLOSED}\nERR_DLOPEN_FAILED TinyCC failed:\nERR_DLOPEN_FAILED Symbol \"none\" not found in it\n"
        )
    );
}

#[test]
fn the_compiler_of_the_environment_comes_first() {
    let project = project();
    provide_tinycc(&project);
    let directory = project.path().to_string_lossy().into_owned();
    assert_eq!(
        run(&project, &[("LD_LIBRARY_PATH", &directory), ("CC", "gcc")]),
        format!(
            "0 11.5 true\n{CLOSED}\nERR_DLOPEN_FAILED gcc failed with code 1:\nERR_DLOPEN_FAILED Symbol \"none\" not found in it\n"
        )
    );
}

#[test]
fn the_systems_compiler_does_it_elsewhere() {
    let output = run(&project(), &[]);
    let (first, rest) = output.split_once('\n').expect("several lines");
    // A machine may have TinyCC.
    let compiler = match first {
        "0 11.5 false" => "cc failed with code 1:",
        "1 11.5 true" => "TinyCC failed:",
        _ => panic!("{output}"),
    };
    assert_eq!(
        rest,
        format!(
            "{CLOSED}\nERR_DLOPEN_FAILED {compiler}\nERR_DLOPEN_FAILED Symbol \"none\" not found in it\n"
        )
    );
}
