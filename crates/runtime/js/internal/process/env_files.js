// `--env-file`: variables from files, before anything of the program runs. In: the command line. Out: process.env, in which those stay that the
// environment had; of two files the later one counts. Absent: NODE_OPTIONS from such a file, which comes too late.
'use strict';

const binding = native('process');
const { env } = require('process');
const { parseEnv } = require('internal/util/parse_env');

/** Node's code for what is wrong with the command line. */
const INVALID_ARGUMENT = 9;

function read(file, mayMiss) {
  try {
    return require('fs').readFileSync(file, 'utf8');
  } catch (error) {
    if (mayMiss && error.code === 'ENOENT') return '';
    const why = error.code === 'ENOENT' ? 'not found' : error.message;
    binding.writeError(`error[env-file]: ${file}: ${why}\n`);
    binding.exit(INVALID_ARGUMENT);
    return '';
  }
}

const found = new Map();
const words = binding.start().execArgv;
for (let i = 0; i < words.length; i++) {
  const [, name, value] = /^(--env-file(?:-if-exists)?)(?:=([^]*))?$/.exec(words[i]) ?? [];
  if (name === undefined) continue;
  const text = read(value ?? words[++i], name === '--env-file-if-exists');
  for (const [variable, given] of Object.entries(parseEnv(text))) found.set(variable, given);
}
for (const [variable, given] of found) {
  if (env[variable] === undefined) env[variable] = given;
}
