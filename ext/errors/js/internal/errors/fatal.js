// Report of an uncaught error. In: the thrown value, and whether a promise was rejected with it.
// Out: its description, and its position: file, line, column. Absent: printing, the source line.
'use strict';

const { isDecorated, kInspected, stackAndSyntaxError, topFramePosition } = require('internal/stack/engine_errors');

/** Inspection depth of errors; other values have the default. */
const DEPTH = 5;

function isError(value) {
  return Object.prototype.toString.call(value) === '[object Error]' || value instanceof Error;
}

/**
 * As `util.inspect` shows it, without the value's custom inspection; the fallback if that throws.
 */
function inspect(value, fallback) {
  try {
    return require('internal/util/inspect').inspect(value, { customInspect: false, depth: DEPTH });
  } catch {
    return fallback();
  }
}

/** Of a value that is no error. For a rejection with an object V8 has a short name. */
function describeValue(value, isRejection) {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  if (!isObject) return String(value);
  // From a worker, which inspected it.
  if (value[kInspected] !== undefined) return value[kInspected];
  return isRejection ? require('internal/serdes/uncloneable').noSideEffectsToString(value) : inspect(value, () => Object.prototype.toString.call(value));
}

/** [description, file, line, column, whether it is a syntax error there] */
module.exports = function report(value, isRejection) {
  if (value === null || typeof value !== 'object' || !isError(value)) return [describeValue(value, isRejection)];
  require('internal/events/unhandled_error_stack').appendEmitStack(value);
  // A syntax error has its position in properties: no frame has it.
  const { sourceURL, line, column } = value instanceof SyntaxError ? value : {};
  const hasPosition = typeof sourceURL === 'string' && typeof line === 'number' && !sourceURL.startsWith('node:');
  const { stack, syntaxError } = stackAndSyntaxError(value);
  const plain = () => (typeof stack === 'string' ? stack : String(value));
  // The stack has the arrow message already; no file has such a line.
  if (isDecorated(value)) return [inspect(value, plain), '', 0, 0];
  const jsonArrow = value instanceof SyntaxError ? require('internal/errors/json_error_position').arrowOf(value) : undefined;
  if (jsonArrow !== undefined) return [`${jsonArrow}\n${inspect(value, plain)}`, '', 0, 0];
  // As many carets as the literal has characters.
  if (syntaxError?.literal !== undefined) return [`${syntaxError.arrow}${plain()}`, '', 0, 0];
  if (syntaxError !== undefined) return [plain(), syntaxError.file, syntaxError.line, syntaxError.column, true];
  return hasPosition ? [plain(), sourceURL, line, column, true] : [inspect(value, plain), ...topFramePosition(value) ?? []];
};
