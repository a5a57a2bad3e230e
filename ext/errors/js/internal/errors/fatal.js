// What is said of an error that nobody caught. In: the thrown value, and whether a promise was
// rejected with it. Out: its text, and the place it names: file, line, column. Absent: printing,
// the line of the source.
'use strict';

const { faultAndStack, isDecorated, kText, place } = require('internal/stack/shown');

/** Errors are looked into deeper than other values are shown. */
const DEPTH = 5;

function isError(value) {
  return Object.prototype.toString.call(value) === '[object Error]' || value instanceof Error;
}

/** As `util.inspect` shows it, without words of the value's own. */
function show(value, otherwise) {
  try {
    return require('internal/util/inspect').inspect(value, { customInspect: false, depth: DEPTH });
  } catch {
    return otherwise();
  }
}

/**
 * What is no error: a thrown object is shown, of one that a promise was rejected with V8's short
 * name is.
 */
function tellValue(value, isRejection) {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  if (!isObject) return String(value);
  // Of another thread's.
  if (value[kText] !== undefined) return value[kText];
  return isRejection ? require('internal/serdes/refusals').nameOf(value) : show(value, () => Object.prototype.toString.call(value));
}

/** [text, file, line, column, whether a text does not parse there] */
module.exports = function tell(value, isRejection) {
  if (value === null || typeof value !== 'object' || !isError(value)) return [tellValue(value, isRejection)];
  require('internal/events/emitted').complete(value);
  // What does not parse has its place in properties, and no frame there.
  const { sourceURL, line, column } = value instanceof SyntaxError ? value : {};
  const isPlaced = typeof sourceURL === 'string' && typeof line === 'number' && !sourceURL.startsWith('node:');
  const { stack, fault } = faultAndStack(value);
  const plain = () => (typeof stack === 'string' ? stack : String(value));
  // Its text says where: there is no such line.
  if (isDecorated(value)) return [show(value, plain), '', 0, 0];
  const top = value instanceof SyntaxError ? require('internal/errors/json_error_position').top(value) : undefined;
  if (top !== undefined) return [`${top}\n${show(value, plain)}`, '', 0, 0];
  // Its carets are as many as it has characters.
  if (fault?.literal !== undefined) return [`${fault.top}${plain()}`, '', 0, 0];
  if (fault !== undefined) return [plain(), fault.file, fault.line, fault.column, true];
  return isPlaced ? [plain(), sourceURL, line, column, true] : [show(value, plain), ...place(value) ?? []];
};
