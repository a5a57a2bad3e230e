// `Bun.spawnSync`. In: words and options, in bun's forms. Out: what became of a program that has
// ended. Absent: what an option may be (spawn_options.js), what becomes of a descriptor
// (child_stdio.js).
'use strict';

require('buffer');
const { FastBuffer } = require('internal/buffer');
const { closeOpened, numbersOf, placesOf } = require('internal/bun/child_stdio');
const { IGNORE, NUMBER, PIPE } = require('internal/child_process/descriptors');
const { PLAIN, listOf, ownOf, readOptions, variablesOf, wordsOf } = require('internal/bun/spawn_options');
const { aborted, closeCgroup, start } = require('internal/bun/spawn_start');
const { ResourceUsage } = require('internal/bun/resource_usage');
const binding = internalBinding('child_process');

const { isArray } = Array;

/** errno of what ended a program that was waited for. */
const ETIMEDOUT = -110;
const ENOBUFS = -105;

/**
 * Places in what the native half tells; before them is what the program used, behind them what it
 * wrote, if it wrote anything.
 */
const PID = 12;
const STATUS = 13;
const SIGNAL = 14;
const ERRNO = 15;
const OUTPUT = 16;
const ERRORS = 17;

function spawnSync(cmd, second = undefined) {
  const list = listOf(cmd);
  const own = ownOf(isArray(cmd) ? second : cmd);
  const options = readOptions(own, true);
  if (options !== PLAIN) return spawnSyncWith(list, own, options);
  const numbers = numbersOf(own, true);
  const file = list[0];
  if (numbers === undefined || typeof file !== 'string') return spawnSyncWith(list, own, options);
  const count = list.length;
  const { 0: input, 1: output, 2: errors } = numbers;
  // Nobody could write to its input.
  const told = binding.spawnSyncPlain(count === 1 ? file : wordsOf(list).join('\0'), count, input === PIPE ? IGNORE : input, output, errors);
  if (told[PID] === 0) {
    // A NUL was found by the native half.
    wordsOf(list);
    throw require('internal/bun/spawn_failure').failureOf(told[ERRNO], file, options);
  }
  const status = told[STATUS];
  if (status < 0) return resultOf(told, options, output === PIPE, errors === PIPE);
  return {
    exitCode: status,
    stdout: output === PIPE ? bytesOf(told[OUTPUT]) : undefined,
    stderr: errors === PIPE ? bytesOf(told[ERRORS]) : undefined,
    success: status === 0,
    resourceUsage: new ResourceUsage(told),
    pid: told[PID],
  };
}

/** On whatever terms. */
function spawnSyncWith(list, own, options) {
  const words = wordsOf(list);
  const file = words[0];
  if (options.signal?.aborted) throw aborted(options.signal);
  const places = placesOf(own, true);
  // Nobody could write there, or read what goes elsewhere than to the three streams.
  places.forEach((entry, index) => {
    if (index === 0 && entry.number === PIPE) entry.number = IGNORE;
    if (entry.number === NUMBER) entry.number = PIPE;
  });
  const { timeout, maxBuffer, killSignal } = options;
  let told;
  try {
    told = start(binding.spawnSync, words, options, places, variablesOf(options.env), timeout, maxBuffer, killSignal);
  } finally {
    closeOpened(places);
    closeCgroup(options);
  }
  if (told[PID] === 0) throw require('internal/bun/spawn_failure').failureOf(told[ERRNO], file, options);
  return resultOf(told, options, places[1].number === PIPE, places[2].number === PIPE);
}

function resultOf(told, options, hasOutput, hasErrors) {
  const { [STATUS]: status, [SIGNAL]: signal, [ERRNO]: errno } = told;
  const result = { exitCode: status < 0 ? null : status };
  if (signal !== 0) result.signalCode = require('internal/os/constants').signalName(signal) ?? signal;
  result.stdout = hasOutput ? bytesOf(told[OUTPUT]) : undefined;
  result.stderr = hasErrors ? bytesOf(told[ERRORS]) : undefined;
  result.success = status === 0;
  result.resourceUsage = new ResourceUsage(told);
  if (options.timeout > 0) result.exitedDueToTimeout = errno === ETIMEDOUT;
  if (options.maxBuffer !== undefined) result.exitedDueToMaxBuffer = errno === ENOBUFS;
  result.pid = told[PID];
  return result;
}

function bytesOf(written) {
  return written === undefined ? new FastBuffer() : new FastBuffer(written.buffer, written.byteOffset, written.byteLength);
}

module.exports = { spawnSync };
