// Leak test: starts workers and terminates them at random, some while they work. In: how many, how
// many at a time. Out: resources of the process, a line now and then. It fails if a descriptor or a
// thread leaks, if memory grows by more than a tenth after the first fifth, or if a worker does not
// end in time.
'use strict';

const fs = require('node:fs');
const { Worker } = require('node:worker_threads');
const KINDS = require('./kinds.cjs');

const count = Number(process.argv[2] ?? 10000);
const lanes = Number(process.argv[3] ?? 4);
/** A limit for busy machines. */
const ENDS_WITHIN_MS = 20_000;
const GROWTH_MAX = 1.1;
/**
 * With fewer, the first fifth ends before the engine's caches, the thread pool and the allocator's
 * arenas are warm: 500 workers grow from 84 to 93 MB, 10,000 from 92 to 94.
 */
const MEASURED_FROM = 5000;
/** The engine and the thread pool start and end threads on demand. */
const OWN_THREADS = 4;
/**
 * A socket pair and a pidfd while the spawner thread is retained, and an eventfd of a thread that
 * is exiting.
 */
const OWN_DESCRIPTORS = 4;

let seed = 1;
const random = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;

function measure() {
  const status = fs.readFileSync('/proc/self/status', 'utf8');
  const number = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1]);
  return { megabytes: number('VmRSS') / 1024, threads: number('Threads'), descriptors: fs.readdirSync('/proc/self/fd').length };
}

function one() {
  const [text, ends] = KINDS[Math.floor(random() * KINDS.length)];
  const worker = new Worker(text, { eval: true, stdout: true });
  worker.on('error', () => {});
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`not gone in time: ${text}`)), ENDS_WITHIN_MS);
    worker.on('exit', () => {
      clearTimeout(late);
      resolve();
    });
    if (!ends) setTimeout(() => worker.terminate(), random() * 60);
  });
}

const collect = globalThis.Bun ? () => globalThis.Bun.gc(true) : globalThis.gc ?? (() => {});
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function run(until, state) {
  const lane = async () => {
    while (state.made < until) {
      state.made++;
      await one();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  // Children, and threads that are exiting.
  await pause(500);
  // Garbage is not a leak, and the allocator returns free pages to the system after some hundred
  // milliseconds.
  collect();
  await pause(1000);
  const now = measure();
  console.log(state.made, JSON.stringify(now));
  return now;
}

async function main() {
  const state = { made: 0 };
  const first = await run(Math.ceil(count / 5), state);
  for (let part = 2; part < 5; part++) await run(Math.ceil(count * part / 5), state);
  const last = await run(count, state);
  if (last.descriptors > first.descriptors + OWN_DESCRIPTORS) throw new Error(`descriptors: ${first.descriptors}, then ${last.descriptors}`);
  if (last.threads > first.threads + OWN_THREADS) throw new Error(`threads: ${first.threads}, then ${last.threads}`);
  if (count >= MEASURED_FROM && last.megabytes > first.megabytes * GROWTH_MAX) throw new Error(`megabytes: ${first.megabytes}, then ${last.megabytes}`);
  console.log('ended', state.made);
}

main();
