// Object shapes: lists of property names with an id in the process. An object whose names were sent
// often is sent as an id and its values. In: lists of names; ids of other threads. Out: ids;
// compiled functions that read an object of a shape, send it, or create it. Absent: objects used as
// dictionaries; their names are written out.
'use strict';

const {
  shapeId, shapeNames, compileShape, sendFastObject, layout: { HEADER_WORDS, MEMBER_WORDS, RECEIVE_HEADER_WORDS },
} = internalBinding('message_port');

/** Uses of a list of names before it gets an id. */
const USES_MIN = 4;
const NAMES_MAX = 64;
/** Nodes of the trie of all lists, with and without an id. */
const TRIE_NODES_MAX = 16384;
/** Offset of a fast object's members, after the tag and the shape. */
const FAST_MEMBERS_OFFSET = RECEIVE_HEADER_WORDS + HEADER_WORDS + 2;

const { stringify, parse } = JSON;
const { hasOwnProperty } = Object.prototype;
const root = { next: new Map(), shape: -1, uses: 0 };
let trieNodes = 0;
let lastNames = [];
let lastShape = -1;

/** The id of a list of names; -1: it has none. `isCounted`: this is a use. */
function shapeOf(names, isCounted = true) {
  const { length } = names;
  if (length === lastNames.length) {
    let i = 0;
    while (i < length && names[i] === lastNames[i]) i++;
    if (i === length) return lastShape;
  }
  if (length > NAMES_MAX) return -1;
  let node = root;
  for (let i = 0; i < length; i++) {
    const name = names[i];
    let next = node.next.get(name);
    if (next === undefined) {
      if (!isCounted) return -1;
      if (trieNodes === TRIE_NODES_MAX) return -1;
      trieNodes++;
      node.next.set(name, next = { next: new Map(), shape: -1, uses: 0 });
    }
    node = next;
  }
  if (isCounted && node.uses < USES_MIN && ++node.uses === USES_MIN) node.shape = shapeId(stringify(names));
  if (node.shape >= 0) {
    lastNames = names;
    lastShape = node.shape;
  }
  return node.shape;
}

const factories = [];

/**
 * Function that creates an object of a shape. It gets the reader of values, and the list of
 * objects, to which it adds the object before it reads the members.
 */
function objectFactory(shape) {
  return factories[shape] ??= compileFactory(getShapeNames(shape));
}

function compileFactory(names) {
  // Computed names have no special meaning (`__proto__`). The members are defined first, so that no
  // setter of the prototype is called.
  const literal = names.map((name) => `[${stringify(name)}]:undefined`).join(',');
  const isPlain = names.every((name) => name !== '__proto__');
  const members = isPlain ? literal.replaceAll(/\[("[^"\\]*")\]:/g, '$1:') : literal;
  const fill = names.map((name) => `o[${stringify(name)}]=read();`).join('');
  return compileShape(`(function (read, known) { "use strict"; const o={${members}}; known.push(o); ${fill} return o; })`);
}

const fastFactories = [];

/**
 * Function that creates a fast object of a shape. It gets the packet's words, and the reader of a
 * member's two words.
 */
function fastObjectFactory(shape) {
  return fastFactories[shape] ??= compileFastFactory(getShapeNames(shape));
}

function compileFastFactory(names) {
  const members = names.map((name, index) => {
    const offset = FAST_MEMBERS_OFFSET + MEMBER_WORDS * index;
    const key = name === '__proto__' ? '["__proto__"]' : stringify(name);
    return `${key}:member(words[${offset}],words[${offset + 1}])`;
  });
  return compileShape(`(function (words, member) { "use strict"; return {${members.join(',')}}; })`);
}

const propertyReaders = [];

/**
 * Function that reads an object of a shape. It calls `write` with each value, and `absent` with
 * `id` and the name of a property that a getter has deleted meanwhile.
 */
function propertyReader(shape, names) {
  return propertyReaders[shape] ??= compileReader(names);
}

function compileReader(names) {
  // Each member has its own property access, so its own inline cache; `has.call` has one too.
  const reads = names.map((name, index) => {
    const key = stringify(name);
    return index === 0 ? `write(o[${key}]);` : `if (has.call(o, ${key})) write(o[${key}]); else absent(id, ${key});`;
  });
  return compileShape(`(function (has) { "use strict"; return function (o, write, absent, id) { ${reads.join(' ')} } })`)(hasOwnProperty);
}

/** In a list of values: a getter has deleted this property. */
const ABSENT = Symbol('absent');
const fastSenders = [];

/**
 * Function that sends a fast object of a shape on a port. It returns whether it was sent; if a
 * value is not a primitive, the values up to that one, so that no property is read twice.
 */
function fastSender(shape, names) {
  return fastSenders[shape] ??= compileSender(shape, names);
}

function compileSender(shape, names) {
  const values = names.map((_, index) => `v${index}`);
  const reads = names.map((name, index) => {
    const before = values.slice(0, index);
    const has = index === 0 ? '' : `if (!has.call(o, ${stringify(name)})) return [${[...before, 'ABSENT']}]; `;
    return `${has}const v${index} = o[${stringify(name)}]; if (!isPrimitive(v${index})) return [${values.slice(0, index + 1)}];`;
  });
  const send = `const sent = send(${['port', shape, ...values]}); return sent === undefined ? [${values}] : sent;`;
  const body = `return function (o, port) { ${reads.join(' ')} ${send} }`;
  return compileShape(`(function (has, isPrimitive, send, ABSENT) { "use strict"; ${body} })`)(hasOwnProperty, isPrimitive, sendFastObject, ABSENT);
}

function isPrimitive(value) {
  switch (typeof value) {
    case 'number': case 'string': case 'boolean': case 'undefined': return true;
    default: return value === null;
  }
}

function getShapeNames(shape) { return parse(shapeNames(shape)); }

module.exports = { ABSENT, fastObjectFactory, fastSender, getShapeNames, objectFactory, propertyReader, shapeOf };
