//! Children of programs where the surroundings are hostile: high limits, calls that are refused,
//! children that write without end.

use std::process::Output;

use rusk_spawn::{CollectOptions, Command, Disposition, Exit};

/// Runs a program below a limit of open descriptors, without `close_range(2)` where that is wanted.
/// Out: what it said.
fn run(program: &str, descriptors: u64, without_close_range: bool) -> String {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "ulimit -n \"$1\" && exec \"$2\" -e \"$3\"", "sh", &descriptors.to_string()]);
    command.args([env!("CARGO_BIN_EXE_rusk"), program]);
    if without_close_range {
        command.seccomp(&refusing(CLOSE_RANGE));
    }
    let finished = command.collect(&CollectOptions::default()).expect("there is a shell");
    let said = String::from_utf8_lossy(&finished.stderr);
    assert_eq!(finished.exit, Exit::Status(0), "{said}");
    String::from_utf8(finished.stdout).expect("it is text")
}

/// Its number is the same on all machines.
const CLOSE_RANGE: u32 = 436;

/// A filter that answers `ENOSYS` to one call: load the number, skip one if it is another, refuse,
/// allow.
fn refusing(call: u32) -> [[u8; 8]; 4] {
    const LOAD: u16 = 0x20;
    const JUMP_IF_EQUAL: u16 = 0x15;
    const RETURN: u16 = 0x06;
    const ALLOW: u32 = 0x7fff_0000;
    const ENOSYS: u32 = 0x0005_0000 | 38;
    let instruction = |code: u16, otherwise: u8, value: u32| {
        let (code, value) = (code.to_ne_bytes(), value.to_ne_bytes());
        [code[0], code[1], 0, otherwise, value[0], value[1], value[2], value[3]]
    };
    [
        instruction(LOAD, 0, 0),
        instruction(JUMP_IF_EQUAL, 1, call),
        instruction(RETURN, 0, ENOSYS),
        instruction(RETURN, 0, ALLOW),
    ]
}

/// The least of many, in time of the processor: what a start takes of it here and in the child. On
/// a busy machine the time of the clock is that of others too.
const LEAST: &str = "let least = Infinity; \
    for (let i = 0; i < 40; i++) { \
      const before = process.cpuUsage(); \
      const { exitCode, resourceUsage } = Bun.spawnSync(['true']); \
      if (exitCode !== 0) throw new Error('it is there'); \
      const { user, system } = process.cpuUsage(before); \
      least = Math.min(least, user + system + Number(resourceUsage.cpuTime.total)); \
    } \
    console.log(least);";

fn least_us(descriptors: u64, without_close_range: bool) -> f64 {
    run(LEAST, descriptors, without_close_range).trim().parse().expect("it is a number")
}

/// As many as this machine lets us have: a loop over a million numbers takes a hundred times what a
/// start does.
fn highest_limit() -> u64 {
    let finished = Command::new("/bin/sh").args(["-c", "ulimit -Hn"]).output().expect("there is a shell");
    String::from_utf8_lossy(&finished.stdout).trim().parse().unwrap_or(1 << 20)
}

#[test]
fn a_start_does_not_grow_with_the_limit_of_descriptors() {
    let high = highest_limit();
    for without_close_range in [false, true] {
        let (few, many) = (least_us(64, without_close_range), least_us(high, without_close_range));
        assert!(many < few * 2.0 + 500.0, "{few} us with 64, {many} us with {high}, {without_close_range}");
    }
}

#[test]
fn a_child_finds_nothing_but_what_it_was_given() {
    let program = "const { openSync } = require('fs'); \
        for (let i = 0; i < 500; i++) openSync('/dev/null'); \
        const list = () => Bun.spawnSync(['ls', '/proc/self/fd']).stdout.toString().trim().split('\\n').join(' '); \
        console.log(list(), '|', list());";
    for without_close_range in [false, true] {
        // The last is the listing's own.
        assert_eq!(run(program, 2000, without_close_range), "0 1 2 3 | 0 1 2 3\n");
    }
}

#[test]
fn what_is_ignored_here_is_not_ignored_by_children() {
    // SIGHUP, SIGINT, SIGQUIT, SIGTERM.
    const SIGNALS: [i32; 4] = [1, 2, 3, 15];
    let program = "const words = ['grep', 'SigIgn', '/proc/self/status']; \
        const ignored = (said) => parseInt(String(said).split('\\t')[1], 16) & 0x4007; \
        const { spawnSync } = require('child_process'); \
        console.log(ignored(Bun.spawnSync(words).stdout), ignored(spawnSync(words[0], words.slice(1)).stdout));";
    let mut command = Command::new(env!("CARGO_BIN_EXE_rusk"));
    command.args(["-e", program]);
    for signal in SIGNALS {
        command.disposition(signal, Disposition::Ignore);
    }
    let finished = command.collect(&CollectOptions::default()).expect("rusk starts");
    assert_eq!(String::from_utf8_lossy(&finished.stdout), "0 0\n");
}

fn rusk(program: &str) -> Output {
    let rusk = std::process::Command::new(env!("CARGO_BIN_EXE_rusk")).args(["-e", program]).output();
    rusk.expect("rusk starts")
}

fn check(program: &str, said: &str) {
    let output = rusk(program);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{program}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), said, "{program}");
}

#[test]
fn a_child_that_writes_a_gigabyte_waits_for_its_reader() {
    check(
        "const child = Bun.spawn(['head', '-c', '1000000000', '/dev/zero']); \
         let count = 0, most = 0; \
         for await (const piece of child.stdout) { \
           count += piece.length; \
           if (count % 8388608 < piece.length) { await Bun.sleep(0); most = Math.max(most, process.memoryUsage().rss); } \
         } \
         console.log(count, await child.exited, most < 600e6);",
        "1000000000 0 true\n",
    );
}

#[test]
fn a_child_whose_output_is_not_read_is_stopped_at_a_limit() {
    check(
        "const child = Bun.spawn(['cat', '/dev/zero'], { timeout: 4000 }); \
         await child.exited; \
         console.log(child.signalCode, process.memoryUsage().rss < 900e6);",
        "SIGTERM true\n",
    );
}

#[test]
fn a_child_that_is_deaf_and_writes_is_killed_all_the_same() {
    check(
        "const text = 'trap \"\" TERM; while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done'; \
         const done = Bun.spawnSync(['sh', '-c', text], { timeout: 100, maxBuffer: 1 << 20, killSignal: 'SIGKILL' }); \
         const deaf = Bun.spawnSync(['sh', '-c', 'trap \"\" TERM; exec yes'], { maxBuffer: 1000 }); \
         console.log(done.signalCode, done.stdout.length < 2 << 20, deaf.signalCode ?? deaf.exitCode, deaf.exitedDueToMaxBuffer);",
        "SIGKILL true SIGPIPE true\n",
    );
}

/// Sockets that the library keeps for later starts are few, and made when many start at once.
#[test]
fn a_thousand_children_leave_nothing_open() {
    check(
        "import { readdirSync } from 'node:fs'; \
         const count = () => readdirSync('/proc/self/fd').length; \
         const round = async () => { \
           for (let i = 0; i < 25; i++) { \
             const children = Array.from({ length: 20 }, (_, index) => Bun.spawn(['sh', '-c', index % 3 ? 'echo x' : 'kill -9 $$'], { stdin: 'pipe', stderr: 'pipe' })); \
             await Promise.all(children.map((child) => child.exited)); \
             await Promise.all(children.map((child) => child.stdout.text())); \
             await Promise.all(children.map((child) => child.stderr.text())); \
             try { Bun.spawn(['/no/such/program'], { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] }); } catch {} \
           } \
         }; \
         await round(); \
         const before = count(); \
         await round(); \
         console.log(count() - before < 50);",
        "true\n",
    );
}

/// No start follows that would look after those before it.
#[test]
fn a_start_that_fails_leaves_nothing() {
    check(
        "import { spawn } from 'node:child_process'; \
         import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'; \
         import { tmpdir } from 'node:os'; \
         const folder = mkdtempSync(`${tmpdir()}/starts`); \
         writeFileSync(`${folder}/program`, '#!/no/such/interpreter\\n', { mode: 0o755 }); \
         const children = () => readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8'); \
         let left = ''; \
         let errors = 0; \
         for (let i = 0; i < 100; i++) { \
           await new Promise((resolve) => spawn(`${folder}/program`).on('error', () => { errors++; resolve(); })); \
           left += children(); \
         } \
         rmSync(folder, { recursive: true }); \
         console.log(errors, left);",
        "100 \n",
    );
}
