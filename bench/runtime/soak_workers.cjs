// Soak test of workers and children, started, terminated and killed at random, for some minutes.
// In: minutes, a directory of its own. Out: a line of JSON at the end with the number of each
// operation. The program fails if an exit is missing or reported wrongly, or if a descriptor, a
// thread or a child leaks.
'use strict';
const fs = require('fs');
const { fork, spawn } = require('child_process');
const { Worker } = require('worker_threads');
const { check, inTime, one, pause, random } = require('../soak_support.cjs');
const KINDS = require('./kinds.cjs');

const [minutes] = process.argv.slice(2);
const LANES = 3;
/** The engine and the thread pool start and end threads on demand. */
const OWN_THREADS = 4;
/**
 * Each of those threads may have an eventfd. A thread that starts programs retains a socket pair
 * for a while.
 */
const OWN_DESCRIPTORS = 2 * OWN_THREADS;
const SIGNALS = ['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP'];
const CHILDREN = [['cat'], ['sleep', '60'], ['sh', '-c', 'while :; do echo line; done'], ['sh', '-c', 'echo said; exec sleep 60'], ['true']];
const ECHO = `require('worker_threads').parentPort.on('message', function (value) { this.postMessage(value); })`;

const counts = { workers: 0, talks: 0, children: 0, bun: 0, forks: 0 };

const ended = (emitter) => new Promise((resolve) => emitter.on('exit', (...how) => resolve(how)));

const JOBS = {
  async workers() {
    const [text, endsAlone] = one(KINDS);
    const worker = new Worker(text, { eval: true, stdout: true });
    worker.on('error', () => {});
    const end = ended(worker);
    if (!endsAlone) {
      await pause(random(60));
      worker.terminate();
    }
    await inTime(end, text);
  },
  async talks() {
    const worker = new Worker(ECHO, { eval: true });
    const end = ended(worker);
    const value = { id: random(1e6), list: Array.from({ length: random(500) }, () => random(100)), text: 'x'.repeat(random(20_000)) };
    worker.postMessage(value);
    const back = await inTime(new Promise((resolve) => worker.once('message', resolve)), 'an answer');
    check(back.id === value.id && back.list.length === value.list.length && back.text === value.text, 'what came back');
    // While it works.
    for (let i = random(50); i > 0; i--) worker.postMessage(value);
    worker.terminate();
    await inTime(end, 'a worker that answers');
  },
  async children() {
    const [command, ...words] = one(CHILDREN);
    const child = spawn(command, words, { stdio: [one(['pipe', 'ignore']), one(['pipe', 'ignore']), 'ignore'] });
    child.stdin?.on('error', () => {}).write('something');
    child.stdout?.resume();
    const end = ended(child);
    await pause(random(30));
    const signal = one(SIGNALS);
    const wasKilled = child.kill(signal);
    const [code, by] = await inTime(end, command);
    check(by === signal || code !== null, `${command} ended by ${by} after ${signal}`);
    check(wasKilled || code !== null, `${command} was not killed and ended by ${by}`);
  },
  async bun() {
    const child = Bun.spawn(one(CHILDREN), { stdin: 'ignore', stdout: one(['pipe', 'ignore']), stderr: 'ignore' });
    await pause(random(30));
    const signal = one(SIGNALS);
    child.kill(signal);
    await inTime(child.exited, `a child of Bun.spawn after ${signal}`);
    check(child.exitCode !== null || child.signalCode === signal, `${child.exitCode}, ${child.signalCode} after ${signal}`);
  },
  async forks() {
    const child = fork(__filename, ['child'], { serialization: one(['json', 'advanced']) });
    const end = ended(child);
    const value = { id: random(1e6), text: 'x'.repeat(random(20_000)) };
    const answer = new Promise((resolve) => child.once('message', resolve));
    child.send(value);
    const back = await inTime(answer, 'an answer of a fork');
    check(back.id === value.id && back.text === value.text, 'what a fork sent back');
    // A child that is killed while it sends does not disturb its parent.
    for (let i = random(20); i > 0; i--) child.send(value, () => {});
    const signal = one([...SIGNALS, undefined]);
    if (signal === undefined) child.disconnect();
    else child.kill(signal);
    const [code, by] = await inTime(end, 'a fork');
    check(signal === undefined ? code === 0 : by === signal, `a fork ended by ${code}, ${by} after ${signal}`);
  },
};

function measure() {
  const status = fs.readFileSync('/proc/self/status', 'utf8');
  const children = fs.readdirSync('/proc/self/task').flatMap((task) => {
    try {
      return fs.readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean);
    } catch {
      return [];
    }
  });
  return { threads: Number(/^Threads:\s+(\d+)/m.exec(status)[1]), descriptors: fs.readdirSync('/proc/self/fd').length, children: children.length };
}

async function lane(ends) {
  const names = Object.keys(JOBS);
  while (performance.now() < ends) {
    const name = one(names);
    await JOBS[name]();
    counts[name]++;
  }
}

async function work(forMinutes) {
  const ends = performance.now() + forMinutes * 60_000;
  await Promise.all(Array.from({ length: LANES }, () => lane(ends)));
  // Grandchildren, and threads that are exiting.
  await pause(1000);
  return measure();
}

async function main() {
  const first = await work(minutes / 10);
  const last = await work(minutes * 9 / 10);
  const own = { threads: OWN_THREADS, descriptors: OWN_DESCRIPTORS, children: 0 };
  for (const [what, number] of Object.entries(last)) check(number <= first[what] + own[what], `${number} ${what} are left, ${first[what]} at first`);
  console.log(JSON.stringify(counts));
}

if (process.argv[2] === 'child') {
  process.on('message', (message) => process.send(message, () => {}));
} else {
  main().catch((error) => {
    console.error(error);
    process.exit(1);
  });
}
