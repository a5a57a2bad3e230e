// What `Bun.spawn` and `Bun.spawnSync` were called with. In: words and options in either of bun's
// forms. Out: the same, checked, under names of our own. Absent: the three streams and other
// descriptors (child_stdio.js), terminals (terminal.js). A program that runs the first of its
// children does so in an engine that has compiled nothing of this yet, and has to compile it beside
// the child: so what is common is short, in few functions.
'use strict';

const { codes, determineSpecificType } = require('internal/errors');
const { wrongType } = require('internal/bun/program');
const { signals } = require('internal/os/constants');

const { isArray } = Array;
const SIGTERM = 15;
/** The signals that programs name are below this. */
const SIGNALS = 32;
/** As a timer can have it. */
const TIMEOUT_MAX = Number.MAX_SAFE_INTEGER;

/**
 * Of most programs nothing is said but what runs and what becomes of its streams: these then are
 * the options of all of them.
 */
const PLAIN = {
  argv0: undefined, cwd: undefined, env: undefined, search: undefined, detached: false, uid: undefined, gid: undefined, signal: undefined,
  timeout: 0, killSignal: SIGTERM, maxBuffer: undefined, lazy: false, cgroup: undefined, isCgroupOwn: false, terminal: undefined,
  onExit: undefined, onDisconnect: undefined, ipc: undefined, serialization: undefined,
};

/** `PLAIN`, or options of their own. Each is read once; the streams are not read here. */
function readOptions(own, isSync) {
  const {
    argv0, cwd, env, detached, uid, gid, signal, timeout, killSignal, maxBuffer, lazy, terminal, onExit, onDisconnect, ipc, serialization, cgroup,
  } = own;
  if (
    argv0 === undefined && cwd === undefined && env === undefined && detached === undefined && uid === undefined && gid === undefined
    && signal === undefined && timeout === undefined && killSignal === undefined && maxBuffer === undefined && lazy === undefined
    && terminal === undefined && onExit === undefined && onDisconnect === undefined && ipc === undefined && serialization === undefined
    && cgroup === undefined
  ) return PLAIN;
  return check({
    argv0, cwd, env, detached, uid, gid, signal, timeout, killSignal, maxBuffer, lazy, terminal, onExit, onDisconnect, ipc, serialization, cgroup,
  }, isSync);
}

function check(said, isSync) {
  const { argv0, killSignal, maxBuffer, terminal, cgroup } = said;
  const options = { ...PLAIN };
  if (argv0 !== undefined && argv0 !== null) options.argv0 = wordOf(argv0, 'argv0');
  options.cwd = folderOf(said.cwd);
  options.env = envOf(said.env);
  options.search = searchOf(options.env);
  options.detached = Boolean(said.detached);
  options.uid = idOf(said.uid, 'uid');
  options.gid = idOf(said.gid, 'gid');
  options.signal = signalOf(said.signal);
  options.timeout = timeoutOf(said.timeout);
  if (killSignal !== undefined) options.killSignal = numberOfSignal(killSignal);
  if (maxBuffer > 0 && typeof maxBuffer === 'number') options.maxBuffer = maxBuffer;
  options.lazy = Boolean(said.lazy);
  if (isSync) {
    if (terminal) throw wrongType('terminal option is only supported for Bun.spawn, not Bun.spawnSync');
  } else {
    options.terminal = terminal;
    readCallbacks(options, said);
  }
  if (cgroup !== undefined && cgroup !== null) openCgroup(options, cgroup);
  return options;
}

const NOTHING = { __proto__: null };

/** What may have properties of what was given as options. */
function ownOf(given) {
  return typeof given === 'object' && given !== null ? given : NOTHING;
}

/** The words, of a program and what it is given. */
function listOf(cmd) {
  const list = isArray(cmd) ? cmd : cmd?.cmd;
  if (!isArray(list)) throw wrongType('cmd must be an array');
  if (list.length === 0) throw wrongType('cmd must not be empty');
  return list;
}

/** The words as texts, none of which has a NUL. */
function wordsOf(list) {
  const words = new Array(list.length);
  for (let index = 0; index < words.length; index++) words[index] = argumentOf(list[index], index);
  return words;
}

function argumentOf(value, index) {
  return typeof value === 'string' && !value.includes('\0') ? value : wordOf(value, `args[${index}]`);
}

/** A text without a NUL: the kernel would end it there. */
function wordOf(value, name) {
  const text = typeof value === 'string' ? value : `${value}`;
  if (text.includes('\0')) throw new codes.ERR_INVALID_ARG_VALUE(name, text, 'must be a string without null bytes');
  return text;
}

/** Without one, and with an empty text, it is the one that we are in. */
function folderOf(cwd) {
  return cwd === undefined || cwd === null || cwd === '' ? undefined : wordOf(cwd, 'cwd');
}

function envOf(env) {
  if (env === undefined || env === null) return undefined;
  if (typeof env !== 'object') throw wrongType('env must be an object');
  return env;
}

/** Where a name is looked for: in the child's own PATH if it was given one. */
function searchOf(env) {
  const own = env?.PATH;
  return env === undefined ? undefined : own === undefined ? launched().PATH : `${own}`;
}

let variablesAtLaunch;

/**
 * The variables that this program was started with. What it changed since is not for children that
 * were given none.
 */
function launched() {
  if (variablesAtLaunch === undefined) {
    variablesAtLaunch = { __proto__: null };
    const flat = internalBinding('process').environment();
    for (let index = 0; index < flat.length; index += 2) variablesAtLaunch[flat[index]] = flat[index + 1];
    delete variablesAtLaunch.NODE_CHANNEL_FD;
    delete variablesAtLaunch.NODE_CHANNEL_SERIALIZATION_MODE;
  }
  return variablesAtLaunch;
}

/**
 * Each `NAME=value`, with a NUL between two; undefined where the child gets those of the launch.
 */
function variablesOf(env) {
  if (env === undefined) return undefined;
  const pairs = [];
  for (const name of Object.keys(env)) {
    const value = env[name];
    if (value === undefined) continue;
    const text = `${value}`;
    if (name.includes('\0') || text.includes('\0')) {
      throw new codes.ERR_INVALID_ARG_VALUE(`options.env['${name}']`, text, 'must be a string without null bytes');
    }
    pairs.push(`${name}=${text}`);
  }
  return pairs.join('\0');
}

function idOf(value, name) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number') throw wrongType(`The "${name}" property must be of type number. Received ${typeof value}`);
  if (!Number.isInteger(value)) throw wrongType(`The "${name}" property must be of type integer. Received number`);
  if (value < 0 || value > 2 ** 32 - 1) throw new codes.ERR_OUT_OF_RANGE(name, '>= 0 and <= 4294967295', value);
  return value;
}

function signalOf(signal) {
  if (signal === undefined || signal === null) return undefined;
  if (!require('web/abort').isAbortSignal(signal)) {
    throw wrongType(`The "signal" argument must be of type AbortSignal. Received ${determineSpecificType(signal)}`);
  }
  return signal;
}

/** Milliseconds; 0 is no limit. */
function timeoutOf(timeout) {
  if (timeout === undefined || timeout === null || timeout === Infinity) return 0;
  if (typeof timeout !== 'number') throw wrongType(`The "timeout" property must be of type number. Received ${typeof timeout}`);
  if (Number.isNaN(timeout)) throw new codes.ERR_OUT_OF_RANGE('timeout', 'a non-negative integer', timeout);
  if (!Number.isInteger(timeout)) throw wrongType('The "timeout" property must be of type integer. Received number');
  if (timeout < 0 || timeout > TIMEOUT_MAX) throw new codes.ERR_OUT_OF_RANGE('timeout', `>= 0 and <= ${TIMEOUT_MAX}`, timeout);
  return timeout;
}

/** A signal by its name or its number. */
function numberOfSignal(signal) {
  if (signal === undefined || signal === null) return SIGTERM;
  if (typeof signal === 'number') {
    if (!Number.isInteger(signal)) throw wrongType('Unknown signal');
    if (signal < 0) throw wrongType('Invalid signal: must be >= 0');
    if (signal >= SIGNALS) throw wrongType(`Invalid signal: must be < ${SIGNALS}`);
    return signal;
  }
  if (typeof signal !== 'string') throw wrongType('Invalid signal: must be a string or an integer');
  if (Object.hasOwn(signals, signal)) return signals[signal];
  const names = Object.keys(signals).filter((name) => name !== 'SIGIOT' && name !== 'SIGPOLL');
  names.sort((one, other) => signals[one] - signals[other]);
  const quoted = names.map((name) => `'${name}'`);
  throw wrongType(`signal must be one of ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`);
}

function readCallbacks(options, { onExit, onDisconnect, ipc, serialization }) {
  if (onExit !== undefined && onExit !== null) {
    if (typeof onExit !== 'function') throw wrongType('onExit must be a function or undefined');
    options.onExit = onExit;
  }
  if (typeof onDisconnect === 'function') options.onDisconnect = onDisconnect;
  if (typeof ipc !== 'function') return;
  options.ipc = ipc;
  options.serialization = serialization ?? 'advanced';
  if (options.serialization !== 'advanced' && options.serialization !== 'json') {
    throw wrongType('serialization must be "json" or "advanced"');
  }
}

function openCgroup(options, cgroup) {
  if (typeof cgroup === 'number') {
    options.cgroup = cgroup;
    return;
  }
  options.cgroup = require('internal/fs/sync').openSync(`${cgroup}`, 'r');
  options.isCgroupOwn = true;
}

module.exports = { PLAIN, launched, listOf, numberOfSignal, ownOf, readOptions, variablesOf, wordsOf };
