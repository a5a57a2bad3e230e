//! Workers made and ended, some in the middle of work: what they held is given back. `WORKERS=10000
//! cargo test -p rusk --test workers` is the long form.

use std::path::Path;
use std::process::Command;

use rusk_testkit::project::Project;

/// Enough for each kind of work a few times.
const WORKERS: &str = "120";

#[test]
fn workers_give_back_what_they_held() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/runtime/workers.cjs");
    let count = std::env::var("WORKERS").unwrap_or_else(|_| WORKERS.to_owned());
    let output = Command::new(env!("CARGO_BIN_EXE_rusk"))
        .args([program.as_os_str(), count.as_ref()])
        .env_remove("RUSK_BUILTINS")
        .output()
        .expect("rusk starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{said}{errors}", output.status);
    assert!(said.contains(&format!("ended {count}")), "{said}{errors}");
}

/// Four workers read a large file, and end. Prints whether more than three of its size are still
/// there.
const READERS: &str = r"
const { Worker } = require('worker_threads');
const fs = require('fs');
const file = process.argv[1];
const size = 16e6;
const text = `const fs = require('fs');
  let left = 6;
  for (let i = 0; i < 3; i++) (function next() { if (left-- > 0) fs.readFile(${JSON.stringify(file)}, next); })();`;
const run = (text) => new Promise((resolve) => new Worker(text, { eval: true }).on('exit', resolve));
(async () => {
  fs.writeFileSync(file, Buffer.alloc(size));
  Bun.gc(true);
  await run('');
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 3; i++) await Promise.all(Array(4).fill(text).map(run));
  // After some hundred milliseconds, which are more on a busy machine.
  let kept;
  for (let round = 0; round < 30; round++) {
    await Bun.sleep(600);
    await run('');
    kept = process.memoryUsage().rss - before;
    if (kept < 3 * size) break;
  }
  console.log(kept < 3 * size || kept);
})();";

#[test]
fn what_threads_have_freed_goes_back() {
    let project = Project::new();
    let file = project.path().join("file");
    let output = Command::new(env!("CARGO_BIN_EXE_rusk"))
        .args(["-e", READERS])
        .arg(file)
        .output()
        .expect("rusk starts");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "true\n",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// One worker after another does the same with classes of ours. From the tenth on they record what
/// they run, and then run what was recorded. Prints how many answered as the first.
const ALIKE: &str = r"
const { Worker } = require('worker_threads');
const text = `const { parentPort } = require('worker_threads');
  const target = new EventTarget();
  let heard = 0;
  target.addEventListener('any', () => heard++);
  target.dispatchEvent(new Event('any'));
  const url = new URL('http://a.test/b?c=1');
  url.searchParams.append('d', 'e');
  const controller = new AbortController();
  controller.abort();
  let refused;
  try { require('fs').readFileSync(1.5); } catch (error) { refused = [error.code, error.stack]; }
  new Blob(['text']).text().then((text) =>
    parentPort.postMessage([heard, url.href, controller.signal.reason.name, text, refused, structuredClone(new Map([[1, { a: [2n] }]]))]));`;
const answer = () => new Promise((resolve, reject) => {
  let said;
  const worker = new Worker(text, { eval: true });
  worker.on('message', (message) => { said = message; }).on('error', reject).on('exit', () => resolve(require('util').inspect(said, { depth: 9 })));
});
(async () => {
  const first = await answer();
  let alike = 0;
  for (let i = 0; i < 24; i++) alike += Number(await answer() === first);
  console.log(alike, first.includes('http://a.test/b?c=1&d=e'), first.includes('2n'));
})();";

#[test]
fn workers_that_run_recorded_code_do_as_those_before_them() {
    let project = Project::new();
    let output = Command::new(env!("CARGO_BIN_EXE_rusk"))
        .args(["-e", ALIKE])
        .env("RUSK_CACHE_DIR", project.home().join("cache"))
        .env_remove("RUSK_BUILTINS")
        .output()
        .expect("rusk starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "24 true true\n", "{errors}");
}

/// Workers start programs in each way and are ended while these run; one of them is the worker of
/// another. Nothing else is started. Prints how many there were, and which of them are not gone in
/// time, with their states.
const PARENTS: &str = r"
const { Worker } = require('worker_threads');
const fs = require('fs');
const starts = `const { exec, spawn } = require('child_process');
  const children = [spawn('cat'), spawn('sleep', ['0.05']), exec('sleep 0.05'), Bun.spawn(['cat'], { stdin: 'pipe' }), Bun.spawn(['sleep', '0.05'])];
  children[1].unref();
  require('worker_threads').parentPort.postMessage(children.map((child) => child.pid));
  setInterval(() => {}, 1000);`;
const nested = `const { parentPort, Worker } = require('worker_threads');
  new Worker(${JSON.stringify(starts)}, { eval: true }).on('message', (pids) => parentPort.postMessage(pids));`;
const state = (pid) => {
  try {
    return /^State:.*/m.exec(fs.readFileSync('/proc/' + pid + '/status', 'utf8'))[0];
  } catch {
    return undefined;
  }
};
const run = (text) => new Promise((resolve) => {
  let pids;
  const worker = new Worker(text, { eval: true });
  worker.on('message', (message) => { pids = message; worker.terminate(); }).on('exit', () => resolve(pids));
});
(async () => {
  const pids = (await Promise.all([starts, nested, starts].map(run))).flat();
  const until = performance.now() + 60_000;
  while (pids.some(state) && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
  console.log(pids.length, pids.filter(state).map((pid) => [pid, state(pid)]));
})();";

#[test]
fn children_of_ended_workers_are_reaped() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_rusk")).args(["-e", PARENTS]).output().expect("rusk starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "15 []\n", "{errors}");
}
