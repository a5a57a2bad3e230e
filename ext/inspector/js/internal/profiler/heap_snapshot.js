// Heap snapshots in V8's form (`.heapsnapshot`), which DevTools reads. In: the engine's own form,
// lists of nodes and edges that name each other by identifiers. Out: text in pieces. Names of cells
// are those of their classes: the engine does not tell a string's content. Absent: snapshots where
// the engine makes none, which is an error.
'use strict';

const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM } } = require('internal/errors');
const { validateBoolean, validateObject } = require('internal/validators');

/** Words of a node in the engine's form: identifier, bytes, index of the class name, flags. */
const NODE_WORDS = 4;
/** Words of an edge: from, to, type, and an index of a name or of an element. */
const EDGE_WORDS = 4;
const INTERNAL_FLAG = 1;

/** A snapshot has all of a program's secrets. */
const OWNER_ONLY = 0o600;

/** Nodes or edges of a piece of text. */
const PIECE_ITEMS = 4096;

/** What V8 calls the fields of the lists; DevTools reads the lists by it. */
const NODE_TYPES = ['hidden', 'array', 'string', 'object', 'code', 'closure', 'regexp', 'number', 'native', 'synthetic', 'concatenated string', 'sliced string', 'symbol', 'bigint', 'object shape'];
const EDGE_TYPES = ['context', 'element', 'property', 'internal', 'hidden', 'shortcut', 'weak'];
const META = {
  node_fields: ['type', 'name', 'id', 'self_size', 'edge_count', 'detachedness'],
  node_types: [NODE_TYPES, 'string', 'number', 'number', 'number', 'number'],
  edge_fields: ['type', 'name_or_index', 'to_node'],
  edge_types: [EDGE_TYPES, 'string_or_number', 'node'],
  trace_function_info_fields: ['function_id', 'name', 'script_name', 'script_id', 'line', 'column'],
  trace_node_fields: ['id', 'function_info_index', 'count', 'size', 'children'],
  sample_fields: ['timestamp_us', 'last_assigned_id'],
  location_fields: ['object_index', 'script_id', 'line', 'column'],
};

/** Types by the engine's class names; a name that ends so; others are objects. */
const TYPE_OF_CLASS = { __proto__: null, string: 'string', symbol: 'symbol', bigint: 'bigint', BigInt: 'bigint', RegExp: 'regexp', Structure: 'object shape', '<root>': 'synthetic' };
const CODE = /(?:Executable|CodeBlock|Code)$/;
const CLOSURE = /Function$/;

function typeOf(className, flags) {
  let type = TYPE_OF_CLASS[className];
  if (type === undefined) {
    if (CODE.test(className)) type = 'code';
    else if ((flags & INTERNAL_FLAG) !== 0) type = 'hidden';
    else type = CLOSURE.test(className) ? 'closure' : 'object';
  }
  return NODE_TYPES.indexOf(type);
}

/** The engine's edge types in V8's terms: type, whether the last word is an index of a name. */
const TYPE_OF_EDGE = {
  __proto__: null,
  Internal: [EDGE_TYPES.indexOf('internal'), false],
  Property: [EDGE_TYPES.indexOf('property'), true],
  Index: [EDGE_TYPES.indexOf('element'), false],
  Variable: [EDGE_TYPES.indexOf('context'), true],
};

/** The engine's own form, parsed. */
function engineSnapshot() {
  const text = internalBinding('profiler').heapSnapshot();
  if (text === undefined) throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('heap snapshot');
  return JSON.parse(text);
}

/** The edges in the order of the nodes they leave, as V8 lists them. */
class SortedEdges {
  /** Index of a node by its identifier; -1: it is not listed. */
  #indexOf;
  /** For each node, where its edges begin in `order`; one more for their end. */
  starts;
  order;

  constructor({ nodes, edges }) {
    const count = nodes.length / NODE_WORDS;
    let last = 0;
    for (let at = 0; at < nodes.length; at += NODE_WORDS) last = Math.max(last, nodes[at]);
    this.#indexOf = new Int32Array(last + 1).fill(-1);
    for (let index = 0; index < count; index++) this.#indexOf[nodes[index * NODE_WORDS]] = index;
    this.starts = new Uint32Array(count + 1);
    for (let at = 0; at < edges.length; at += EDGE_WORDS) {
      if (this.#isListed(edges, at)) this.starts[this.indexOf(edges[at]) + 1] += 1;
    }
    for (let index = 0; index < count; index++) this.starts[index + 1] += this.starts[index];
    this.order = new Uint32Array(this.starts[count]);
    const next = this.starts.slice();
    for (let at = 0; at < edges.length; at += EDGE_WORDS) {
      if (this.#isListed(edges, at)) this.order[next[this.indexOf(edges[at])]++] = at;
    }
  }

  indexOf(identifier) { return this.#indexOf[identifier] ?? -1; }

  #isListed(edges, at) { return this.indexOf(edges[at]) >= 0 && this.indexOf(edges[at + 1]) >= 0; }
}

/** Joins the items that `item` makes into pieces. */
function* list(count, item) {
  for (let begin = 0; begin < count; begin += PIECE_ITEMS) {
    let text = '';
    for (let index = begin; index < Math.min(begin + PIECE_ITEMS, count); index++) text += index === 0 ? item(index) : `,\n${item(index)}`;
    yield text;
  }
}

/** The text of a snapshot that is taken now, in pieces. */
function takeHeapSnapshot() {
  // Taken now, and not with the first piece.
  const snapshot = engineSnapshot();
  return pieces(snapshot, new SortedEdges(snapshot));
}

function* pieces({ nodes, nodeClassNames, edges, edgeTypes, edgeNames }, sorted) {
  // The root has no name, as in V8.
  const strings = ['', ...nodeClassNames, ...edgeNames];
  const [classNames, names] = [1, 1 + nodeClassNames.length];
  const count = nodes.length / NODE_WORDS;
  const types = edgeTypes.map((name) => TYPE_OF_EDGE[name]);
  yield `{"snapshot":${JSON.stringify({ meta: META, node_count: count, edge_count: sorted.order.length, trace_function_count: 0, extra_native_bytes: 0 })},\n"nodes":[`;
  yield* list(count, (index) => {
    const [id, bytes, className, flags] = nodes.slice(index * NODE_WORDS, (index + 1) * NODE_WORDS);
    const name = id === 0 ? 0 : classNames + className;
    // Identifiers of objects are odd in V8.
    return `${typeOf(nodeClassNames[className], flags)},${name},${2 * id + 1},${bytes},${sorted.starts[index + 1] - sorted.starts[index]},0`;
  });
  yield '],\n"edges":[';
  yield* list(sorted.order.length, (index) => {
    const at = sorted.order[index];
    const [type, isName] = types[edges[at + 2]];
    return `${type},${isName ? names + edges[at + 3] : edges[at + 3]},${sorted.indexOf(edges[at + 1]) * META.node_fields.length}`;
  });
  yield '],\n"trace_function_infos":[],\n"trace_tree":[],\n"samples":[],\n"locations":[],\n"strings":[';
  yield* list(strings.length, (index) => JSON.stringify(strings[index]));
  yield ']}';
}

function validateOptions(options) {
  if (options === undefined) return;
  validateObject(options, 'options');
  for (const name of ['exposeInternals', 'exposeNumericValues']) {
    if (options[name] !== undefined) validateBoolean(options[name], `options.${name}`);
  }
}

/** A stream of the text. Its first read gets all pieces, as in Node. */
function streamOf(text) {
  const { Readable } = require('stream');
  class HeapSnapshotStream extends Readable {
    #text = text;

    _read() {
      const pieces = this.#text;
      this.#text = [];
      for (const piece of pieces) this.push(piece);
      this.push(null);
    }
  }
  return new HeapSnapshotStream();
}

/** `v8.getHeapSnapshot`. */
function getHeapSnapshot(options) {
  validateOptions(options);
  return streamOf(takeHeapSnapshot());
}

/** `v8.writeHeapSnapshot`. */
function writeHeapSnapshot(filename, options) {
  const fs = require('fs');
  if (filename !== undefined) filename = require('internal/fs/utils').getValidatedPath(filename);
  validateOptions(options);
  filename ??= require('internal/process/diagnostic_name')('Heap', 'heapsnapshot');
  const descriptor = fs.openSync(filename, 'w', OWNER_ONLY);
  try {
    for (const piece of takeHeapSnapshot()) fs.writeSync(descriptor, piece);
  } finally {
    fs.closeSync(descriptor);
  }
  return filename;
}

module.exports = { engineSnapshot, getHeapSnapshot, streamOf, takeHeapSnapshot, validateOptions, writeHeapSnapshot };
