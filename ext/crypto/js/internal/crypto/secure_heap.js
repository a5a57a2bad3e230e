// OpenSSL's secure heap (`--secure-heap`, `--secure-heap-min`): loaded before the program. In: the
// options. Out: a heap for private keys; or the end of the process, as in Node. Also what
// `secureHeapUsed` returns.

'use strict';

const { getOptionValue } = require('internal/options');
const process = require('process');

const PART_BYTES_MIN = 2;
const INVALID_OPTION = 9;

const total = Number(getOptionValue('--secure-heap') || 0);
/** Not more than the whole heap. */
const min = total === 0 ? smallestPart() : Math.max(PART_BYTES_MIN, Math.min(smallestPart(), total));

function smallestPart() { return Number(getOptionValue('--secure-heap-min') || PART_BYTES_MIN); }

const isPowerOf2 = (number) => Number.isSafeInteger(number) && number > 0 && Number.isInteger(Math.log2(number));

function start() {
  const wrong = Object.entries({ '--secure-heap': total, '--secure-heap-min': min }).filter(([, value]) => !isPowerOf2(value));
  if (wrong.length > 0) {
    for (const [name] of wrong) report(`${name} must be a power of 2`);
    process.reallyExit(INVALID_OPTION);
  }
  const failure = internalBinding('openssl').startSecureHeap(total, min);
  if (failure !== undefined) report(failure);
}

function report(line) {
  require('fs').writeSync(2, `${process.execPath}: ${line}\n`);
}

// The heap is that of the process: the main thread makes it.
if (total !== 0 && require('worker_threads').isMainThread) start();

function secureHeapUsed() {
  const used = total === 0 ? 0 : internalBinding('openssl').secureHeapUsed();
  return { total, used, utilization: used / total, min };
}

module.exports = { secureHeapUsed };
