//! `cargo xtask`: runs the named task and reports how it ended.

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <task>

  bench build [--rounds N] [--rusk PROGRAM] [--no-keep]
      times bundling by rusk, bun, esbuild and rolldown: three.js ten times, a React application, 5,000 modules of
      TypeScript, an empty file; with memory and size; needs node
  bench http [--rounds N] [--rusk PROGRAM] [--node PROGRAM] [--no-keep]
      loads HTTP and WebSocket servers of rusk, bun and node, each on one core, by wrk and by `load-sockets` on another.
      BENCH_ROWS: names of rows, separated by commas; BENCH_SECONDS: the time of a row, 3
  bench install [--fixture NAME] [--scenario NAME] [--tools NAME,NAME] [--in DIRECTORY] [--throttle on|off]
                [--rounds N] [--complete] [--rusk PROGRAM] [--no-keep]
      times rusk, bun, pnpm, deno, npm, yarn on the projects of fixtures/bench, or on generated-<packages>. Without
      a selection: the most informative part, in about half an hour. With one, what it does not name defaults to the
      application, the nine scenarios, all tools, tmpfs, no throttling. --complete: every tool on every fixture, file
      system and network, which takes hours. Needs nginx, strace, and node for npm and yarn;
      see docs/performance/methodology.md
  bench load [--rusk PROGRAM] [--no-keep]
      runs 32 installs at once that share a store, and installs of a package with 100,000 versions, of 20,000 packages,
      and from a registry that answers after a minute; fails if one of them fails
  bench messages [--rounds N] [--rusk PROGRAM] [--node PROGRAM] [--no-keep]
      times strings, objects and arrays sent to another thread by rusk, bun, node and deno
  bench native [--rounds N] [--rusk PROGRAM] [--node PROGRAM] [--no-keep]
      times calls of a Node-API addon by rusk, bun, node and deno, and calls of bun:ffi; needs cc
  bench record NAME...
      records again the registry files that tools request when they install these fixtures
  bench resolve DIRECTORY... [--rounds N] [--no-keep]
      times 10,000 specifiers of each directory, an installed project, by rusk-modules, oxc-resolver and node, and
      counts their system calls; needs node and strace
  bench run [--rounds N] [--rusk PROGRAM] [--no-keep]
      times the overhead of rusk, bun, npm, pnpm, node and deno before a script of package.json starts
  bench runtime [CASE...] [--rounds N] [--rusk PROGRAM] [--node PROGRAM] [--no-keep]
      times programs run by rusk, bun, node and deno: starts, many modules, tsc, eslint, many small files, kernels, and
      the cost of an idle program; needs strace. --node: the node that rusk is compared with
  bench soak --minutes N [--workers | --servers | --tls | --addons] [--rusk PROGRAM] [--no-keep]
      runs a program that uses timers, files, children and garbage; fails if the program fails, or if it grows by more
      than 5 % after the first sixth of the time
  bench spawn [--rounds N] [--scenario NAME] [--no-keep] [--runtimes [--rusk PROGRAM] [--node PROGRAM]]
      times the start of processes: rusk-spawn, fork, vfork, posix_spawn, std, tokio, bun, node, deno. With --runtimes:
      from JavaScript, rusk compared with bun, node and deno
  bench start [--rounds N] [--rusk PROGRAM] [--keep]
      counts the system calls of rusk --version, of an install with nothing to do, of one from the cache and of a
      script's start; fails if a count is above the baseline in bench/results/start.json. --keep: stores a new baseline
  bench sysroot [--rounds N] [--rusk PROGRAM] [--no-keep]
      times the start of a program alone, by rusk exec, and under another root
  bench trace [--rounds N] [--rusk PROGRAM] [--no-keep]
      times the start of node alone, under strace -c -f and under rusk trace; needs strace and node
  bench readme
      generates the tables and charts of README.md and docs from bench/results and conformance
  conformance browser [CHROMIUM] [--rusk PROGRAM] [--bun PROGRAM]
      runs the development server on the application of fixtures/browser and tests it in a Chromium: loading, hot
      updates, errors; and times the way from a save to the browser's update, of bun too
  conformance bun-bundler CHECKOUT [--rusk PROGRAM] [--no-keep]
      runs bun's bundler tests with `rusk build`, and writes the counts to conformance/bun-bundler.json; needs node
  conformance rolldown CHECKOUT [--rusk PROGRAM] [--no-keep]
      runs rolldown's fixtures with `rusk build`, and writes the counts to conformance/rolldown.json; needs node
  conformance esbuild CHECKOUT [--rusk PROGRAM] [--no-keep]
      runs esbuild's end-to-end tests with `rusk build`, and writes the counts to conformance/esbuild.json; needs node
  conformance modules DIRECTORY... [--no-keep]
      resolves every import below directories of installed projects with node and with rusk-modules, and compares the
      results
  conformance node --tests DIRECTORY [AREA...] [--rusk PROGRAM] [--node PROGRAM] [--bun PROGRAM] [--jobs N] [--accept]
                   [--variant openssl-3.5]
      runs Node's own tests, those in the directory `test` of a checkout, and updates the lists of conformance/node. A
      test that passed before and fails now is an error, unless --accept. --node: determines again which files count.
      --bun: also counts what bun passes. --variant: stores the results of a machine with this OpenSSL beside the others
  conformance programs [--rusk PROGRAM] [--node PROGRAM] [--bun PROGRAM] [--accept]
      installs fixtures/real-programs, runs each program with node and with rusk, and compares output and written files
  conformance test262 --tests DIRECTORY [--rusk PROGRAM] [--node PROGRAM] [--bun PROGRAM] [--jobs N] [--accept]
      runs the tests of modules and `import()` of a checkout of test262, and updates conformance/test262.txt likewise
  conformance wpt --tests DIRECTORY --node PROGRAM [AREA...] [--rusk PROGRAM] [--bun PROGRAM] [--jobs N] [--accept]
                  [--variant openssl-3.5]
      runs the web-platform-tests that come with Node's tests, and updates the lists of conformance/wpt likewise
  conformance trace [--rounds N] [--rusk PROGRAM] [--no-keep]
      compares the system call counts of rusk trace and strace -c -f for programs of every kind; needs strace, node,
      git
  demo [--built-since SECONDS]
      builds rusk for release, installs examples/web-app and runs that project's own build and type check.
      --built-since: the build has been done already; its time is counted since SECONDS (Unix time)
  docs
      generates docs/reference and the tables of docs/compatibility from tables of the code and data files
  fuzz [TARGET... | --install] [--coverage] [--seconds N] [--jobs N] [--seed N] [--keep]
      fuzzes every parser of untrusted bytes with mutated inputs; 60 seconds per target, all targets, one job;
      --coverage: libFuzzer generates the inputs, guided by the code that they reach;
      --install: what an install reads; --keep: adds the time to bench/results/fuzz.json, which `docs` renders
  interop [FIXTURE...] [--rusk PROGRAM]
      installs the manifests of fixtures/interop with bun and with rusk, and compares lockfiles and trees
  interop attacks [--rusk PROGRAM]
      runs the attacks of fixtures/attacks.json as install scripts under rusk, npm, pnpm and bun, and updates
      docs/compatibility/attacks.md; as root, run it by `unshare -m -i`
  interop npm [DIRECTORY...] [--rusk PROGRAM]
      installs projects with a package-lock.json with npm and with rusk; compares lockfiles and every edge
  interop repositories [--only NAME]... [--mirrors DIRECTORY] [--rusk PROGRAM]
      checks out the public repositories of xtask/repositories.json, and runs install, ci, add, remove and update of
      rusk; after each, the frozen install of the tool that wrote the lockfile, and compares every edge of both trees.
      --mirrors: a directory with a Git directory `owner+name/repo` for each, which are else fetched
  interop ipc [--node PROGRAM] [--rusk PROGRAM]
      exchanges messages between programs of rusk, bun and node, in both directions and forms; in some cases the other
      end sends invalid messages, exits within one, or never reads. Stores the results in fixtures/ipc
  interop verdaccio [--rusk PROGRAM]
      publishes packages to a Verdaccio on loopback, as two users: login, whoami, dist-tags, deprecate, refusals
  sanitize addons [--rusk PROGRAM]
      runs the addons of fixtures/addons under Valgrind's memcheck, and one with mistakes, which must be found
  sanitize messages [--runs N]
      runs the tests of crates/messages under ThreadSanitizer, ten times
";

#[allow(clippy::print_stderr, reason = "the only place where a task reports how it ended")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.split_first() {
        Some((task, rest)) if task == "bench" => xtask::bench::run(rest),
        Some((task, rest)) if task == "conformance" => xtask::conformance::run(rest),
        Some((task, rest)) if task == "fuzz" => rusk_fuzz_targets::command::run(rest),
        Some((task, rest)) if task == "interop" => xtask::interop::run(rest),
        Some((task, rest)) if task == "sanitize" => xtask::sanitize::run(rest),
        Some((task, rest)) if task == "docs" => xtask::docs::run(rest),
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
