// Format of `serialization: 'advanced'` for a child that is about to be spawned: Node reads V8's
// format, bun JavaScriptCore's, and neither announces it first. In: a program and the PATH in which
// it is searched. Out: a format. Absent: rusk as the child, which detects its parent's format.
'use strict';

const { basename } = require('path');

/** Formats by the file's name after links are resolved. */
const FORMATS_BY_NAME = [[/^node(js)?$/, 'advanced'], [/^bun([-.]|$)/, 'bun']];
/** Enough of a script for its `#!` line. */
const HEADER_BYTES = 256;

/** @param fallback the format for a program of another name */
function formatFor(file, { PATH, cwd }, fallback) {
  const path = require('internal/bun/environment').which(file, { PATH, cwd });
  if (path === null) return fallback;
  try {
    const realPath = require('internal/fs/sync').realpathSync(path);
    return formatByName(basename(realPath)) ?? formatByName(interpreterOf(realPath)) ?? fallback;
  } catch {
    return fallback;
  }
}

function formatByName(name) {
  return FORMATS_BY_NAME.find(([names]) => names.test(name))?.[1];
}

/** Name of the interpreter in a script's `#!` line, also after `env`; empty for other files. */
function interpreterOf(path) {
  const { closeSync, openSync } = require('internal/fs/sync');
  const { readSync } = require('internal/fs/read_write');
  const header = new Uint8Array(HEADER_BYTES);
  const fd = openSync(path, 'r');
  try {
    readSync(fd, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(fd);
  }
  const [, first, second] = /^#![ \t]*(\S+)(?:[ \t]+(?:-S[ \t]+)?(\S+))?/.exec(require('buffer').Buffer.from(header.buffer).latin1Slice()) ?? [];
  const name = basename(first ?? '');
  return name === 'env' ? basename(second ?? '') : name;
}

module.exports = { formatFor };
