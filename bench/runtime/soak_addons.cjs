// Soak test of native addons: calls with all kinds of values, objects with finalizers, work on
// other threads, and workers that load the addons, use them and end or are terminated. In: minutes,
// a directory of its own; the directory of the addons in `ADDONS`. Out: a line of JSON at the end
// with the number of each operation. The program fails if an answer is wrong or a finalizer is
// missing.
'use strict';
const { Worker } = require('worker_threads');
const { check, inTime, one, pause, random } = require('../soak_support.cjs');

const [minutes] = process.argv.slice(2);
const directory = process.env.ADDONS;
const values = require(`${directory}/values.node`);
const threads = require(`${directory}/threads.node`);
const misbehaves = require(`${directory}/misbehaves.node`);

const LANES = 2;
const CALLS = 200;
const OBJECTS = 100;
const counts = { calls: 0, objects: 0, works: 0, counters: 0, workers: 0, terminated: 0 };

const WORK = `
const { parentPort, workerData } = require('worker_threads');
const values = require(workerData.directory + '/values.node');
const threads = require(workerData.directory + '/threads.node');
for (let index = 0; index < 100; index++) new values.Counter().next();
if (values.add(1, 2) !== 3) throw new Error('wrong answer of an addon');
if (workerData.waits) setInterval(() => values.reverse('some text'), 1);
threads.square(7).then((square) => parentPort.postMessage(square));`;

const JOBS = {
  async calls() {
    for (let index = 0; index < CALLS; index++) {
      check(values.add(index, 0.5) === index + 0.5, 'add');
      check(values.reverse(`text ${index}`).length === `text ${index}`.length, 'reverse');
      check(values.callBack(() => index) === index, 'callBack');
    }
    check(values.many().length === 5000 && values.bytes().length === 4, 'many');
    check(misbehaves.statuses().length === 49, 'statuses');
    check(misbehaves.leaveOpen() === 'in an open scope', 'leaveOpen');
    counts.calls += 3 * CALLS;
  },
  async objects() {
    for (let index = 0; index < OBJECTS; index++) check(new values.Counter().next() === 1, 'a counter');
    counts.objects += OBJECTS;
    await pause(0);
  },
  async works() {
    const number = random(100);
    check(await threads.square(number) === number * number, 'square');
    counts.works++;
  },
  async counters() {
    await new Promise((resolve) => threads.count((count) => { if (count === 5) resolve(); }));
    counts.counters++;
  },
  async workers() {
    const waits = random(2) === 1;
    const worker = new Worker(WORK, { eval: true, workerData: { directory, waits } });
    const end = new Promise((resolve) => worker.on('exit', resolve));
    worker.on('error', (error) => { throw error; });
    worker.on('message', (square) => check(square === 49, 'a worker'));
    if (waits) {
      await pause(random(60));
      worker.terminate();
      counts.terminated++;
    }
    await inTime(end, 'the end of a worker with addons');
    counts.workers++;
  },
};

async function lane(end) {
  const names = Object.keys(JOBS);
  while (Date.now() < end) await JOBS[one(names)]();
}

const end = Date.now() + minutes * 60_000;
Promise.all(Array.from({ length: LANES }, () => lane(end))).then(() => {
  check(counts.objects < 10_000 || values.freed() > counts.objects / 2, `${values.freed()} of ${counts.objects} objects were finalized`);
  console.log(JSON.stringify({ ...counts, finalized: values.freed() }));
  process.exit(0);
});
