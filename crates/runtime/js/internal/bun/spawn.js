// `Bun.spawn` and `Bun.spawnSync`. In: words and options, in bun's forms. Out: a Subprocess that runs; or what became of one that has
// ended. Absent: what an option may be (spawn_options.js), what becomes of a descriptor (child_stdio.js), windows.
'use strict';

const { closeOpened, place } = require('internal/bun/child_stdio');
const { CHANNEL, IGNORE, NUMBER, PIPE, TERMINAL } = require('internal/child_process/descriptors');
const { readOptions, variablesOf } = require('internal/bun/spawn_options');
const { failureOf } = require('internal/bun/spawn_failure');
const binding = native('child_process');

/** Bits of how a child is started. */
const DETACHED = 1;

/** errno of what ended a program that was waited for. */
const ETIMEDOUT = -110;
const ENOBUFS = -105;

const SYNC_DEFAULTS = [IGNORE, PIPE, PIPE];
const DEFAULTS = [IGNORE, PIPE, 2];
const NAMES = ['stdin', 'stdout', 'stderr'];

/** What is to become of each descriptor. */
function placesOf(options, isSync) {
  const { stdio } = options.given;
  const isList = stdio !== undefined && stdio !== null;
  if (isList && !Array.isArray(stdio)) throw require('internal/bun/program').wrongType('stdio must be an array');
  const defaults = isSync ? SYNC_DEFAULTS : DEFAULTS;
  const places = [];
  try {
    for (let index = 0; index < 3; index++) {
      const wanted = isList ? stdio[index] : options.given[NAMES[index]];
      places.push(wanted === undefined ? { number: defaults[index] } : place(wanted, index, isSync));
    }
    for (let index = 3; isList && index < stdio.length; index++) places.push(place(stdio[index], index, isSync));
  } catch (error) {
    closeOpened(places);
    throw error;
  }
  return places;
}

/** Gives the native half what it reads of any start; what else it is told stands behind. */
function start(call, options, places, variables, first, second, third) {
  const { words, file, argv0, cwd, uid, gid, search, cgroup, detached } = options;
  if (argv0 !== undefined) words[0] = argv0;
  const texts = words.length === 1 ? words[0] : words.join('\0');
  let numbers = `${places[0].number} ${places[1].number} ${places[2].number}`;
  for (let index = 3; index < places.length; index++) numbers += ` ${places[index].number}`;
  const manner = detached ? DETACHED : 0;
  return call(file, texts, variables, cwd, numbers, manner, uid, gid, search, places[0].bytes, cgroup, first, second, third);
}

function spawn(cmd) {
  const options = readOptions(cmd, arguments[1], false);
  if (options.signal?.aborted) throw aborted(options.signal);
  const { terminal, isOwn } = terminalOf(options.given.terminal);
  const places = terminal ? [0, 1, 2].map(() => ({ number: TERMINAL, shown: null })) : placesOf(options, false);
  let variables = variablesOf(options.env);
  if (options.ipc !== undefined) {
    variables = require('internal/bun/subprocess').withChannel(variables, places.length, options.serialization);
    places.push({ number: CHANNEL, shown: null });
  }
  const { Subprocess } = require('internal/bun/subprocess');
  const child = new Subprocess();
  let made;
  try {
    const ended = require('internal/async_context').bind((code, signal) => Subprocess.end(child, code, signal));
    made = start(binding.spawn, options, places, variables, ended, terminal && require('internal/bun/terminal').nativeOf(terminal));
  } finally {
    closeOpened(places);
    closeCgroup(options);
  }
  if (typeof made === 'number') {
    if (isOwn) terminal.close();
    throw failureOf(made, options);
  }
  Subprocess.begin(child, options, places, made, terminal);
  return child;
}

function aborted(signal) {
  const { AbortError } = require('internal/errors');
  return new AbortError(undefined, { cause: signal.reason });
}

function terminalOf(given) {
  if (given === undefined || given === null) return { terminal: undefined, isOwn: false };
  return require('internal/bun/terminal').terminalFor(given);
}

function closeCgroup({ cgroup, isCgroupOwn }) {
  if (isCgroupOwn) require('internal/fs/sync').closeSync(cgroup);
}

function spawnSync(cmd) {
  const options = readOptions(cmd, arguments[1], true);
  if (options.signal?.aborted) throw aborted(options.signal);
  const places = placesOf(options, true);
  // Nobody could write there, or read what goes elsewhere than to the three streams.
  places.forEach((entry, index) => {
    if (index === 0 && entry.number === PIPE) entry.number = IGNORE;
    if (entry.number === NUMBER) entry.number = PIPE;
  });
  const { timeout, maxBuffer, killSignal } = options;
  let made;
  try {
    made = start(binding.spawnSync, options, places, variablesOf(options.env), timeout, maxBuffer, killSignal);
  } finally {
    closeOpened(places);
    closeCgroup(options);
  }
  return resultOf(made, options, places);
}

function resultOf([pid, status, signal, errno, output, errors, usage], options, places) {
  if (pid === 0) throw failureOf(errno, options);
  const { Buffer } = require('buffer');
  const bytes = (index, { buffer, byteOffset, byteLength }) => (
    places[index].number === PIPE ? Buffer.from(buffer, byteOffset, byteLength) : undefined
  );
  const { ResourceUsage } = require('internal/bun/resource_usage');
  const result = { exitCode: status };
  if (signal !== null) result.signalCode = require('internal/os/constants').signalName(signal) ?? signal;
  result.stdout = bytes(1, output);
  result.stderr = bytes(2, errors);
  result.success = status === 0;
  result.resourceUsage = new ResourceUsage(usage);
  if (options.timeout > 0) result.exitedDueToTimeout = errno === ETIMEDOUT;
  if (options.maxBuffer !== undefined) result.exitedDueToMaxBuffer = errno === ENOBUFS;
  result.pid = pid;
  return result;
}

module.exports = { spawn, spawnSync };
