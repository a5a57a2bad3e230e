// Methods of `process` that make system calls: time, memory, working directory, kill, as in Node's
// lib/internal/process/per_thread.js. In: arguments, which are checked here. Out: results in Node's
// form. Absent: user and group IDs (credentials.js).

'use strict';

const binding = internalBinding('process');
const { usageScope: { PROCESS, THREAD } } = binding;
const { codes, ErrnoException, UVException } = require('internal/errors');
const validators = require('internal/validators');
const { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE, ERR_UNKNOWN_SIGNAL } = codes;

/** Throws if the result of a system call is less than 0. */
function check(result, syscall, path, dest) {
  if (result < 0) {
    throw new UVException({ errno: result, syscall, path, dest });
  }
  return result;
}

// --- time: [low 32 bits of the seconds, high 32 bits, nanoseconds]

const clock = binding.clock();
const read = binding.readClock;

function hrtime(time) {
  read();
  const seconds = clock[1] * 0x100000000 + clock[0];
  if (time === undefined) {
    return [seconds, clock[2]];
  }
  validators.validateArray(time, 'time');
  if (time.length !== 2) {
    throw new ERR_OUT_OF_RANGE('time', 2, time.length);
  }
  const nanoseconds = clock[2] - time[1];
  const difference = seconds - time[0];
  return nanoseconds < 0 ? [difference - 1, nanoseconds + 1e9] : [difference, nanoseconds];
}

function hrtimeBigint() {
  read();
  const seconds = clock[1] * 0x100000000 + clock[0];
  const total = seconds * 1e9 + clock[2];
  // Exact while the computer's uptime is less than 104 days.
  if (total <= Number.MAX_SAFE_INTEGER) return BigInt(total);
  return BigInt(seconds) * 1000000000n + BigInt(clock[2]);
}

let origin;

/** Seconds since the program began. */
function uptime() {
  origin ??= binding.origin();
  read();
  const [seconds, nanoseconds] = origin;
  return clock[1] * 0x100000000 + clock[0] - seconds + (clock[2] - nanoseconds) / 1e9;
}

// --- memory and CPU time

function memoryUsage() {
  const [rss, heapTotal, heapUsed, external, arrayBuffers] = binding.memory();
  return { rss, heapTotal, heapUsed, external, arrayBuffers };
}

function checkPrevious(previous, name, value) {
  if (typeof value !== 'number') {
    validators.validateNumber(value, `prevValue.${name}`);
  }
  if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) {
    const { inspect } = require('internal/util/inspect');
    const error = new RangeError(`The property 'prevValue.${name}' is invalid. Received ${inspect(value)}`);
    error.code = 'ERR_INVALID_ARG_VALUE';
    throw error;
  }
}

function usageSince(usage, previous) {
  const [user, system] = usage;
  if (!previous) {
    return { user, system };
  }
  validators.validateObject(previous, 'prevValue');
  checkPrevious(previous, 'user', previous.user);
  checkPrevious(previous, 'system', previous.system);
  return { user: user - previous.user, system: system - previous.system };
}

function cpuUsage(previous) {
  return usageSince(binding.usage(PROCESS), previous);
}

function threadCpuUsage(previous) {
  return usageSince(binding.usage(THREAD), previous);
}

function resourceUsage() {
  const [
    userCPUTime, systemCPUTime, maxRSS, sharedMemorySize, unsharedDataSize, unsharedStackSize, minorPageFault,
    majorPageFault, swappedOut, fsRead, fsWrite, ipcSent, ipcReceived, signalsCount, voluntaryContextSwitches,
    involuntaryContextSwitches,
  ] = binding.usage(PROCESS);
  return {
    userCPUTime, systemCPUTime, maxRSS, sharedMemorySize, unsharedDataSize, unsharedStackSize, minorPageFault,
    majorPageFault, swappedOut, fsRead, fsWrite, ipcSent, ipcReceived, signalsCount, voluntaryContextSwitches,
    involuntaryContextSwitches,
  };
}

// --- working directory and umask

let cachedCwd;

function cwd() {
  if (cachedCwd === undefined) {
    const result = binding.cwd();
    if (typeof result === 'number') {
      throw new UVException({ errno: result, syscall: 'uv_cwd' });
    }
    // Not cached in a worker: the main thread may change the directory at any time.
    if (binding.start().isWorker) return result;
    cachedCwd = result;
  }
  return cachedCwd;
}

function chdir(directory) {
  validators.validateString(directory, 'directory');
  const result = binding.chdir(directory);
  if (result < 0) {
    let from = '';
    try {
      from = cwd();
    } catch {
      // The current directory is deleted: the message has an empty path.
    }
    throw new UVException({ errno: result, syscall: 'chdir', path: from, dest: directory });
  }
  cachedCwd = undefined;
}

function umask(mask) {
  if (mask === undefined) {
    return binding.umask(-1);
  }
  if (typeof mask !== 'number') {
    validators.validateString(mask, 'mask');
    if (!/^[0-7]+$/.test(mask)) {
      throw new ERR_INVALID_ARG_VALUE('mask', mask, 'must be a 32-bit unsigned integer or an octal string');
    }
    return binding.umask(parseInt(mask, 8) & 0o777);
  }
  validators.validateUint32(mask, 'mask');
  return binding.umask(mask & 0o777);
}

// --- kill

const isOwnProcess = (pid, process) => pid === 0 || pid === -1 || Math.abs(pid) === process.pid;

const hasListener = (number, signals, process) => Object.keys(signals).some((name) => signals[name] === number && process.listenerCount(name) > 0);

function kill(pid, signal) {
  // As in Node, a numeric string is accepted: `kill('0')`.
  // eslint-disable-next-line eqeqeq
  if (pid != (pid | 0)) {
    throw new ERR_INVALID_ARG_TYPE('pid', 'number', pid);
  }
  const process = require('process');
  const { signals } = require('internal/os/constants');
  const name = signal || 'SIGTERM';
  if (typeof signal !== 'number' && !Object.hasOwn(signals, name)) throw new ERR_UNKNOWN_SIGNAL(name);
  const number = typeof signal === 'number' ? signal : signals[name];
  if (number > 0 && isOwnProcess(pid | 0, process) && !hasListener(number, signals, process)) {
    // As in Node: the signal most likely ends this process.
    require('internal/process/execution').runExitHooks();
  }
  const result = process._kill(pid, number);
  if (result) {
    throw new ErrnoException(result, 'kill');
  }
  return true;
}

// --- title, .env files, execve

let title;

function getTitle() {
  title ??= require('internal/options').getOptionValue('--title') || binding.start().argv0;
  return title;
}

function setTitle(value) {
  title = `${value}`;
  if (!binding.start().isWorker) binding.setTitle(title);
}

function loadEnvFile(path) {
  const { getValidatedPath } = require('internal/fs/utils');
  const file = path === undefined ? '.env' : getValidatedPath(path, 'path');
  const { parseEnv } = require('internal/util/parse_env');
  let content;
  try {
    content = require('fs').readFileSync(file, 'utf8');
  } catch (error) {
    throw new UVException({ errno: error.errno, syscall: 'open', path: String(file) });
  }
  const { env } = require('process');
  for (const [name, value] of Object.entries(parseEnv(content))) {
    if (env[name] === undefined) {
      env[name] = value;
    }
  }
}

function execve(execPath, args = [], env) {
  require('internal/process/warning').emitExperimentalWarning('process.execve');
  validators.validateString(execPath, 'execPath');
  validators.validateArray(args, 'args');
  for (let index = 0; index < args.length; index++) {
    const argument = args[index];
    if (typeof argument !== 'string' || argument.includes('\0')) {
      throw new ERR_INVALID_ARG_VALUE(`args[${index}]`, argument, 'must be a string without null bytes');
    }
  }
  const variables = [];
  if (env !== undefined) {
    validators.validateObject(env, 'env');
    for (const [name, value] of Object.entries(env)) {
      if (typeof value !== 'string' || name.includes('\0') || value.includes('\0')) {
        throw new ERR_INVALID_ARG_VALUE('env', env, 'must be an object with string keys and values without null bytes');
      }
      variables.push(name, value);
    }
  } else {
    variables.push(...require('internal/process/env').entries());
  }
  const result = binding.execve(execPath, args, variables);
  // Node prints this and aborts, because its state is torn down before the call.
  const { code } = new UVException({ errno: result, syscall: 'execve' });
  const [, ...frames] = new Error().stack.split('\n');
  binding.writeError(`process.execve failed with error code ${code}\n${frames.join('\n')}\n`);
  binding.abort();
}

module.exports = {
  check, hrtime, hrtimeBigint, uptime, memoryUsage, cpuUsage, threadCpuUsage, resourceUsage, cwd, chdir, umask, kill,
  getTitle, setTitle, loadEnvFile, execve,
};
