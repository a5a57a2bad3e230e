// `node:process` in browsers: what programs ask to find out where they run.
'use strict';

const process = {
  title: 'browser',
  browser: true,
  env: {},
  argv: [],
  execArgv: [],
  version: '',
  versions: {},
  platform: 'browser',
  arch: 'javascript',
  pid: 1,
  exitCode: undefined,
  cwd: () => '/',
  chdir() { throw new Error('process.chdir is not supported in browsers'); },
  umask: () => 0,
  uptime: () => performance.now() / 1000,
  memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }),
  nextTick(callback, ...values) { queueMicrotask(() => callback(...values)); },
  emitWarning(warning) { console.warn(warning); },
  binding() { throw new Error('process.binding is not supported in browsers'); },
  listeners: () => [],
  emit: () => false,
};
for (const name of ['on', 'addListener', 'once', 'off', 'removeListener', 'removeAllListeners', 'prependListener', 'prependOnceListener']) {
  process[name] = () => process;
}

function hrtime(previous) {
  const now = performance.now();
  let seconds = Math.floor(now / 1000);
  let nanoseconds = Math.floor((now % 1000) * 1e6);
  if (previous !== undefined) {
    seconds -= previous[0];
    nanoseconds -= previous[1];
    if (nanoseconds < 0) {
      seconds--;
      nanoseconds += 1e9;
    }
  }
  return [seconds, nanoseconds];
}

hrtime.bigint = () => BigInt(Math.floor(performance.now() * 1e6));
process.hrtime = hrtime;
module.exports = process;
