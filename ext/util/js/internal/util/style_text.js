// `util.styleText`: text with SGR sequences. In: names of styles, a text, the stream that it is
// for. Out: the styled text, or the text alone where the stream has no colors. A style is restored
// after nested text that resets it.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { inspect } = require('internal/util/inspect');
const { validateBoolean, validateOneOf, validateString } = require('internal/validators');

/**
 * Bold and faint are reset by the same sequence, so it has to be repeated before the outer style.
 */
const INTENSITY_END = 22;

function styleText(format, text, options = undefined) {
  const { validateStream = true, stream } = options ?? {};
  const formats = Array.isArray(format) ? format : [format];
  validateString(text, 'text');
  if (options !== undefined) require('internal/validators').validateObject(options, 'options');
  validateBoolean(validateStream, 'options.validateStream');
  const isStyled = !validateStream || isColored(stream ?? require('process').stdout);
  const pairs = [];
  for (const name of formats) {
    if (name === 'none') continue;
    const pair = typeof name === 'string' ? inspect.colors[name] : undefined;
    if (pair === undefined) validateOneOf(name, 'format', Object.keys(inspect.colors));
    pairs.push(pair);
  }
  if (!isStyled) return text;
  return pairs.reduceRight(style, text);
}

function style(text, [start, end]) {
  const open = `\u001b[${start}m`;
  const close = `\u001b[${end}m`;
  const restore = end === INTENSITY_END ? close + open : open;
  // A reset at the end of the text needs no restoring.
  const last = text.length - close.length;
  let inner = '';
  let from = 0;
  for (let at = text.indexOf(close); at !== -1 && at < last; at = text.indexOf(close, from)) {
    inner += text.slice(from, at) + restore;
    from = at + close.length;
  }
  return `${open}${inner}${text.slice(from)}${close}`;
}

function isColored(stream) {
  const isStream = stream !== null && typeof stream === 'object' &&
    (typeof stream.write === 'function' || typeof stream.pipe === 'function' || typeof stream.getReader === 'function');
  if (!isStream) throw new ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  const { env } = require('process');
  if (env.FORCE_COLOR !== undefined) return require('tty').WriteStream.prototype.getColorDepth.call(stream) > 2;
  return Boolean(stream.isTTY) && (typeof stream.getColorDepth !== 'function' || stream.getColorDepth() > 2);
}

module.exports = { styleText };
