//! `bench sysroot`: what a sysroot adds to a program's start. In: a static program that exits at
//! once, alone, under `rusk exec`, and in a sysroot with and without an overlay on tmpfs, in turn.
//! Out: a table, a target, `bench/results/sysroot.json`.

pub mod row;

use super::flags::BenchFlags;
use super::spawn::results::load_average;
use crate::report::{self, Json};
use crate::{files, peers, process};
use row::{Launch, SysrootRow};
use std::path::Path;
use std::process::Command;

/// Exits at once. No libc: the start is measured, not a loader.
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

/// Measures, prints, stores. A missed target is reported, and is not an error.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = BenchFlags { rounds: 400, rusk: None, store: true }.read("sysroot", arguments)?;
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
        Launch::ALL.iter().map(|launch| SysrootRow { launch: *launch, wall_ms: Vec::new() }).collect();
    // Each round runs every launch once and starts with the next one; a first round is not counted.
    for round in 0..=flags.rounds {
        for index in 0..rows.len() {
            let row = &mut rows[(index + round) % Launch::ALL.len()];
            let ended = process::succeed(&mut command(row.launch, &rusk, &root))?;
            if round > 0 {
                row.add(ended.cost.wall.as_secs_f64() * 1000.0);
            }
        }
    }
    row::print(&rows);
    if flags.store { store(&rusk, &directory, &load, &rows) } else { Ok(()) }
}

fn command(launch: Launch, rusk: &Path, root: &Path) -> Command {
    let program = root.join("end");
    let mut command = Command::new(if launch == Launch::Alone { &program } else { rusk });
    match launch {
        Launch::Alone => {}
        Launch::Exec => {
            command.arg("exec").arg(&program);
        }
        Launch::Sysroot => {
            command.args(["exec", "--sysroot"]).arg(root).args(["--", "/end"]);
        }
        Launch::SysrootRw => {
            command.args(["exec", "--rw", "--sysroot"]).arg(root).args(["--", "/end"]);
        }
    }
    command
}

fn store(rusk: &Path, directory: &Path, load: &str, rows: &[SysrootRow]) -> Result<(), String> {
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
