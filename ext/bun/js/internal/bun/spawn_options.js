// Options of `Bun.spawn` and `Bun.spawnSync`: reading and checks. In: arguments and options in
// either of Bun's forms. Out: checked options. Absent: stdio (spawn_stdio.js), terminals
// (terminal.js). At a program's first spawn the engine still has to compile this code, so the
// common path is short and in few functions.
'use strict';

const { codes, determineSpecificType } = require('internal/errors');
const { invalidArgType } = require('internal/bun/environment');
const { signals } = require('internal/os/constants');

const { isArray } = Array;
const SIGTERM = 15;
/** Signal numbers are below this. */
const SIGNAL_COUNT = 32;
/** Milliseconds. */
const TIMEOUT_MAX = Number.MAX_SAFE_INTEGER;

/** The default options, shared by all spawns that set only the command and stdio. */
const DEFAULTS = {
  argv0: undefined, cwd: undefined, env: undefined, searchPath: undefined, detached: false, uid: undefined, gid: undefined, signal: undefined,
  timeout: 0, killSignal: SIGTERM, maxBuffer: undefined, lazy: false, cgroup: undefined, isCgroupOwn: false, terminal: undefined,
  onExit: undefined, onDisconnect: undefined, ipc: undefined, serialization: undefined,
};

/** `DEFAULTS`, or a new object. Each option is read once; stdio is not read here. */
function readOptions(rawOptions, isSync) {
  const {
    argv0, cwd, env, detached, uid, gid, signal, timeout, killSignal, maxBuffer, lazy, terminal, onExit, onDisconnect, ipc, serialization, cgroup,
  } = rawOptions;
  if (
    argv0 === undefined && cwd === undefined && env === undefined && detached === undefined && uid === undefined && gid === undefined
    && signal === undefined && timeout === undefined && killSignal === undefined && maxBuffer === undefined && lazy === undefined
    && terminal === undefined && onExit === undefined && onDisconnect === undefined && ipc === undefined && serialization === undefined
    && cgroup === undefined
  ) return DEFAULTS;
  return check({
    argv0, cwd, env, detached, uid, gid, signal, timeout, killSignal, maxBuffer, lazy, terminal, onExit, onDisconnect, ipc, serialization, cgroup,
  }, isSync);
}

function check(rawOptions, isSync) {
  const { argv0, killSignal, maxBuffer, terminal, cgroup } = rawOptions;
  const options = { ...DEFAULTS };
  if (argv0 !== undefined && argv0 !== null) options.argv0 = toCString(argv0, 'argv0');
  options.cwd = cwdOf(rawOptions.cwd);
  options.env = envOf(rawOptions.env);
  options.searchPath = searchPathOf(options.env);
  options.detached = Boolean(rawOptions.detached);
  options.uid = idOf(rawOptions.uid, 'uid');
  options.gid = idOf(rawOptions.gid, 'gid');
  options.signal = signalOf(rawOptions.signal);
  options.timeout = timeoutOf(rawOptions.timeout);
  if (killSignal !== undefined) options.killSignal = signalNumber(killSignal);
  if (maxBuffer > 0 && typeof maxBuffer === 'number') options.maxBuffer = maxBuffer;
  options.lazy = Boolean(rawOptions.lazy);
  if (isSync) {
    if (terminal) throw invalidArgType('terminal option is only supported for Bun.spawn, not Bun.spawnSync');
  } else {
    options.terminal = terminal;
    readCallbacks(options, rawOptions);
  }
  if (cgroup !== undefined && cgroup !== null) openCgroup(options, cgroup);
  return options;
}

const NO_OPTIONS = { __proto__: null };

/** The options, or an empty object where they are not an object. */
function optionsObject(options) {
  return typeof options === 'object' && options !== null ? options : NO_OPTIONS;
}

/** The program and its arguments, unchecked. */
function commandOf(cmd) {
  const command = isArray(cmd) ? cmd : cmd?.cmd;
  if (!isArray(command)) throw invalidArgType('cmd must be an array');
  if (command.length === 0) throw invalidArgType('cmd must not be empty');
  return command;
}

/** The program and its arguments as strings without NUL. */
function argumentsOf(command) {
  const args = new Array(command.length);
  for (let index = 0; index < args.length; index++) args[index] = argumentOf(command[index], index);
  return args;
}

function argumentOf(value, index) {
  return typeof value === 'string' && !value.includes('\0') ? value : toCString(value, `args[${index}]`);
}

/** A string without NUL: execve(2) would end it there. */
function toCString(value, name) {
  const string = typeof value === 'string' ? value : `${value}`;
  if (string.includes('\0')) throw new codes.ERR_INVALID_ARG_VALUE(name, string, 'must be a string without null bytes');
  return string;
}

/** Undefined: the working directory of this process. */
function cwdOf(cwd) {
  return cwd === undefined || cwd === null || cwd === '' ? undefined : toCString(cwd, 'cwd');
}

function envOf(env) {
  if (env === undefined || env === null) return undefined;
  if (typeof env !== 'object') throw invalidArgType('env must be an object');
  return env;
}

/** The PATH in which the program is searched: the child's, if `env` has one. */
function searchPathOf(env) {
  const path = env?.PATH;
  return env === undefined ? undefined : path === undefined ? launchEnvironment().PATH : `${path}`;
}

let variablesAtLaunch;

/**
 * The environment that this process was started with, which children without `env` get. Changes of
 * `process.env` do not count.
 */
function launchEnvironment() {
  if (variablesAtLaunch === undefined) {
    variablesAtLaunch = { __proto__: null };
    const flat = internalBinding('process').environment();
    for (let index = 0; index < flat.length; index += 2) variablesAtLaunch[flat[index]] = flat[index + 1];
    delete variablesAtLaunch.NODE_CHANNEL_FD;
    delete variablesAtLaunch.NODE_CHANNEL_SERIALIZATION_MODE;
  }
  return variablesAtLaunch;
}

/** `NAME=value` strings with NUL between two; undefined: the child gets the launch environment. */
function envString(env) {
  if (env === undefined) return undefined;
  const pairs = [];
  for (const name of Object.keys(env)) {
    const value = env[name];
    if (value === undefined) continue;
    const string = `${value}`;
    if (name.includes('\0') || string.includes('\0')) {
      throw new codes.ERR_INVALID_ARG_VALUE(`options.env['${name}']`, string, 'must be a string without null bytes');
    }
    pairs.push(`${name}=${string}`);
  }
  return pairs.join('\0');
}

function idOf(value, name) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number') throw invalidArgType(`The "${name}" property must be of type number. Received ${typeof value}`);
  if (!Number.isInteger(value)) throw invalidArgType(`The "${name}" property must be of type integer. Received number`);
  if (value < 0 || value > 2 ** 32 - 1) throw new codes.ERR_OUT_OF_RANGE(name, '>= 0 and <= 4294967295', value);
  return value;
}

function signalOf(signal) {
  if (signal === undefined || signal === null) return undefined;
  if (!require('web/abort').isAbortSignal(signal)) {
    throw invalidArgType(`The "signal" argument must be of type AbortSignal. Received ${determineSpecificType(signal)}`);
  }
  return signal;
}

/** Milliseconds; 0 is no limit. */
function timeoutOf(timeout) {
  if (timeout === undefined || timeout === null || timeout === Infinity) return 0;
  if (typeof timeout !== 'number') throw invalidArgType(`The "timeout" property must be of type number. Received ${typeof timeout}`);
  if (Number.isNaN(timeout)) throw new codes.ERR_OUT_OF_RANGE('timeout', 'a non-negative integer', timeout);
  if (!Number.isInteger(timeout)) throw invalidArgType('The "timeout" property must be of type integer. Received number');
  if (timeout < 0 || timeout > TIMEOUT_MAX) throw new codes.ERR_OUT_OF_RANGE('timeout', `>= 0 and <= ${TIMEOUT_MAX}`, timeout);
  return timeout;
}

/** A signal's number, of a name or a number. */
function signalNumber(signal) {
  if (signal === undefined || signal === null) return SIGTERM;
  if (typeof signal === 'number') {
    if (!Number.isInteger(signal)) throw invalidArgType('Unknown signal');
    if (signal < 0) throw invalidArgType('Invalid signal: must be >= 0');
    if (signal >= SIGNAL_COUNT) throw invalidArgType(`Invalid signal: must be < ${SIGNAL_COUNT}`);
    return signal;
  }
  if (typeof signal !== 'string') throw invalidArgType('Invalid signal: must be a string or an integer');
  if (Object.hasOwn(signals, signal)) return signals[signal];
  const names = Object.keys(signals).filter((name) => name !== 'SIGIOT' && name !== 'SIGPOLL');
  names.sort((one, other) => signals[one] - signals[other]);
  const quoted = names.map((name) => `'${name}'`);
  throw invalidArgType(`signal must be one of ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`);
}

function readCallbacks(options, { onExit, onDisconnect, ipc, serialization }) {
  if (onExit !== undefined && onExit !== null) {
    if (typeof onExit !== 'function') throw invalidArgType('onExit must be a function or undefined');
    options.onExit = onExit;
  }
  if (typeof onDisconnect === 'function') options.onDisconnect = onDisconnect;
  if (typeof ipc !== 'function') return;
  options.ipc = ipc;
  options.serialization = serialization ?? 'advanced';
  if (options.serialization !== 'advanced' && options.serialization !== 'json') {
    throw invalidArgType('serialization must be "json" or "advanced"');
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

module.exports = { DEFAULTS, argumentsOf, commandOf, envString, launchEnvironment, optionsObject, readOptions, signalNumber };
