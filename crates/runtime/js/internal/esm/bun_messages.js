// What bun's `ResolveMessage` and `BuildMessage` have, on errors of resolution and of syntax. In:
// an error as Node has it. Out: the same error with members that are not enumerable: Node's has no
// such keys. Absent: the classes (internal/bundler/messages), which recognize these errors.
'use strict';

const kind = Symbol('kind');

function addMembers(error, members) {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(members))) {
    Object.defineProperty(error, name, { ...descriptor, enumerable: false });
  }
  return error;
}

/** `referrer`: the importer's path or URL. */
function asResolveMessage(error, { specifier, referrer, importKind }) {
  Object.defineProperty(error, kind, { __proto__: null, value: 'ResolveMessage' });
  return addMembers(error, { specifier, referrer, importKind, level: 'error', position: null });
}

/** The message of a failed resolution, with the specifier as the program has it, as bun's. */
function messageFor({ 2: message, 3: path }, specifier) {
  return path === undefined ? message : message.replace(`'${path}'`, () => `'${specifier}'`);
}

/** A syntax error of a file, which has a line and a column. */
function asBuildMessage(error, file) {
  if (!Object.isExtensible(error) || error[kind] !== undefined) return error;
  Object.defineProperty(error, kind, { __proto__: null, value: 'BuildMessage' });
  const { line, column } = error;
  return addMembers(error, {
    level: 'error',
    notes: [],
    // The file is read when it is wanted.
    get position() { return positionOf(file, line, column); },
  });
}

function positionOf(file, line, column) {
  let text;
  try {
    text = internalBinding('loader').read(file);
  } catch {
    return null;
  }
  const lines = text.split('\n');
  const lineText = lines[line - 1] ?? '';
  const offset = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, column - 1);
  return { lineText, file, namespace: 'file', line, column, length: 1, offset };
}

/** Whether an error is one that bun throws as an instance of the class. */
function isMessage(error, name) { return typeof error === 'object' && error !== null && error[kind] === name; }

module.exports = { asBuildMessage, asResolveMessage, isMessage, messageFor };
