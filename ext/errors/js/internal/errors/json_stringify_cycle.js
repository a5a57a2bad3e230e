// V8's message for `JSON.stringify` of a circular value. In: the engine's function and its
// arguments. Out: the message, or undefined where no cycle is found. The value is serialized once
// more, with its getters and `toJSON`, to find the path of the cycle.
'use strict';

const { apply, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;

/** How many steps are shown at the start, and before the last one. */
const FIRST = 2;
const LAST = 1;

/** Thrown to end the serialization. */
const CYCLE_FOUND = {};

class Walk {
  /** The path to the current object: enclosing objects, each with its key. */
  path = [];
  cycle;

  constructor(replacer) {
    this.replacer = typeof replacer === 'function' ? replacer : undefined;
    this.keys = Array.isArray(replacer) ? new Set(Array.from(replacer, String)) : undefined;
  }

  /** Called as the replacer; calls the program's. */
  step(holder, key, initial) {
    while (this.path.length > 0 && this.path.at(-1).value !== holder) this.path.pop();
    if (this.keys !== undefined && this.path.length > 0 && !Array.isArray(holder) && !this.keys.has(key)) return undefined;
    const value = this.replacer === undefined ? initial : apply(this.replacer, holder, [key, initial]);
    if (value === null || typeof value !== 'object') return value;
    const begin = this.path.findIndex((entry) => entry.value === value);
    if (begin >= 0) {
      this.cycle = [...this.path.slice(begin), { holder, key, value }];
      throw CYCLE_FOUND;
    }
    this.path.push({ holder, key, value });
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
      lines.push(`|     ${describeKey(steps[index])} -> object with constructor ${constructorOf(steps[index].value)}`);
    }
  }
  lines.push(`--- ${describeKey(closing)} closes the circle`);
  return `Converting circular structure to JSON\n    ${lines.join('\n    ')}`;
}

function describeKey({ holder, key }) { return Array.isArray(holder) ? `index ${key}` : `property '${key}'`; }

/** Without calling the program's code. */
function constructorOf(value) {
  for (let object = value; object !== null; object = getPrototypeOf(object)) {
    const constructor = getOwnPropertyDescriptor(object, 'constructor')?.value;
    const name = typeof constructor === 'function' ? getOwnPropertyDescriptor(constructor, 'name')?.value : undefined;
    if (typeof name === 'string' && name !== '') return `'${name}'`;
  }
  return "'Object'";
}

module.exports = function circularMessage(engine, value, replacer) {
  const walk = new Walk(replacer);
  try {
    engine(value, function replace(key, initial) { return walk.step(this, key, initial); });
  } catch {
    // The cycle was found, or the program's code threw.
  }
  return walk.cycle === undefined ? undefined : message(walk.cycle);
};
