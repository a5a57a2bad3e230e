// Classic kernels, each timed by itself. In: nothing. Out: one line of JSON, milliseconds by name:
// the minimum of several rounds after a first one, so that compilation counts once at most. The
// results of the kernels are checked.
'use strict';

function nbody(steps) {
  const bodies = [
    [0, 0, 0, 0, 0, 0, 39.47],
    [4.84, -1.16, -0.1, 0.6, 2.81, -0.02, 0.037],
    [8.34, 4.12, -0.4, -1.01, 1.82, 0.008, 0.011],
    [12.89, -15.11, -0.22, 1.08, 0.86, -0.01, 0.0017],
    [15.37, -25.91, 0.17, 0.97, 0.59, -0.03, 0.002],
  ].map(([x, y, z, vx, vy, vz, mass]) => ({ x, y, z, vx, vy, vz, mass }));
  for (let step = 0; step < steps; step++) {
    for (let i = 0; i < bodies.length; i++) {
      const a = bodies[i];
      for (let j = i + 1; j < bodies.length; j++) {
        const b = bodies[j];
        const dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const square = dx * dx + dy * dy + dz * dz;
        const pull = 0.001 / (square * Math.sqrt(square));
        a.vx -= dx * b.mass * pull; a.vy -= dy * b.mass * pull; a.vz -= dz * b.mass * pull;
        b.vx += dx * a.mass * pull; b.vy += dy * a.mass * pull; b.vz += dz * a.mass * pull;
      }
    }
    for (const body of bodies) { body.x += 0.001 * body.vx; body.y += 0.001 * body.vy; body.z += 0.001 * body.vz; }
  }
  return Math.round(bodies[1].x * 1e3);
}

function fannkuch(n) {
  const perm = new Int32Array(n), first = Int32Array.from({ length: n }, (_, i) => i), count = new Int32Array(n);
  let flipsMax = 0, r = n;
  for (;;) {
    while (r !== 1) { count[r - 1] = r; r--; }
    perm.set(first);
    let flips = 0;
    for (let k = perm[0]; k !== 0; k = perm[0]) {
      for (let i = 0, j = k; i < j; i++, j--) { const t = perm[i]; perm[i] = perm[j]; perm[j] = t; }
      flips++;
    }
    if (flips > flipsMax) flipsMax = flips;
    for (;;) {
      if (r === n) return flipsMax;
      const head = first[0];
      for (let i = 0; i < r; i++) first[i] = first[i + 1];
      first[r] = head;
      if (--count[r] > 0) break;
      r++;
    }
  }
}

function spectral(n) {
  const a = (i, j) => 1 / ((i + j) * (i + j + 1) / 2 + i + 1);
  const times = (v, out, turned) => {
    for (let i = 0; i < n; i++) { let sum = 0; for (let j = 0; j < n; j++) sum += (turned ? a(j, i) : a(i, j)) * v[j]; out[i] = sum; }
  };
  const u = new Float64Array(n).fill(1), v = new Float64Array(n), w = new Float64Array(n);
  for (let i = 0; i < 5; i++) { times(u, w, false); times(w, v, true); times(v, w, false); times(w, u, true); }
  let uv = 0, vv = 0;
  for (let i = 0; i < n; i++) { uv += u[i] * v[i]; vv += v[i] * v[i]; }
  return Math.round(Math.sqrt(uv / vv) * 1e4);
}

function trees(depth) {
  const make = (d) => (d === 0 ? { left: null, right: null } : { left: make(d - 1), right: make(d - 1) });
  const count = (tree) => (tree.left === null ? 1 : 1 + count(tree.left) + count(tree.right));
  let sum = 0;
  for (let i = 0; i < 20; i++) sum += count(make(depth));
  return sum;
}

function sieve(limit) {
  const composite = new Uint8Array(limit + 1);
  let primes = 0;
  for (let i = 2; i <= limit; i++) {
    if (composite[i]) continue;
    primes++;
    for (let j = i * i; j <= limit; j += i) composite[j] = 1;
  }
  return primes;
}

function words(count) {
  const seen = new Map();
  let seed = 7;
  for (let i = 0; i < count; i++) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    const word = `w${(seed >> 8) % 5000}`;
    seen.set(word, (seen.get(word) ?? 0) + 1);
  }
  return [...seen].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, 10).map(([word]) => word).join().length > 0;
}

const records = Array.from({ length: 20000 }, (_, id) => ({
  id, name: `name ${id}`, tags: ['a', 'b', `t${id % 17}`], nested: { ok: id % 3 === 0, ratio: id / 7, none: null }, text: 'caf\u00e9 "quoted"\n',
}));
const json = JSON.stringify(records);
const page = Array.from({ length: 4000 }, (_, i) => `2026-11-${String(i % 28 + 1).padStart(2, '0')} user${i}@example.test GET /a/b${i}?q=${i}&r=x "agent ${i}"`).join('\n');

function regex() {
  let found = 0;
  for (const match of page.matchAll(/(\d{4})-(\d\d)-(\d\d)\s+(\w+)@([\w.]+)\s+(?:GET|POST)\s+(\/[^\s?]*)(?:\?([^\s]*))?/g)) found += match[6].length;
  found += page.replace(/\b[a-z]+(?=\d)/g, (word) => word.toUpperCase()).length;
  return found + page.split(/[\s&=?]+/).length;
}

const KERNELS = {
  'JSON.parse': [() => JSON.parse(json).length, 20000],
  'JSON.stringify': [() => JSON.stringify(records).length, json.length],
  'regular expressions': [regex],
  nbody: [() => nbody(150000)],
  fannkuch: [() => fannkuch(9), 30],
  'spectral norm': [() => spectral(350), 12742],
  'binary trees': [() => trees(14), 20 * 32767],
  sieve: [() => sieve(2000000), 148933],
  words: [() => words(200000), true],
};

const times = {};
for (const [name, [run, expected]] of Object.entries(KERNELS)) {
  let best = Infinity;
  for (let round = 0; round < 5; round++) {
    const began = performance.now();
    const found = run();
    const took = performance.now() - began;
    if (expected !== undefined && found !== expected) throw new Error(`${name}: expected ${expected}, found ${found}`);
    if (round > 0) best = Math.min(best, took);
  }
  times[name] = best;
}
console.log(JSON.stringify(times));
