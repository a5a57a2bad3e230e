// Which form of `serialization: 'advanced'` a program speaks that is about to be started: Node's
// programs know V8's, bun's the engine's own, and neither says so before it has to read. In: a
// program as it is started, where it is looked for. Out: a form. Absent: our own programs, which
// find out what the other end speaks.
'use strict';

const { basename } = require('path');

/** By a file's own name, whatever the links to it are called. */
const SPEAKERS = [[/^node(js)?$/, 'advanced'], [/^bun([-.]|$)/, 'bun']];
/** As much of a script as says who reads it. */
const HEAD_BYTES = 256;

/** `otherwise`: of a program of another name. */
function formFor(file, { PATH, cwd }, otherwise) {
  const path = require('internal/bun/program').which(file, { PATH, cwd });
  if (path === null) return otherwise;
  try {
    const own = require('internal/fs/sync').realpathSync(path);
    return formOf(basename(own)) ?? formOf(interpreterOf(own)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function formOf(name) {
  return SPEAKERS.find(([names]) => names.test(name))?.[1];
}

/**
 * The name of who reads a script, as its first line has it, also behind `env`; empty where it is
 * none.
 */
function interpreterOf(path) {
  const { closeSync, openSync } = require('internal/fs/sync');
  const { readSync } = require('internal/fs/read_write');
  const head = new Uint8Array(HEAD_BYTES);
  const fd = openSync(path, 'r');
  try {
    readSync(fd, head, 0, HEAD_BYTES, 0);
  } finally {
    closeSync(fd);
  }
  const [, first, second] = /^#![ \t]*(\S+)(?:[ \t]+(?:-S[ \t]+)?(\S+))?/.exec(require('buffer').Buffer.from(head.buffer).latin1Slice()) ?? [];
  const name = basename(first ?? '');
  return name === 'env' ? basename(second ?? '') : name;
}

module.exports = { formFor };
