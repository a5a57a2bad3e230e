// What messages cost. In: nothing. Out: one line of JSON, numbers with names. A call is timed around itself, many in a row; "there" is until the other thread has had all of them.
import { MessageChannel, Worker } from 'node:worker_threads';

const TEXTS = [['11 characters', 11, 200], ['14 KB', 14 * 1024, 200], ['3 MB', 3 * 1024 * 1024, 10]];
const BATCHES = 40;
const TRIPS = 5000;

const begin = () => new Worker(new URL('./worker.mjs', import.meta.url)).on('error', (error) => { throw error; });
const answer = (worker) => new Promise((resolve) => { worker.once('message', resolve); });
const median = (numbers) => numbers.sort((one, other) => one - other)[numbers.length >> 1];

/** Nanoseconds a call, and a message until it was there. */
async function measure(worker, make, count) {
  const calls = [];
  const whole = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const value = make();
    const started = performance.now();
    for (let i = 0; i < count; i++) worker.postMessage(value);
    const sent = performance.now();
    worker.postMessage('sync');
    await answer(worker);
    const ended = performance.now();
    // The first ones are not compiled yet.
    if (batch < BATCHES / 4) continue;
    calls.push((sent - started) * 1e6 / count);
    whole.push((ended - started) * 1e6 / count);
  }
  return [median(calls), median(whole)];
}

/** Microseconds a round trip of eight bytes between two workers. */
async function trips(one, other) {
  const { port1, port2 } = new MessageChannel();
  other.postMessage({ echo: port2 }, [port2]);
  one.postMessage({ trips: TRIPS, port: port1 }, [port1]);
  return await answer(one);
}

const found = {};
const worker = begin();
for (const [name, length, count] of TEXTS) {
  const text = 'x'.repeat(length);
  [found[`send ${name}, ns`]] = await measure(worker, () => text, count);
}
const flat = () => ({ id: 1, name: 'a name', title: 'a title', price: 1.5, count: 12, isOpen: true, note: null, left: 'left', right: 'right', last: -1 });
[found['send ten fields, ns'], found['ten fields there, ns']] = await measure(worker, flat, 500);
const list = Array.from({ length: 1000 }, (_, index) => index);
[found['send 1,000 numbers, ns'], found['1,000 numbers there, ns']] = await measure(worker, () => list, 100);
const other = begin();
await trips(worker, other);
found['round trip, µs'] = await trips(worker, other);
console.log(JSON.stringify(found));
process.exit(0);
