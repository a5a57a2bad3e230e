//! Workers made and ended, some in the middle of work: what they held is given back. `WORKERS=10000 cargo test -p rusk --test workers` is the
//! long form.

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

/// Four workers read a large file, and end. Prints whether more than three of its size are still there.
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
  await Bun.sleep(600);
  await run('');
  const kept = process.memoryUsage().rss - before;
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
