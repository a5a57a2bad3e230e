// `Bun.color`: converts colors. In: a CSS color, a number, an object or an array of channels; the
// form of the output. Out: text, a number, or channels; null for what is no color. A color that
// only a page can decide, such as `currentColor`, is always its CSS.
'use strict';

const { invalidArgType } = require('internal/bun/environment');

const BYTE_MAX = 255;
const RGB_MAX = 0xffffff;

// --- output

const hex = ({ red, green, blue }) => `#${(red * 0x10000 + green * 0x100 + blue).toString(16).padStart(6, '0')}`;
const ansi256 = (color) => `\x1b[38;5;${paletteIndex(color)}m`;
const ansi16m = ({ red, green, blue }) => `\x1b[38;2;${red};${green};${blue}m`;
const object = ({ red, green, blue }) => ({ r: red, g: green, b: blue });
const objectWithAlpha = (color) => ({ ...object(color), a: alphaOf(color) });
const array = ({ red, green, blue }) => [red, green, blue];
const arrayWithAlpha = (color) => [...array(color), color.alpha];

const FORMATS = {
  __proto__: null,
  '[r,g,b,a]': arrayWithAlpha,
  '[rgb]': array,
  '[rgba]': arrayWithAlpha,
  '{r,g,b}': object,
  '{rgb}': object,
  '{rgba}': objectWithAlpha,
  ansi_256: ansi256,
  'ansi-256': ansi256,
  ansi_16: ansi16,
  'ansi-16': ansi16,
  ansi_16m: ansi16m,
  'ansi-16m': ansi16m,
  'ansi-24bit': ansi16m,
  'ansi-truecolor': ansi16m,
  ansi: ansiOfTerminal,
  ansi256,
  css: ({ css }) => css,
  hex,
  HEX: (color) => hex(color).toUpperCase(),
  hsl: ({ hsl }) => `hsl(${hsl})`,
  lab: ({ lab }) => `lab(${lab})`,
  number: ({ red, green, blue }) => red * 0x10000 + green * 0x100 + blue,
  rgb: ({ red, green, blue }) => `rgb(${red}, ${green}, ${blue})`,
  rgba: (color) => `rgba(${array(color).join(', ')}, ${shortest(alphaOf(color))})`,
};

function color(input, format = typeof input === 'number' ? 'hex' : 'css') {
  const write = FORMATS[format];
  if (write === undefined) {
    const names = Object.keys(FORMATS).map((name) => `'${name}'`);
    throw invalidArgType(`format must be one of ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`);
  }
  const parts = internalBinding('bun').color(...parse(input));
  if (parts === undefined) return null;
  const [css, red, green, blue, alpha, hsl, lab] = parts;
  return red === undefined ? css : write({ css, red, green, blue, alpha, hsl, lab });
}

/** In the precision of the channel, as CSS computes. */
function alphaOf({ alpha }) { return Math.fround(alpha / BYTE_MAX); }

/** The shortest text of a number of 32 bits. */
function shortest(number) {
  for (let digits = 1; digits < 9; digits++) {
    const text = number.toPrecision(digits);
    if (Math.fround(Number(text)) === number) return Number(text);
  }
  return number;
}

// --- input

/** Arguments of the binding: a text, or four bytes. */
function parse(input) {
  if (typeof input === 'string' || input instanceof String) return [`${input}`];
  if (typeof input === 'number') return channelsOfNumber(input >>> 0);
  if (Array.isArray(input) || ArrayBuffer.isView(input)) return channelsOfArray(input);
  if (typeof input === 'object' && input !== null) return channelsOfObject(input);
  if (input === null) return ['null'];
  throw invalidArgType("Expected input to be a string, number, or object for 'color'.");
}

/** The highest byte is alpha, where it is not zero. */
function channelsOfNumber(number) {
  const alpha = number > RGB_MAX ? number >>> 24 : BYTE_MAX;
  return [(number >>> 16) & BYTE_MAX, (number >>> 8) & BYTE_MAX, number & BYTE_MAX, alpha];
}

function channelsOfArray(channels) {
  if (channels.length !== 3 && channels.length !== 4) throw new Error('Expected array length 3 or 4');
  const [red, green, blue, alpha = BYTE_MAX] = channels;
  return [red, green, blue, alpha].map((value, index) => channel(value, `[${index}]`));
}

function channelsOfObject({ r, g, b, a = 1 }) {
  if (typeof a !== 'number') throw invalidArgType("Expected a to be a number for 'color'.");
  return [channel(r, 'r'), channel(g, 'g'), channel(b, 'b'), clamp(a * BYTE_MAX)];
}

function channel(value, name) {
  if (typeof value !== 'number') throw invalidArgType(`Expected ${name} to be a integer for 'color'.`);
  return clamp(value);
}

function clamp(value) { return Math.min(Math.max(Math.trunc(value) || 0, 0), BYTE_MAX); }

// --- terminals

/** As much color as standard output has; an empty text if it has none. */
function ansiOfTerminal(color) {
  const depth = require('tty').WriteStream.prototype.getColorDepth.call(require('process').stdout);
  if (depth >= 24) return ansi16m(color);
  if (depth >= 8) return ansi256(color);
  return depth >= 4 ? ansi16(color) : '';
}

// The palette of 256 colors has 16 of the terminal, a cube of 6 x 6 x 6, and 24 greys.
const CUBE_OFFSET = 16;
const CUBE_LEVELS = [0, 95, 135, 175, 215, 255];
const GREY_OFFSET = 232;
const GREY_COUNT = 24;
const greyLevel = (index) => 8 + 10 * index;

/** The nearest color of the cube or of the greys; the cube, where both are as near. */
function paletteIndex(color) {
  const channels = array(color);
  const levels = channels.map(nearestLevel);
  const cube = levels.map((level) => CUBE_LEVELS[level]);
  const mean = Math.floor(channels.reduce((sum, value) => sum + value, 0) / 3);
  const grey = Math.min(Math.max(Math.floor((mean - 3) / 10), 0), GREY_COUNT - 1);
  const greys = channels.map(() => greyLevel(grey));
  if (distance(greys, channels) < distance(cube, channels)) return GREY_OFFSET + grey;
  return CUBE_OFFSET + levels[0] * 36 + levels[1] * 6 + levels[2];
}

function nearestLevel(value) {
  if (value < 48) return 0;
  return value < 115 ? 1 : Math.floor((value - 35) / 40);
}

function distance(left, right) {
  return left.reduce((sum, value, index) => sum + (value - right[index]) ** 2, 0);
}

/** One of the 16 colors of the terminal, by way of the palette. */
function ansi16(color) {
  const index = ansi16Index(paletteIndex(color));
  return `\x1b[${index < 8 ? 30 + index : 82 + index}m`;
}

const BRIGHT = 8;
/** Black, dark grey, light grey, white. */
const GREYS = [0, 8, 7, 15];
const CUBE_GREYS = [0, 8, 8, 7, 7, 15];

/** The channels that are as strong as the strongest one; bright from level 4 on. */
function ansi16Index(index) {
  if (index >= GREY_OFFSET) return GREYS[Math.floor((index - GREY_OFFSET) * GREYS.length / GREY_COUNT)];
  const cube = index - CUBE_OFFSET;
  const levels = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6];
  const most = Math.max(...levels);
  if (levels.every((level) => level === most)) return CUBE_GREYS[most];
  const bits = levels.reduce((bits, level, at) => bits | (level === most ? 1 << at : 0), 0);
  return most >= 4 ? bits | BRIGHT : bits;
}

module.exports = { color };
