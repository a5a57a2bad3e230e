//! The library installed as its users install it, and programs built against it. In: a C file. Out:
//! a program.

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

/// Of the package.
pub fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where the library lies, in folders as below `/`.
pub fn installed() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("installed");
        let _ = std::fs::remove_dir_all(&root);
        let mut make = Command::new("make");
        make.args(["install", "PREFIX=/usr", "PROFILE=dev", "CARGOFLAGS=--quiet --locked --offline"]);
        make.arg(format!("DESTDIR={}", root.display())).arg(concat!("CARGO=", env!("CARGO")));
        // One that runs the tests has no jobs to give.
        make.env_remove("MAKEFLAGS").env_remove("MAKELEVEL").current_dir(home());
        output(&mut make);
        root
    })
}

/// As strict as a C compiler can be asked to be.
const STRICT: &[&str] = &["-Wall", "-Wextra", "-Werror", "-pedantic", "-g"];

pub fn compiled(folder: &str, program: &str, link: Link) -> PathBuf {
    let target = place(&format!("{program}-{link:?}"));
    let mut cc = Command::new("cc");
    cc.arg("-std=c99").args(STRICT).arg(include()).arg(home().join(folder).join(program));
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
    let folder = library();
    cc.arg(format!("-L{}", folder.display())).arg("-lrusk_spawn");
    cc.arg(format!("-Wl,-rpath,{}", folder.display()));
}

pub fn library() -> PathBuf {
    installed().join("usr/lib")
}

/// What pkg-config says a static program needs too.
fn private_libraries() -> Vec<String> {
    let text = std::fs::read_to_string(library().join("pkgconfig/rusk_spawn.pc")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("Libs.private: ")).unwrap();
    line.split_whitespace().map(str::to_owned).collect()
}

/// Tests run side by side: each program that is built has a place of its own.
fn place(name: &str) -> PathBuf {
    static BUILT: AtomicUsize = AtomicUsize::new(0);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(format!("{name}-{}", BUILT.fetch_add(1, Ordering::Relaxed)))
}

/// What the program writes. It must end well, and have nothing to complain of.
pub fn run(program: &Path, arguments: &[&str]) -> String {
    output(Command::new(program).args(arguments))
}

/// As [`run`], for a program of the machine, in a folder.
pub fn string(program: impl AsRef<OsStr>, arguments: &[&str], folder: &Path) -> String {
    output(Command::new(program).args(arguments).current_dir(folder))
}

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (out, complaints) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{out}{complaints}", output.status);
    out.into_owned()
}
