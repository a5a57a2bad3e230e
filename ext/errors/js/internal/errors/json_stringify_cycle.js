// What V8 says of a value that JSON cannot hold because it holds itself. In: the value, what was
// given beside it, the engine's function. Out: the message, or undefined where no way leads back.
// The value is gone through once more, with its getters and `toJSON`: only so the way is the one
// that was taken.
'use strict';

const { apply, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;

/** Steps that are shown from the beginning, and before the last one. */
const FIRST = 2;
const LAST = 1;

/** What ends the walk. */
const END = {};

class Walk {
  /** Objects around the one at hand, each with the key that it has in the one before. */
  around = [];
  cycle;

  constructor(replacer) {
    this.replacer = typeof replacer === 'function' ? replacer : undefined;
    this.keys = Array.isArray(replacer) ? new Set(Array.from(replacer, String)) : undefined;
  }

  /** In the place of the program's replacer. */
  step(holder, key, given) {
    while (this.around.length > 0 && this.around.at(-1).value !== holder) this.around.pop();
    if (this.keys !== undefined && this.around.length > 0 && !Array.isArray(holder) && !this.keys.has(key)) return undefined;
    const value = this.replacer === undefined ? given : apply(this.replacer, holder, [key, given]);
    if (value === null || typeof value !== 'object') return value;
    const begin = this.around.findIndex((one) => one.value === value);
    if (begin >= 0) {
      this.cycle = [...this.around.slice(begin), { holder, key, value }];
      throw END;
    }
    this.around.push({ holder, key, value });
    return value;
  }
}

function message(cycle) {
  const [start, ...steps] = cycle;
  const closing = steps.pop();
  const lines = [`--> starting at object with constructor ${constructorOf(start.value)}`];
  for (let index = 0; index < steps.length; index++) {
    if (index >= FIRST && index < steps.length - LAST) {
      if (index === FIRST) lines.push('|     ...');
    } else {
      lines.push(`|     ${named(steps[index])} -> object with constructor ${constructorOf(steps[index].value)}`);
    }
  }
  lines.push(`--- ${named(closing)} closes the circle`);
  return `Converting circular structure to JSON\n    ${lines.join('\n    ')}`;
}

function named({ holder, key }) { return Array.isArray(holder) ? `index ${key}` : `property '${key}'`; }

/** Without asking the program. */
function constructorOf(value) {
  for (let at = value; at !== null; at = getPrototypeOf(at)) {
    const constructor = getOwnPropertyDescriptor(at, 'constructor')?.value;
    const name = typeof constructor === 'function' ? getOwnPropertyDescriptor(constructor, 'name')?.value : undefined;
    if (typeof name === 'string' && name !== '') return `'${name}'`;
  }
  return "'Object'";
}

module.exports = function words(engine, value, replacer) {
  const walk = new Walk(replacer);
  try {
    engine(value, function replace(key, given) { return walk.step(this, key, given); });
  } catch {
    // It was ended, or what the program does there failed.
  }
  return walk.cycle === undefined ? undefined : message(walk.cycle);
};
