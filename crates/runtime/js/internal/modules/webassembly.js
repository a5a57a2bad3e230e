// `WebAssembly` namespace. The engine compiles on its own threads without keeping the event loop
// alive. In: the engine's namespace, on first access. Out: `compile` and `instantiate` ref the loop
// until their promises are settled; `compileStreaming` and `instantiateStreaming` are added.
// Absent: compilation during the download.
'use strict';

const { apply } = Reflect;
const { then } = Promise.prototype;
const queues = internalBinding('queues');

function withRef(original, name) {
  // A method has no prototype and cannot be constructed, as the original.
  const { [name]: value } = {
    [name](bytes, importObject) {
      const promise = apply(original, this, arguments);
      queues.addEnginePromises(1);
      const settled = (pass) => (value) => {
        queues.addEnginePromises(-1);
        return pass(value);
      };
      const fail = (error) => {
        throw error;
      };
      return apply(then, promise, [settled((result) => result), settled(fail)]);
    },
  };
  Object.defineProperty(value, 'length', { __proto__: null, value: original.length, configurable: true });
  return value;
}

/** The body of a response, or of a promise of one. */
async function bytesOf(response) {
  const source = await response;
  const { codes: { ERR_INVALID_ARG_TYPE, ERR_WEBASSEMBLY_RESPONSE } } = require('internal/errors');
  const { Response } = require('web/fetch/response');
  if (!(source instanceof Response)) throw new ERR_INVALID_ARG_TYPE('source', ['Response', 'Promise resolving to Response'], source);
  const type = source.headers.get('Content-Type');
  if (type !== 'application/wasm') throw new ERR_WEBASSEMBLY_RESPONSE(`has unsupported MIME type '${type}'`);
  if (!source.ok) throw new ERR_WEBASSEMBLY_RESPONSE(`has status code ${source.status}`);
  if (source.bodyUsed) throw new ERR_WEBASSEMBLY_RESPONSE('body has already been used');
  return source.arrayBuffer();
}

function addStreaming(namespace) {
  const { compile, instantiate } = namespace;
  const streaming = {
    compileStreaming(source) { return bytesOf(source).then((bytes) => compile(bytes)); },
    instantiateStreaming(source, importObject = undefined) { return bytesOf(source).then((bytes) => instantiate(bytes, importObject)); },
  };
  for (const [name, value] of Object.entries(streaming)) {
    if (namespace[name] === undefined) Object.defineProperty(namespace, name, { __proto__: null, value, writable: true, configurable: true, enumerable: true });
  }
}

module.exports = {
  /** The buffer of a `WebAssembly.Memory` that threads share; undefined of anything else. */
  sharedMemoryOf(value) {
    const { Memory } = globalThis.WebAssembly;
    if (!(value instanceof Memory)) return undefined;
    const { buffer } = value;
    return buffer instanceof SharedArrayBuffer ? buffer : undefined;
  },

  watch(namespace) {
    for (const name of ['compile', 'instantiate']) {
      const value = withRef(namespace[name], name);
      Object.defineProperty(namespace, name, { __proto__: null, value, writable: true, configurable: true, enumerable: true });
    }
    addStreaming(namespace);
    return namespace;
  },
};
