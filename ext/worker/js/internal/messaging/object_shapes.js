// The names of objects' members, by number: an object whose names were sent often is sent as a
// number and its values. In: lists of names; numbers of other threads. Out: numbers; functions that
// read an object of that shape, that send one, or make one and fill it. Absent: objects that stand
// for tables; they are spelled out.
'use strict';

const { ARENA_HEADER, HEADER } = require('internal/messaging/tags');
const { shapeNumber, shapeNames, compileShape, sendFlat } = internalBinding('message_port');

/** So often a list is spelled out before it gets a number. */
const SEEN_MIN = 4;
const NAMES_MAX = 64;
/** Lists that are begun, whether they get a number or not. */
const STEPS_MAX = 16384;
/** Where a flat object's members begin, behind the tag and the shape. */
const FLAT_MEMBERS = ARENA_HEADER + HEADER + 2;

const { stringify, parse } = JSON;
const { hasOwnProperty } = Object.prototype;
const first = { next: new Map(), number: -1, seen: 0 };
let steps = 0;
let lastNames = [];
let lastNumber = -1;

/**
 * The number of a list of names; -1: it is spelled out. `isCounted`: it is about to be sent, and so
 * to get a number when that was often.
 */
function numberOf(names, isCounted = true) {
  const { length } = names;
  if (length === lastNames.length) {
    let i = 0;
    while (i < length && names[i] === lastNames[i]) i++;
    if (i === length) return lastNumber;
  }
  if (length > NAMES_MAX) return -1;
  let step = first;
  for (let i = 0; i < length; i++) {
    const name = names[i];
    let next = step.next.get(name);
    if (next === undefined) {
      if (!isCounted) return -1;
      if (steps === STEPS_MAX) return -1;
      steps++;
      step.next.set(name, next = { next: new Map(), number: -1, seen: 0 });
    }
    step = next;
  }
  if (isCounted && step.seen < SEEN_MIN && ++step.seen === SEEN_MIN) step.number = shapeNumber(stringify(names));
  if (step.number >= 0) {
    lastNames = names;
    lastNumber = step.number;
  }
  return step.number;
}

const makers = [];

/**
 * Makes an object of that shape: called with what reads a value, and with the list of objects so
 * far, which it joins before it is filled.
 */
function makerOf(number) {
  return makers[number] ??= compile(namesOf(number));
}

function compile(names) {
  // A name in brackets is never more than a name; the members are there before they are filled, so
  // that no setter of a prototype hears of it.
  const literal = names.map((name) => `[${stringify(name)}]:undefined`).join(',');
  const isPlain = names.every((name) => name !== '__proto__');
  const members = isPlain ? literal.replaceAll(/\[("[^"\\]*")\]:/g, '$1:') : literal;
  const fill = names.map((name) => `o[${stringify(name)}]=read();`).join('');
  return compileShape(`(function (read, known) { "use strict"; const o={${members}}; known.push(o); ${fill} return o; })`);
}

const flatMakers = [];

/**
 * Makes an object of that shape whose members are primitives: called with the words of its packet,
 * and with what makes a value of two of them.
 */
function flatMakerOf(number) {
  return flatMakers[number] ??= compileFlat(namesOf(number));
}

function compileFlat(names) {
  const members = names.map((name, index) => {
    const at = FLAT_MEMBERS + 2 * index;
    const key = name === '__proto__' ? '["__proto__"]' : stringify(name);
    return `${key}:member(words[${at}],words[${at + 1}])`;
  });
  return compileShape(`(function (words, member) { "use strict"; return {${members.join(',')}}; })`);
}

const readers = [];

/**
 * Reads an object whose own names are those: called with it, `write` for each value in turn, and
 * `absent` with `id` and a name that a getter has taken away meanwhile.
 */
function readerOf(number, names) {
  return readers[number] ??= compileReader(names);
}

function compileReader(names) {
  // Each member is read in a place of its own, where the engine remembers where it lies; asked in
  // this way whether it is there, it remembers that too.
  const reads = names.map((name, index) => {
    const text = stringify(name);
    return index === 0 ? `write(o[${text}]);` : `if (has.call(o, ${text})) write(o[${text}]); else absent(id, ${text});`;
  });
  return compileShape(`(function (has) { "use strict"; return function (o, write, absent, id) { ${reads.join(' ')} } })`)(hasOwnProperty);
}

/** In a list of values: a getter has taken this one away. */
const ABSENT = Symbol('absent');
const senders = [];

/**
 * Sends an object of that shape whose values are primitives: called with it and a port. What it
 * answers is whether it was sent, or, where there is something else among them, the values up to
 * that: none is read twice, and none of an object's before that was sent.
 */
function senderOf(number, names) {
  return senders[number] ??= compileSender(number, names);
}

function compileSender(number, names) {
  const values = names.map((_, index) => `v${index}`);
  const reads = names.map((name, index) => {
    const before = values.slice(0, index);
    const has = index === 0 ? '' : `if (!has.call(o, ${stringify(name)})) return [${[...before, 'ABSENT']}]; `;
    return `${has}const v${index} = o[${stringify(name)}]; if (!isPrimitive(v${index})) return [${values.slice(0, index + 1)}];`;
  });
  const send = `const sent = send(${['port', number, ...values]}); return sent === undefined ? [${values}] : sent;`;
  const body = `return function (o, port) { ${reads.join(' ')} ${send} }`;
  return compileShape(`(function (has, isPrimitive, send, ABSENT) { "use strict"; ${body} })`)(hasOwnProperty, isPrimitive, sendFlat, ABSENT);
}

function isPrimitive(value) {
  switch (typeof value) {
    case 'number': case 'string': case 'boolean': case 'undefined': return true;
    default: return value === null;
  }
}

function namesOf(number) { return parse(shapeNames(number)); }

module.exports = { ABSENT, flatMakerOf, makerOf, namesOf, numberOf, readerOf, senderOf };
