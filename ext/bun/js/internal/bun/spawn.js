// `Bun.spawn`. In: words and options, in bun's forms. Out: a Subprocess that runs. Absent: what an
// option may be (spawn_options.js), what becomes of a descriptor (child_stdio.js), windows.
'use strict';

const { bind } = require('internal/async_context');
const { closeOpened, numbersOf, placesOf } = require('internal/bun/child_stdio');
const { CHANNEL, TERMINAL } = require('internal/child_process/descriptors');
const { PLAIN, listOf, ownOf, readOptions, variablesOf, wordsOf } = require('internal/bun/spawn_options');
const { aborted, closeCgroup, start } = require('internal/bun/spawn_start');
const { Subprocess, withChannel } = require('internal/bun/subprocess');
const binding = internalBinding('child_process');

const { isArray } = Array;
const { begin, beginPlain, end } = Subprocess;

function spawn(cmd, second = undefined) {
  const list = listOf(cmd);
  const own = ownOf(isArray(cmd) ? second : cmd);
  const options = readOptions(own, false);
  if (options !== PLAIN) return spawnWith(list, own, options);
  const numbers = numbersOf(own, false);
  const file = list[0];
  if (numbers === undefined || typeof file !== 'string') return spawnWith(list, own, options);
  const count = list.length;
  const child = new Subprocess(file, options);
  const made = binding.spawnPlain(count === 1 ? file : wordsOf(list).join('\0'), count, numbers[0], numbers[1], numbers[2], child, bind(end));
  if (typeof made === 'number') {
    // A NUL was found by the native half.
    wordsOf(list);
    throw require('internal/bun/spawn_failure').failureOf(made, file, options);
  }
  beginPlain(child, numbers, made);
  return child;
}

/** On whatever terms. */
function spawnWith(list, own, options) {
  const words = wordsOf(list);
  if (options.signal?.aborted) throw aborted(options.signal);
  const { terminal, isOwn } = terminalOf(options.terminal);
  const places = terminal ? [0, 1, 2].map(() => ({ number: TERMINAL, shown: null })) : placesOf(own, false);
  let variables = variablesOf(options.env);
  if (options.ipc !== undefined) {
    variables = withChannel(variables, places.length, options.serialization);
    places.push({ number: CHANNEL, shown: null });
  }
  const child = new Subprocess(words[0], options);
  let made;
  try {
    const ended = bind((code, signal) => end(child, code, signal));
    made = start(binding.spawn, words, options, places, variables, ended, terminal && require('internal/bun/terminal').nativeOf(terminal));
  } finally {
    closeOpened(places);
    closeCgroup(options);
  }
  if (typeof made === 'number') {
    if (isOwn) terminal.close();
    throw require('internal/bun/spawn_failure').failureOf(made, words[0], options);
  }
  begin(child, places, made, terminal);
  return child;
}

function terminalOf(given) {
  if (given === undefined || given === null) return { terminal: undefined, isOwn: false };
  return require('internal/bun/terminal').terminalFor(given);
}

module.exports = { spawn };
