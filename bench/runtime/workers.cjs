// Makes workers and ends them at random, some in the middle of work. In: how many, how many at a time. Out: what the process has, a line now and then; it fails when
// a descriptor or a thread is left, when memory grew by more than a tenth since the first fifth, or when one is not gone in time.
'use strict';

const fs = require('node:fs');
const { Worker } = require('node:worker_threads');
const KINDS = require('./kinds.cjs');

const count = Number(process.argv[2] ?? 10000);
const lanes = Number(process.argv[3] ?? 4);
/** A machine that does something else takes its time. */
const ENDS_WITHIN_MS = 20_000;
const GROWTH_MAX = 1.1;
/** Of fewer, the first fifth ends before the engine's caches, the pool and the arenas are warm: 500 workers grow from 84 to 93 MB, 10,000 from 92 to 94. */
const MEASURED_FROM = 5000;
/** The engine and the pool start and end threads of their own as they need them. */
const OWN_THREADS = 4;
/** A pair of sockets and a pidfd while a thread that starts programs is kept, and an eventfd of a thread at its last line. */
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
  // Children that were started, and threads at their last line.
  await pause(500);
  // What nobody holds is no leak, wherever the collector is; and the allocator gives pages back some hundred milliseconds after they are free.
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
