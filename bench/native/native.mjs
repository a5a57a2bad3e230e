// Calls of native code: functions of an addon on Node-API, and of a library by bun:ffi where the
// runtime has that. Out: one line of JSON, the time of a call each.
import { createRequire } from 'node:module';
import process from 'node:process';

const BUILT = new URL('../../target/bench/native/', import.meta.url);
const addon = createRequire(import.meta.url)(new URL('addon.node', BUILT).pathname);

// Short rounds, so that some have a processor for themselves on a busy machine.
const WARM_MS = 300;
const ROUND_MS = 50;
const ROUNDS = 20;
const NS_PER_MS = 1e6;

/** Nanoseconds of a call: the fastest round, after one that warms up. */
function time(body, batch) {
  let best = Infinity;
  for (let round = 0; round <= ROUNDS; round++) {
    const least = round === 0 ? WARM_MS : ROUND_MS;
    let calls = 0;
    const begin = performance.now();
    let end;
    do {
      body(batch);
      calls += batch;
      end = performance.now();
    } while (end - begin < least);
    if (round > 0) best = Math.min(best, ((end - begin) * NS_PER_MS) / calls);
  }
  return best;
}

const results = {};
const measure = (name, batch, body) => { results[name] = time(body, batch); };

const short = 'sixteen letters.';
const long = 'sixteen letters.'.repeat(4096);
const bytes = Buffer.alloc(1024, 7);
if (addon.add(1, 2) !== 3 || addon.string(long) !== long || addon.object().j !== 9 || addon.array()[9999] !== 9999.5 || addon.buffer(bytes)[1023] !== 7) {
  throw new Error('the addon is wrong');
}
measure('an empty call, ns', 100_000, (n) => { for (let i = 0; i < n; i++) addon.empty(); });
measure('two numbers, ns', 100_000, (n) => { for (let i = 0; i < n; i++) addon.add(i, 0.5); });
measure('a string of 16 bytes, ns', 10_000, (n) => { for (let i = 0; i < n; i++) addon.string(short); });
measure('a string of 64 KiB, ns', 100, (n) => { for (let i = 0; i < n; i++) addon.string(long); });
measure('an object with ten fields, ns', 10_000, (n) => { for (let i = 0; i < n; i++) addon.object(); });
measure('an array of 10,000 numbers, ns', 10, (n) => { for (let i = 0; i < n; i++) addon.array(); });
measure('a buffer of 1 KiB there and back, ns', 10_000, (n) => { for (let i = 0; i < n; i++) addon.buffer(bytes); });

const CALLS = 100_000;
function fromThread() {
  return new Promise((resolve) => {
    let left = CALLS;
    const begin = performance.now();
    addon.fromThread(() => {
      left -= 1;
      if (left === 0) resolve(((performance.now() - begin) * NS_PER_MS) / CALLS);
    }, CALLS);
  });
}
await fromThread();
results['a thread-safe call, ns'] = Math.min(await fromThread(), await fromThread(), await fromThread());

if (process.versions.bun !== undefined || process.versions.rusk !== undefined) {
  const { JSCallback, dlopen } = await import('bun:ffi');
  const { symbols } = dlopen(new URL('library.so', BUILT).pathname, {
    nothing: {},
    sum: { args: ['f64', 'f64'], returns: 'f64' },
    sum_integers: { args: ['i32', 'i32'], returns: 'i32' },
    first_byte: { args: ['ptr', 'usize'], returns: 'u32' },
    words: { returns: 'cstring' },
    call_back: { args: ['function', 'i32'], returns: 'i32' },
  });
  const square = new JSCallback((number) => number * 2, { args: ['i32'], returns: 'i32' });
  if (symbols.sum(1, 2.5) !== 3.5 || symbols.first_byte(bytes, 1024) !== 7 || String(symbols.words()) !== short || symbols.call_back(square.ptr, 10) !== 90) {
    throw new Error('the library is wrong');
  }
  measure('ffi: an empty call, ns', 100_000, (n) => { for (let i = 0; i < n; i++) symbols.nothing(); });
  measure('ffi: two numbers, ns', 100_000, (n) => { for (let i = 0; i < n; i++) symbols.sum(i, 0.5); });
  measure('ffi: two integers, ns', 100_000, (n) => { for (let i = 0; i < n; i++) symbols.sum_integers(i, 1); });
  measure('ffi: a buffer, ns', 100_000, (n) => { for (let i = 0; i < n; i++) symbols.first_byte(bytes, 1024); });
  measure('ffi: a string of 16 bytes, ns', 10_000, (n) => { for (let i = 0; i < n; i++) symbols.words(); });
  measure('ffi: a callback, ns', 10_000, (n) => symbols.call_back(square.ptr, n));
}
console.log(JSON.stringify(results));
process.exit(0);
