//! Installs the library as users do, and builds C programs against it. In: a C file. Out: a
//! program.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Clone, Copy, Debug)]
pub enum Link {
    Static,
    Shared,
    /// The shared library, and the program with gcc's address sanitizer.
    Sanitized,
}

/// The directory of the package.
pub fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The directory that the library is installed to, as if it were `/`.
pub fn installed() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("installed");
        let _ = std::fs::remove_dir_all(&root);
        let mut make = Command::new("make");
        make.args(["install", "PREFIX=/usr", "PROFILE=dev", "CARGOFLAGS=--quiet --locked --offline"]);
        make.arg(format!("DESTDIR={}", root.display())).arg(concat!("CARGO=", env!("CARGO")));
        // The make that runs the tests has no jobserver to share.
        make.env_remove("MAKEFLAGS").env_remove("MAKELEVEL").current_dir(home());
        output(&mut make);
        root
    })
}

/// The strictest warnings of a C compiler.
const STRICT: &[&str] = &["-Wall", "-Wextra", "-Werror", "-pedantic", "-g"];

pub fn compiled(dir: &str, program: &str, link: Link) -> PathBuf {
    let target = place(&format!("{program}-{link:?}"));
    let mut cc = Command::new("cc");
    cc.arg("-std=c99").args(STRICT).arg(include()).arg(home().join(dir).join(program));
    match link {
        Link::Static => drop(cc.arg(library().join("librusk_spawn.a")).args(private_libraries())),
        Link::Shared => link_shared(&mut cc),
        Link::Sanitized => link_shared(cc.args(["-fsanitize=address", "-fno-omit-frame-pointer"])),
    }
    output(cc.arg("-o").arg(&target));
    target
}

pub fn compiled_as_cpp(program: &str) -> PathBuf {
    let target = place(&format!("{program}-cpp"));
    let mut cpp = Command::new("c++");
    cpp.args(["-std=c++11", "-x", "c++"]).args(STRICT).arg(include());
    cpp.arg(home().join("tests/c").join(program)).args(["-x", "none"]);
    link_shared(&mut cpp);
    output(cpp.arg("-o").arg(&target));
    target
}

fn include() -> String {
    format!("-I{}", installed().join("usr/include").display())
}

fn link_shared(cc: &mut Command) {
    let dir = library();
    cc.arg(format!("-L{}", dir.display())).arg("-lrusk_spawn");
    cc.arg(format!("-Wl,-rpath,{}", dir.display()));
}

pub fn library() -> PathBuf {
    installed().join("usr/lib")
}

/// The private libraries of pkg-config, which a static program needs.
fn private_libraries() -> Vec<String> {
    let text = std::fs::read_to_string(library().join("pkgconfig/rusk_spawn.pc")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("Libs.private: ")).unwrap();
    line.split_whitespace().map(str::to_owned).collect()
}

/// Tests run in parallel: each program that is built has a path of its own.
fn place(name: &str) -> PathBuf {
    static BUILT: AtomicUsize = AtomicUsize::new(0);
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    std::fs::create_dir_all(&dir).unwrap();
    dir.join(format!("{name}-{}", BUILT.fetch_add(1, Ordering::Relaxed)))
}

/// Runs a program and returns its stdout. It must succeed without writing to stderr.
pub fn run(program: &Path, arguments: &[&str]) -> String {
    output(Command::new(program).args(arguments))
}

/// Like [`run`], for an installed tool, in a directory.
pub fn string(program: impl AsRef<OsStr>, arguments: &[&str], dir: &Path) -> String {
    output(Command::new(program).args(arguments).current_dir(dir))
}

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (out, complaints) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{out}{complaints}", output.status);
    out.into_owned()
}
