//! `cargo xtask`: picks the task and says how it ended.

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <task>

  bench install [--fixture NAME] [--scenario NAME] [--tools NAME,NAME] [--in FOLDER] [--brake on|off] [--rounds N]
                [--complete] [--rusk PROGRAM] [--no-keep]
      times rusk, bun, pnpm, deno, npm, yarn on the projects of fixtures/bench, or on generated-<packages>. With a
      selection, of what it does not name: the application, the nine scenarios, all tools, tmpfs, no throttling. Without
      one, what answers most within half an hour; --complete: every tool on every fixture, place and line, which takes
      hours. Needs nginx, strace, and node for npm and yarn; see docs/performance/methodology.md
  bench messages [--rounds N] [--rusk PROGRAM] [--node PROGRAM] [--no-keep]
      times strings, objects and arrays sent to another thread by rusk, bun, node and deno
  bench record NAME...
      records again what tools ask the registry for when they install these fixtures
  bench resolve FOLDER... [--rounds N] [--no-keep]
      times 10,000 specifiers of each folder, an installed project, by rusk-modules, oxc-resolver and node, and counts
      their system calls; needs node and strace
  bench run [--rounds N] [--rusk program] [--no-keep]
      times what rusk, bun, npm, pnpm, node and deno add before a script of package.json begins
  bench runtime [CASE...] [--rounds N] [--rusk PROGRAM] [--node PROGRAM] [--no-keep]
      times programs run by rusk, bun, node and deno: starts, many modules, tsc, eslint, many small files, kernels, and
      what an idle program takes; needs strace. With --node, that one is what rusk is compared with
  bench soak --minutes N [--workers] [--rusk PROGRAM] [--no-keep]
      lets a program work on timers, files, children and garbage; fails when it does, or when it grows by more than 5 %
      after the first sixth of the time
  bench spawn [--rounds N] [--scenario NAME] [--no-keep] [--runtimes [--rusk PROGRAM] [--node PROGRAM]]
      times the start of processes: rusk-spawn, fork, vfork, posix_spawn, std, tokio, bun, node, deno. With --runtimes:
      from JavaScript, rusk, bun, node and deno with each other
  bench start [--rounds N] [--rusk program] [--keep]
      counts the system calls of rusk --version, of an install with nothing to do, of one from the cache and of a
      script's start; fails when there are more than bench/results/start.json holds. --keep: holds those of this run
  bench sysroot [--rounds N] [--rusk program] [--no-keep]
      times the start of a program alone, by rusk exec, and under another root
  bench trace [--rounds N] [--rusk program] [--no-keep]
      times the start of node alone, under strace -c -f and under rusk trace; needs strace and node
  bench readme
      draws the tables and charts of README.md, docs and lib/spawn/README.md from bench/results and conformance
  conformance modules FOLDER... [--no-keep]
      resolves every import below folders with installed projects by node and by rusk-modules, and compares the answers
  conformance node --tests FOLDER [AREA...] [--rusk PROGRAM] [--node PROGRAM] [--bun PROGRAM] [--jobs N] [--accept]
      runs Node's own tests, those of a checkout's folder `test`, and keeps the lists of conformance/node, which only grow:
      what passed and fails now is an error, unless --accept. --node says anew which files count, --bun counts beside
  conformance programs [--rusk PROGRAM] [--node PROGRAM] [--bun PROGRAM] [--accept]
      installs fixtures/real-programs, runs each program with node and with rusk, and compares what they say and write
  conformance test262 --tests FOLDER [--rusk PROGRAM] [--node PROGRAM] [--bun PROGRAM] [--jobs N] [--accept]
      runs the tests of modules and `import()` of a checkout of test262, and keeps conformance/test262.txt in the same way
  conformance wpt --tests FOLDER --node PROGRAM [AREA...] [--rusk PROGRAM] [--bun PROGRAM] [--jobs N] [--accept]
      runs the web-platform-tests that come with Node's, and keeps the lists of conformance/wpt in the same way
  conformance trace [--rounds N] [--rusk program] [--no-keep]
      counts the calls of programs of every kind by rusk trace and by strace -c -f, and compares; needs strace, node, git
  demo [--built-since SECONDS]
      builds rusk for release, installs examples/web-app and runs that project's own build and type check;
      `make demo` has built it already, and says since when (seconds since 1970) the build is to be counted
  fuzz [target ...] [--seconds N] [--jobs N] [--seed N]
      throws mutated inputs at everything that reads hostile bytes; 60 seconds a target, all targets, one job
  interop [fixture ...] [--rusk program]
      installs the manifests of fixtures/interop with bun and with rusk, and compares lockfiles and trees
  interop ipc [--node PROGRAM] [--rusk PROGRAM]
      sends messages between programs of rusk, bun and node, either of them the parent, in both forms; some of the
      others' lie, die in a message or never read. Keeps what was found in fixtures/ipc
  sanitize messages [--runs N]
      runs the tests of crates/messages under ThreadSanitizer, ten times
";

#[allow(clippy::print_stderr, reason = "this is the only place where a task says how it ended")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.split_first() {
        Some((task, rest)) if task == "bench" => xtask::bench::run(rest),
        Some((task, rest)) if task == "conformance" => xtask::conformance::run(rest),
        Some((task, rest)) if task == "fuzz" => xtask::fuzz::command::run(rest),
        Some((task, rest)) if task == "interop" => xtask::interop::run(rest),
        Some((task, rest)) if task == "sanitize" => xtask::sanitize::run(rest),
        Some((task, rest)) if task == "demo" => xtask::demo::run(rest),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
