// `Bun.spawnSync`: runs a child process to its end. In: arguments and options, in any form of
// Bun's. Out: exit status, output and resource usage. Absent: checks of options (spawn_options.js),
// stdio (spawn_stdio.js).
'use strict';

require('buffer');
const { FastBuffer } = require('internal/buffer');
const { closeOpened, fastStdio, stdioEntries } = require('internal/bun/spawn_stdio');
const { DEFAULTS, argumentsOf, commandOf, envString, optionsObject, readOptions } = require('internal/bun/spawn_options');
const { abortError, callSpawn, closeCgroup } = require('internal/bun/spawn_native');
const { ResourceUsage } = require('internal/bun/resource_usage');
const binding = internalBinding('child_process');
const {
  stdio: { IGNORE, PIPE, SOCKET_FD },
  syncResult: { ERRNO, PID, SIGNAL, STATUS, STDERR, STDOUT },
} = binding;

const { isArray } = Array;

/** The errno where a limit has ended the program. */
const ETIMEDOUT = -110;
const ENOBUFS = -105;

function spawnSync(cmd, second = undefined) {
  const command = commandOf(cmd);
  const rawOptions = optionsObject(isArray(cmd) ? second : cmd);
  const options = readOptions(rawOptions, true);
  if (options !== DEFAULTS) return spawnSyncWithOptions(command, rawOptions, options);
  const stdio = fastStdio(rawOptions, true);
  const file = command[0];
  if (stdio === undefined || typeof file !== 'string') return spawnSyncWithOptions(command, rawOptions, options);
  const argc = command.length;
  const { 0: stdin, 1: stdout, 2: stderr } = stdio;
  const argv = argc === 1 ? file : argumentsOf(command).join('\0');
  // A pipe to stdin would have no writer.
  const result = binding.spawnSyncFast(argv, argc, stdin === PIPE ? IGNORE : stdin, stdout, stderr);
  if (result[PID] === 0) {
    // Throws if the binding has found a NUL in an argument.
    argumentsOf(command);
    throw require('internal/bun/spawn_error').spawnError(result[ERRNO], file, options);
  }
  const status = result[STATUS];
  if (status < 0) return toResult(result, options, stdout === PIPE, stderr === PIPE);
  return {
    exitCode: status,
    stdout: stdout === PIPE ? toBuffer(result[STDOUT]) : undefined,
    stderr: stderr === PIPE ? toBuffer(result[STDERR]) : undefined,
    success: status === 0,
    resourceUsage: new ResourceUsage(result),
    pid: result[PID],
  };
}

/** Any options. */
function spawnSyncWithOptions(command, rawOptions, options) {
  const args = argumentsOf(command);
  const file = args[0];
  if (options.signal?.aborted) throw abortError(options.signal);
  const stdio = stdioEntries(rawOptions, true);
  // A pipe to stdin would have no writer, and a socket's file descriptor no reader.
  stdio.forEach((entry, index) => {
    if (index === 0 && entry.number === PIPE) entry.number = IGNORE;
    if (entry.number === SOCKET_FD) entry.number = PIPE;
  });
  const { timeout, maxBuffer, killSignal } = options;
  let result;
  try {
    result = callSpawn(binding.spawnSync, args, options, stdio, envString(options.env), timeout, maxBuffer, killSignal);
  } finally {
    closeOpened(stdio);
    closeCgroup(options);
  }
  if (result[PID] === 0) throw require('internal/bun/spawn_error').spawnError(result[ERRNO], file, options);
  return toResult(result, options, stdio[1].number === PIPE, stdio[2].number === PIPE);
}

function toResult(values, options, hasStdout, hasStderr) {
  const { [STATUS]: status, [SIGNAL]: signal, [ERRNO]: errno } = values;
  const result = { exitCode: status < 0 ? null : status };
  if (signal !== 0) result.signalCode = require('internal/os/constants').signalName(signal) ?? signal;
  result.stdout = hasStdout ? toBuffer(values[STDOUT]) : undefined;
  result.stderr = hasStderr ? toBuffer(values[STDERR]) : undefined;
  result.success = status === 0;
  result.resourceUsage = new ResourceUsage(values);
  if (options.timeout > 0) result.exitedDueToTimeout = errno === ETIMEDOUT;
  if (options.maxBuffer !== undefined) result.exitedDueToMaxBuffer = errno === ENOBUFS;
  result.pid = values[PID];
  return result;
}

/** The output as a Buffer; undefined: there is none. */
function toBuffer(output) {
  return output === undefined ? new FastBuffer() : new FastBuffer(output.buffer, output.byteOffset, output.byteLength);
}

module.exports = { spawnSync };
