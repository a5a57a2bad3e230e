// Imports that are read before the exporting module has initialized them, as in a cycle of modules.
// In: the engine's stack, whose first frame is the getter of the export, which the transpiler has
// made. Out: the name by V8's message, and the stack without what V8 does not have.
'use strict';

const FRAME = /^([^@]*)@(.*?):(\d+):(\d+)$/;
const NAMESPACE_FRAME = /^\w+@node:internal\/esm\/namespace:/;
/** What the engine calls frames that are no functions. */
const NO_FUNCTION = / code$/;

/** { name, stack }, or undefined: the first frame is not such a getter. */
function earlyImport(stack) {
  const lines = stack.split('\n');
  const [, exported, file, line, column] = FRAME.exec(lines[0]) ?? [];
  if (exported === undefined || exported === '' || NO_FUNCTION.test(exported) || file.startsWith('node:')) return undefined;
  const original = internalBinding('source_positions').original(file, +line, +column, false);
  // Getters are before the program's first character, where no function of it can be.
  if (original === undefined || original[1] !== 1 || original[2] !== 1) return undefined;
  const isByNamespace = NAMESPACE_FRAME.test(lines[1]);
  const rest = lines.slice(1).filter((each) => !NAMESPACE_FRAME.test(each));
  const name = isByNamespace ? exported : localName(exported, rest[0]) ?? exported;
  return { name, stack: rest.join('\n') };
}

/** The name under which the file of a frame imports an export; undefined: it is the same. */
function localName(exported, frame) {
  const [, , file, line, column] = FRAME.exec(frame) ?? [];
  if (file === undefined || file.startsWith('node:')) return undefined;
  const names = importedNames(exported, file);
  if (names.length < 2) return names[0];
  const [, originalLine, originalColumn] = internalBinding('source_positions').original(file, +line, +column, false) ?? [];
  const text = sourceLine(file, originalLine).slice(originalColumn - 1);
  return names.find((name) => text.startsWith(name)) ?? names.find((name) => text.includes(name));
}

const DEFAULT_IMPORT = /\bimport\s+([\w$]+)\s*(?:,|from\b)|\bdefault\s+as\s+([\w$]+)/g;

/** Local names of all imports of that name, by the text of the file. */
function importedNames(exported, file) {
  const source = sourceOf(file);
  const escaped = exported.replaceAll('$', '\\$');
  const pattern = exported === 'default' ? DEFAULT_IMPORT : new RegExp(`[{,\\s]${escaped}\\s+as\\s+([\\w$]+)`, 'g');
  return [...source.matchAll(pattern)].map(([, first, second]) => first ?? second);
}

const sourceLine = (file, line) => sourceOf(file).split(/\r?\n/, line)[line - 1] ?? '';

function sourceOf(file) {
  try {
    return require('internal/stack/engine_errors').readSource(file);
  } catch {
    return '';
  }
}

module.exports = { earlyImport };
