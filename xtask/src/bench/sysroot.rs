//! `bench sysroot`: what it adds to a program's start to run under another root. In: a static
//! program that ends at once, by itself, by `rusk exec`, and under a root with and without memory
//! over it, in turn. Out: a table, a target, `bench/results/sysroot.json`.

pub mod row;

use super::flags::BenchFlags;
use super::spawn::results::load_average;
use crate::report::{self, Json};
use crate::{files, peers, process};
use row::{Launch, SysrootRow};
use std::path::Path;
use std::process::Command;

/// Ends at once. No libc: what is measured is the start, not a loader.
const PROGRAM: &str = "
    void _start(void) {
    #if defined(__x86_64__)
        __asm__ volatile(\"syscall\" : : \"a\"(60), \"D\"(0));
    #else
        register long x8 __asm__(\"x8\") = 93, x0 __asm__(\"x0\") = 0;
        __asm__ volatile(\"svc 0\" : : \"r\"(x8), \"r\"(x0));
    #endif
        for (;;);
    }
";

/// Measures, prints, keeps. A missed target is said, and is no error.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = BenchFlags { rounds: 400, rusk: None, keep: true }.read("sysroot", arguments)?;
    let rusk = flags.rusk.clone().map_or_else(peers::rusk, Ok)?;
    let directory = files::target().join("bench-sysroot");
    files::empty(&directory)?;
    let source = directory.join("end.c");
    files::write(&source, PROGRAM)?;
    let root = directory.join("root");
    std::fs::create_dir_all(&root).map_err(|error| error.to_string())?;
    let mut made = Command::new("cc");
    made.args(["-static", "-nostdlib", "-O1", "-fno-stack-protector", "-o"])
        .arg(root.join("end"))
        .arg(&source);
    process::succeed(&mut made)?;
    let load = load_average();
    let mut rows: Vec<SysrootRow> =
        Launch::ALL.iter().map(|way| SysrootRow { way: *way, wall_ms: Vec::new() }).collect();
    // A round has every way once, and each round begins with another one; a first round is not
    // counted.
    for round in 0..=flags.rounds {
        for index in 0..rows.len() {
            let row = &mut rows[(index + round) % Launch::ALL.len()];
            let ended = process::succeed(&mut command(row.way, &rusk, &root))?;
            if round > 0 {
                row.add(ended.cost.wall.as_secs_f64() * 1000.0);
            }
        }
    }
    row::print(&rows);
    if flags.keep { keep(&rusk, &directory, &load, &rows) } else { Ok(()) }
}

fn command(way: Launch, rusk: &Path, root: &Path) -> Command {
    let program = root.join("end");
    let mut command = Command::new(if way == Launch::Alone { &program } else { rusk });
    match way {
        Launch::Alone => {}
        Launch::Exec => {
            command.arg("exec").arg(&program);
        }
        Launch::Forgotten => {
            command.args(["exec", "--sysroot"]).arg(root).args(["--", "/end"]);
        }
        Launch::Kept => {
            command.args(["exec", "--rw", "--sysroot"]).arg(root).args(["--", "/end"]);
        }
    }
    command
}

fn keep(rusk: &Path, directory: &Path, load: &str, rows: &[SysrootRow]) -> Result<(), String> {
    let version = process::version(rusk).unwrap_or_else(|| "absent".to_owned());
    let user = if rustix::process::geteuid().is_root() { "root" } else { "an ordinary user" };
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("machine", report::machine(directory)),
        ("versions", Json::Object(vec![("rusk".to_owned(), Json::text(version))])),
        ("user", Json::text(user)),
        ("load_before", Json::text(load)),
        ("rows", Json::List(rows.iter().map(SysrootRow::json).collect())),
    ]);
    files::write(&files::root().join("bench/results/sysroot.json"), &json.render())
}
