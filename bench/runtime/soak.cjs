// Soak test: timers, files, children and garbage at random, for some minutes. In: minutes, a
// directory of its own. Out: a line of JSON at the end with the number of each operation. Results
// are checked: a wrong one ends the program.
'use strict';
const fs = require('fs');
const path = require('path');
const { execFile, spawn } = require('child_process');

const [minutes, folder] = process.argv.slice(2);
const ends = performance.now() + Number(minutes) * 60_000;
const counts = { timers: 0, files: 0, streams: 0, children: 0, garbage: 0 };
let seed = 42;
const random = (below) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed % below;
};
const check = (holds, what) => { if (!holds) throw new Error(`wrong answer: ${what}`); };

const JOBS = {
  async timers() {
    const due = Array.from({ length: 50 }, () => new Promise((resolve) => setTimeout(resolve, random(20), random(9))));
    const idle = setInterval(() => {}, 1);
    const gone = setTimeout(() => { throw new Error('a timer that was cleared'); }, 5);
    clearTimeout(gone);
    await new Promise(setImmediate);
    check((await Promise.all(due)).every((number) => number < 9), 'timers');
    clearInterval(idle);
  },
  async files() {
    const file = path.join(folder, `file-${random(100)}`);
    const text = String(random(1e9)).repeat(1 + random(500));
    await fs.promises.mkdir(folder, { recursive: true });
    await fs.promises.writeFile(file, text);
    check(fs.readFileSync(file, 'utf8').length === text.length, 'a file');
    check((await fs.promises.stat(file)).size === text.length, 'its size');
    check(fs.readdirSync(folder).includes(path.basename(file)), 'its folder');
    await fs.promises.unlink(file);
  },
  async streams() {
    const [from, to] = ['from', 'to'].map((name) => path.join(folder, name));
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(from, Buffer.alloc(200_000, random(256)));
    await new Promise((resolve, reject) => {
      fs.createReadStream(from).on('error', reject).pipe(fs.createWriteStream(to)).on('error', reject).on('finish', resolve);
    });
    check(fs.statSync(to).size === 200_000, 'a stream');
  },
  async children() {
    const word = `word-${random(1e6)}`;
    const said = await new Promise((resolve, reject) => execFile('/bin/echo', [word], (error, out) => (error ? reject(error) : resolve(out))));
    check(said === `${word}\n`, 'a child');
    const child = spawn('/bin/cat');
    child.stdin.end('x'.repeat(10_000));
    let bytes = 0;
    for await (const chunk of child.stdout) bytes += chunk.length;
    check(bytes === 10_000, 'a child with pipes');
  },
  async garbage() {
    const map = new Map();
    for (let i = 0; i < 20_000; i++) map.set(`key ${i}`, { i, list: [i, String(i)], bytes: i % 500 === 0 ? new Uint8Array(10_000) : null });
    const copy = JSON.parse(JSON.stringify([...map.values()].slice(0, 1000)));
    check(copy.length === 1000 && map.get('key 7').i === 7, 'garbage');
    for (let i = 0; i < 100; i++) await Promise.resolve(i);
  },
};

async function worker() {
  const names = Object.keys(JOBS);
  while (performance.now() < ends) {
    const name = names[random(names.length)];
    // Streams and files use the same names: one at a time.
    await JOBS[name]();
    counts[name]++;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

worker().then(() => {
  fs.rmSync(folder, { recursive: true, force: true });
  console.log(JSON.stringify(counts));
}, (error) => {
  console.error(error);
  process.exit(1);
});
