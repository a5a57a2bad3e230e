//! What a program is done with is given back: memory of requests, descriptors of watchers. In:
//! programs that do the same many times. Out: they end no larger than they were.

use std::process::Command;

#[track_caller]
fn check(program: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_rusk"))
        .args(["--input-type=module", "-e", program])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .output()
        .expect("rusk starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", output.status);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "done\n", "{said}");
}

/// A request that is kept takes 820 bytes of the heap.
#[test]
fn requests_that_have_ended_are_collected() {
    check(
        "
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('found') });
const KINDS = {
  read: () => fetch(server.url).then((response) => response.text()),
  cancelled: () => fetch(server.url).then((response) => response.body.cancel()),
  aborted() {
    const controller = new AbortController();
    const answer = fetch(server.url, { signal: controller.signal }).catch(() => {});
    controller.abort();
    return answer;
  },
};
const COUNT = 400;
async function heapAfter(request) {
  for (let left = COUNT; left > 0; left--) await request();
  await new Promise((resolve) => { setTimeout(resolve, 10); });
  Bun.gc(true);
  return process.memoryUsage().heapUsed;
}
for (const [name, request] of Object.entries(KINDS)) {
  await heapAfter(request);
  const before = await heapAfter(request);
  await heapAfter(request);
  const growth = (await heapAfter(request) - before) / (2 * COUNT);
  if (growth > 400) throw new Error(`${name}: ${growth} bytes a request are kept`);
}
console.log('done');
process.exit();
",
    );
}

/// A user has 128 inotify instances.
#[test]
fn the_descriptor_of_a_closed_watcher_is_closed() {
    check(
        "
import { readdirSync, watch } from 'node:fs';
const descriptors = () => readdirSync('/proc/self/fd').length;
watch('.').close();
const before = descriptors();
for (let left = 50; left > 0; left--) watch('.').close();
if (descriptors() > before) throw new Error(`${descriptors()} descriptors, ${before} before`);
console.log('done');
",
    );
}
