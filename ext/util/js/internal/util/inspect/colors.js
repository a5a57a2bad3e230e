// `util.inspect.colors` and `util.inspect.styles`: SGR codes of colors, and the color of each kind
// of value. Programs may change both.
'use strict';

const FOREGROUND = 39;
const BACKGROUND = 49;

const colors = {
  __proto__: null,
  reset: [0, 0],
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  blink: [5, 25],
  inverse: [7, 27],
  hidden: [8, 28],
  strikethrough: [9, 29],
  doubleunderline: [21, 24],
};

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const BRIGHT = ['gray', ...NAMES.slice(1).map((name) => `${name}Bright`)];

function background(name) {
  return `bg${name[0].toUpperCase()}${name.slice(1)}`;
}

NAMES.forEach((name, i) => colors[name] = [30 + i, FOREGROUND]);
NAMES.forEach((name, i) => colors[background(name)] = [40 + i, BACKGROUND]);
colors.framed = [51, 54];
colors.overlined = [53, 55];
BRIGHT.forEach((name, i) => colors[name] = [90 + i, FOREGROUND]);
BRIGHT.forEach((name, i) => colors[background(name)] = [100 + i, BACKGROUND]);

// Aliases.
for (const [name, alias] of [
  ['gray', 'grey'], ['gray', 'blackBright'], ['bgGray', 'bgGrey'], ['bgGray', 'bgBlackBright'], ['dim', 'faint'],
  ['strikethrough', 'crossedout'], ['strikethrough', 'strikeThrough'], ['strikethrough', 'crossedOut'],
  ['hidden', 'conceal'], ['inverse', 'swapColors'], ['inverse', 'swapcolors'], ['doubleunderline', 'doubleUnderline'],
]) {
  Object.defineProperty(colors, alias, {
    __proto__: null,
    get() { return this[name]; },
    set(value) { this[name] = value; },
    configurable: true,
    enumerable: false,
  });
}

const styles = {
  __proto__: null,
  special: 'cyan',
  number: 'yellow',
  bigint: 'yellow',
  boolean: 'yellow',
  undefined: 'grey',
  null: 'bold',
  string: 'green',
  symbol: 'green',
  date: 'magenta',
  // Property names have no style.
  regexp: require('internal/util/inspect/regexp').highlightRegExp,
  module: 'underline',
};

module.exports = { colors, styles };
