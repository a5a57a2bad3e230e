// `Bun.spawn`: starts a child process. In: arguments and options, in any form of Bun's. Out: a
// running Subprocess. Absent: checks of options (spawn_options.js), stdio (spawn_stdio.js),
// Windows.
'use strict';

const { bind } = require('internal/async_context');
const { closeOpened, fastStdio, stdioEntries } = require('internal/bun/spawn_stdio');
const { DEFAULTS, argumentsOf, commandOf, envString, optionsObject, readOptions } = require('internal/bun/spawn_options');
const { abortError, callSpawn, closeCgroup } = require('internal/bun/spawn_native');
const { Subprocess, withIpcVariables } = require('internal/bun/subprocess');
const binding = internalBinding('child_process');
const { stdio: { SOCKET, TERMINAL } } = binding;

const { isArray } = Array;
const { attach, attachFast, onexit } = Subprocess;

function spawn(cmd, second = undefined) {
  const command = commandOf(cmd);
  const rawOptions = optionsObject(isArray(cmd) ? second : cmd);
  const options = readOptions(rawOptions, false);
  if (options !== DEFAULTS) return spawnWithOptions(command, rawOptions, options);
  const stdio = fastStdio(rawOptions, false);
  const file = command[0];
  if (stdio === undefined || typeof file !== 'string') return spawnWithOptions(command, rawOptions, options);
  const argc = command.length;
  const subprocess = new Subprocess(file, options);
  const argv = argc === 1 ? file : argumentsOf(command).join('\0');
  const native = binding.spawnFast(argv, argc, stdio[0], stdio[1], stdio[2], subprocess, bind(onexit));
  if (typeof native === 'number') {
    // Throws if the binding has found a NUL in an argument.
    argumentsOf(command);
    throw require('internal/bun/spawn_error').spawnError(native, file, options);
  }
  attachFast(subprocess, stdio, native);
  return subprocess;
}

/** Any options. */
function spawnWithOptions(command, rawOptions, options) {
  const args = argumentsOf(command);
  if (options.signal?.aborted) throw abortError(options.signal);
  const { terminal, isOwn } = terminalOf(options.terminal);
  const stdio = terminal ? [0, 1, 2].map(() => ({ number: TERMINAL, value: null })) : stdioEntries(rawOptions, false);
  let env = envString(options.env);
  if (options.ipc !== undefined) {
    env = withIpcVariables(env, stdio.length, options.serialization);
    stdio.push({ number: SOCKET, value: null });
  }
  const subprocess = new Subprocess(args[0], options);
  let result;
  try {
    const onExit = bind((code, signal) => onexit(subprocess, code, signal));
    result = callSpawn(binding.spawn, args, options, stdio, env, onExit, terminal && require('internal/bun/terminal').nativeOf(terminal));
  } finally {
    closeOpened(stdio);
    closeCgroup(options);
  }
  if (typeof result === 'number') {
    if (isOwn) terminal.close();
    throw require('internal/bun/spawn_error').spawnError(result, args[0], options);
  }
  attach(subprocess, stdio, result, terminal);
  return subprocess;
}

function terminalOf(option) {
  if (option === undefined || option === null) return { terminal: undefined, isOwn: false };
  return require('internal/bun/terminal').terminalFor(option);
}

module.exports = { spawn };
