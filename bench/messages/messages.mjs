// Benchmark of messages between threads. In: nothing. Out: one line of JSON, numbers with names.
// Many calls in a row are timed; "there" includes the time until the other thread has received all.
import { MessageChannel, Worker } from 'node:worker_threads';

const STRINGS = [['11 characters', 11, 200], ['14 KB', 14 * 1024, 200], ['3 MB', 3 * 1024 * 1024, 10]];
const BATCHES = 40;
const TRIPS = 5000;

const start = () => new Worker(new URL('./worker.mjs', import.meta.url)).on('error', (error) => { throw error; });
const response = (worker) => new Promise((resolve) => { worker.once('message', resolve); });
const median = (numbers) => numbers.sort((one, other) => one - other)[numbers.length >> 1];

/** Nanoseconds per call, and per message until it is received. */
async function measure(worker, make, count) {
  const calls = [];
  const whole = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const value = make();
    const started = performance.now();
    for (let i = 0; i < count; i++) worker.postMessage(value);
    const sent = performance.now();
    worker.postMessage('sync');
    await response(worker);
    const ended = performance.now();
    // The first batches run before the code is compiled.
    if (batch < BATCHES / 4) continue;
    calls.push((sent - started) * 1e6 / count);
    whole.push((ended - started) * 1e6 / count);
  }
  return [median(calls), median(whole)];
}

/** Microseconds per round trip of eight bytes between two workers. */
async function trips(one, other) {
  const { port1, port2 } = new MessageChannel();
  other.postMessage({ echo: port2 }, [port2]);
  one.postMessage({ trips: TRIPS, port: port1 }, [port1]);
  return await response(one);
}

const found = {};
const worker = start();
for (const [name, length, count] of STRINGS) {
  const text = 'x'.repeat(length);
  [found[`send ${name}, ns`]] = await measure(worker, () => text, count);
}
const flat = () => ({ id: 1, name: 'a name', title: 'a title', price: 1.5, count: 12, isOpen: true, note: null, left: 'left', right: 'right', last: -1 });
[found['send ten fields, ns'], found['ten fields there, ns']] = await measure(worker, flat, 500);
const list = Array.from({ length: 1000 }, (_, index) => index);
[found['send 1,000 numbers, ns'], found['1,000 numbers there, ns']] = await measure(worker, () => list, 100);
const other = start();
await trips(worker, other);
found['round trip, µs'] = await trips(worker, other);
console.log(JSON.stringify(found));
process.exit(0);
