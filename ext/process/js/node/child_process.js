// node:child_process: spawn, exec, execFile, fork, and the synchronous versions. In: programs,
// arguments, options. Out: ChildProcess objects, callbacks with the output, results. Absent:
// Windows.

'use strict';

const { AbortError, codes, genericNodeError } = require('internal/errors');
const { validateAbortSignal, validateArray, validateFunction, validateObject, validateString } = require('internal/validators');
const internal = require('internal/child_process');
const { ChildProcess, getValidStdio, stdioStringToArray } = internal;
const { checkExecFile, checkKillSignal, checkMaxBuffer, checkNull, checkTimeout, normalizeSpawnArguments } = require('internal/child_process/options');
const { ERR_CHILD_PROCESS_IPC_REQUIRED, ERR_CHILD_PROCESS_STDIO_MAXBUFFER, ERR_INVALID_ARG_TYPE } = codes;

/** Default limit of an output, in bytes. */
const MAX_BUFFER = 1024 * 1024;

// --- spawn and fork

function spawn(file, args, options) {
  const settings = normalizeSpawnArguments(file, args, options);
  checkTimeout(settings.timeout);
  validateAbortSignal(settings.signal, 'options.signal');
  const killSignal = checkKillSignal(settings.killSignal);
  const child = new ChildProcess();
  child.spawn(settings);
  if (settings.timeout > 0) {
    killAfterTimeout(child, settings.timeout, killSignal);
  }
  if (settings.signal) {
    killOnAbort(child, settings.signal, killSignal);
  }
  return child;
}

function killAfterTimeout(child, timeout, killSignal) {
  let timer = setTimeout(() => {
    timer = undefined;
    try {
      child.kill(killSignal);
    } catch (error) {
      child.emit('error', error);
    }
  }, timeout);
  child.once('exit', () => {
    if (timer !== undefined) {
      clearTimeout(timer);
      timer = undefined;
    }
  });
}

function abort(child, killSignal, reason) {
  try {
    if (child.kill(killSignal)) {
      child.emit('error', new AbortError(undefined, { cause: reason }));
    }
  } catch (error) {
    child.emit('error', error);
  }
}

function killOnAbort(child, signal, killSignal) {
  const onAbort = () => abort(child, killSignal, signal.reason);
  if (signal.aborted) {
    require('process').nextTick(onAbort);
    return;
  }
  const disposable = require('events').addAbortListener(signal, onAbort);
  child.once('exit', disposable[Symbol.dispose ?? Symbol.for('Symbol.dispose')]);
}

function fork(modulePath, args = [], options) {
  const { getValidatedPath } = require('internal/fs/utils');
  const path = getValidatedPath(modulePath, 'modulePath');
  let scriptArgs = [];
  if (args == null) {
    scriptArgs = [];
  } else if (typeof args === 'object' && !Array.isArray(args)) {
    options = args;
  } else {
    validateArray(args, 'args');
    scriptArgs = args;
  }
  if (options != null) {
    validateObject(options, 'options');
  }
  options = { __proto__: null, ...options, shell: false };
  options.execPath ||= require('process').execPath;
  checkNull(options.execPath, 'options.execPath');
  const execArgv = options.execArgv || require('process').execArgv;
  validateArray(execArgv, 'options.execArgv');
  const argv = [...withoutEval(execArgv), path, ...scriptArgs];
  if (typeof options.stdio === 'string') {
    options.stdio = stdioStringToArray(options.stdio, 'ipc');
  } else if (!options.stdio) {
    options.stdio = stdioStringToArray(options.silent ? 'pipe' : 'inherit', 'ipc');
  } else if (!options.stdio.includes('ipc')) {
    throw new ERR_CHILD_PROCESS_IPC_REQUIRED('options.stdio');
  }
  return spawn(options.execPath, argv, options);
}

/** `-e CODE` is not passed on to a forked script. */
function withoutEval(execArgv) {
  const source = require('process')._eval;
  const position = source == null ? -1 : execArgv.lastIndexOf(source);
  return position > 0 ? execArgv.filter((_, index) => index !== position && index !== position - 1) : execArgv;
}

// --- exec and execFile: the whole output for a callback

/** Node's overloads: arguments, options and callback are optional. */
function normalizeExecFileArgs(file, args, options, callback) {
  if (Array.isArray(args)) {
    args = args.slice();
  } else if (args != null && typeof args === 'object') {
    callback = options;
    options = args;
    args = null;
  } else if (typeof args === 'function') {
    callback = args;
    options = null;
    args = null;
  }
  args ??= [];
  if (typeof args !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('args', 'object', args);
  }
  if (typeof options === 'function') {
    callback = options;
  } else if (options != null) {
    validateObject(options, 'options');
  }
  if (options == null || typeof options === 'function') {
    options = {};
  }
  if (callback != null) {
    validateFunction(callback, 'callback');
  }
  if (options.argv0 != null) {
    validateString(options.argv0, 'options.argv0');
    checkNull(options.argv0, 'options.argv0');
  }
  return { file, args, options, callback };
}

/** Collects a stream's output, up to `maxBuffer`. */
class OutputCollector {
  parts = [];
  length = 0;

  constructor(stream, name, { encoding, maxBuffer }, stop) {
    this.stream = stream;
    const { Buffer } = require('buffer');
    this.encoding = encoding && encoding !== 'buffer' && Buffer.isEncoding(encoding) ? encoding : null;
    if (this.encoding !== null) {
      stream.setEncoding(this.encoding);
    }
    stream.on('data', (chunk) => this.#append(chunk, name, maxBuffer, stop));
  }

  #append(chunk, name, maxBuffer, stop) {
    // The encoding may be changed by the program.
    const { readableEncoding } = this.stream;
    const length = readableEncoding ? require('buffer').Buffer.byteLength(chunk, readableEncoding) : chunk.length;
    const room = maxBuffer - this.length;
    this.length += length;
    if (this.length > maxBuffer) {
      this.parts.push(chunk.slice(0, room));
      stop(new ERR_CHILD_PROCESS_STDIO_MAXBUFFER(name));
    } else {
      this.parts.push(chunk);
    }
  }

  get value() {
    if (this.encoding !== null || this.stream?.readableEncoding) {
      return this.parts.join('');
    }
    return require('buffer').Buffer.concat(this.parts);
  }
}

function execFile(file, args, options, callback) {
  ({ file, args, options, callback } = normalizeExecFileArgs(file, args, options, callback));
  options = {
    __proto__: null, encoding: 'utf8', timeout: 0, maxBuffer: MAX_BUFFER, killSignal: 'SIGTERM', cwd: null, env: null, shell: false, ...options,
  };
  checkExecFile(options);
  const { timeout, killSignal, signal, ...rest } = options;
  const child = spawn(file, args, {
    cwd: options.cwd, env: options.env, gid: options.gid, shell: options.shell, signal, uid: options.uid,
    argv0: options.argv0, killSignal, windowsHide: !!options.windowsHide, windowsVerbatimArguments: !!options.windowsVerbatimArguments,
  });
  const state = { child, timer: undefined, error: null, isKilled: false, isDone: false, outputs: [null, null] };
  const stop = (error) => {
    state.error = error;
    kill();
  };
  function kill() {
    child.stdout?.destroy();
    child.stderr?.destroy();
    state.isKilled = true;
    try {
      child.kill(killSignal);
    } catch (error) {
      state.error = error;
      finish(state, file, args, callback, null, null);
    }
  }
  ['stdout', 'stderr'].forEach((name, index) => {
    if (child[name]) {
      state.outputs[index] = new OutputCollector(child[name], name, rest, stop);
    }
  });
  if (timeout > 0) {
    state.timer = setTimeout(() => {
      state.timer = undefined;
      kill();
    }, timeout);
  }
  child.addListener('close', (code, exitSignal) => finish(state, file, args, callback, code, exitSignal));
  child.addListener('error', (error) => {
    state.error = error;
    child.stdout?.destroy();
    child.stderr?.destroy();
    finish(state, file, args, callback, null, null);
  });
  return child;
}

function finish(state, file, args, callback, code, signal) {
  if (state.isDone) {
    return;
  }
  state.isDone = true;
  clearTimeout(state.timer);
  if (!callback) {
    return;
  }
  const empty = '';
  const [stdout, stderr] = state.outputs.map((output) => (output === null ? empty : output.value));
  if (!state.error && code === 0 && signal === null) {
    callback(null, stdout, stderr);
    return;
  }
  const command = [file, ...args].join(' ');
  let { error } = state;
  if (!error) {
    error = genericNodeError(`Command failed: ${command}\n${stderr}`, {
      code: code < 0 ? require('util').getSystemErrorName(code) : code,
      killed: state.child.killed || state.isKilled,
      signal,
    });
  }
  error.cmd = command;
  callback(error, stdout, stderr);
}

function normalizeExec(command, options, callback) {
  validateString(command, 'command');
  checkNull(command, 'command');
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  options = { __proto__: null, ...options };
  options.shell = typeof options.shell === 'string' ? options.shell : true;
  return { file: command, options, callback };
}

function exec(command, options, callback) {
  const normalized = normalizeExec(command, options, callback);
  return execFile(normalized.file, normalized.options, normalized.callback);
}

/** `util.promisify.custom`: a promise of both outputs, with the child as its property. */
function promisified(original) {
  return (...args) => {
    const { promise, resolve, reject } = Promise.withResolvers();
    promise.child = original(...args, (error, stdout, stderr) => {
      if (error !== null) {
        error.stdout = stdout;
        error.stderr = stderr;
        reject(error);
      } else {
        resolve({ stdout, stderr });
      }
    });
    return promise;
  };
}

const promisify = Symbol.for('nodejs.util.promisify.custom');
for (const original of [exec, execFile]) {
  const value = promisified(original);
  Object.defineProperty(value, 'name', { value: original.name });
  Object.defineProperty(original, promisify, { enumerable: false, value });
}

// --- synchronous

function spawnSync(file, args, options) {
  const settings = { __proto__: null, maxBuffer: MAX_BUFFER, ...normalizeSpawnArguments(file, args, options) };
  checkTimeout(settings.timeout);
  checkMaxBuffer(settings.maxBuffer);
  settings.killSignal = checkKillSignal(settings.killSignal);
  settings.stdio = getValidStdio(settings.stdio || 'pipe', true).stdio;
  if (settings.input !== undefined && settings.input !== null) {
    settings.stdio[0] = { ...settings.stdio[0], type: 'pipe', input: settings.input };
  }
  for (let index = 0; index < settings.stdio.length; index++) {
    const entry = settings.stdio[index];
    const { input } = entry;
    if (input == null) {
      continue;
    }
    if (typeof input === 'string') {
      const { Buffer } = require('buffer');
      entry.input = Buffer.from(input, Buffer.isEncoding(settings.encoding) ? settings.encoding : 'utf8');
    } else if (!ArrayBuffer.isView(input)) {
      throw new ERR_INVALID_ARG_TYPE(`options.stdio[${index}]`, ['Buffer', 'TypedArray', 'DataView', 'string'], input);
    }
  }
  return internal.spawnSync(settings);
}

/** The error of a failed run, or null. */
function checkExecSyncError(result, args, command) {
  if (result.error) {
    return Object.assign(result.error, result);
  }
  if (result.status !== 0) {
    let message = `Command failed: ${command ?? args.join(' ')}`;
    if (result.stderr && result.stderr.length > 0) {
      message += `\n${result.stderr.toString()}`;
    }
    return genericNodeError(message, result);
  }
  return null;
}

/** Without the option `stdio`, stderr is also written to the parent's stderr. */
function forwardStderr(settings, result) {
  if (!settings.stdio && result.stderr) {
    require('process').stderr.write(result.stderr);
  }
}

function execFileSync(file, args, options) {
  ({ file, args, options } = normalizeExecFileArgs(file, args, options));
  const result = spawnSync(file, args, options);
  forwardStderr(options, result);
  const argv = [options.argv0 || file, ...args];
  const error = checkExecSyncError(result, argv, undefined);
  if (error) {
    throw error;
  }
  return result.stdout;
}

function execSync(command, options) {
  const normalized = normalizeExec(command, options, null);
  const result = spawnSync(normalized.file, normalized.options);
  forwardStderr(normalized.options, result);
  const error = checkExecSyncError(result, undefined, command);
  if (error) {
    throw error;
  }
  return result.stdout;
}

/** Opens the IPC channel of a forked program, before its entry point runs. */
function _forkChild(fd, serialization) {
  require('internal/child_process/ipc').openInChild(fd, serialization);
}

module.exports = { _forkChild, ChildProcess, exec, execFile, execFileSync, execSync, fork, spawn, spawnSync };
