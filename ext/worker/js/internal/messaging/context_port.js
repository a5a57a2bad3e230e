// MessagePort of another context of node:vm. The file is evaluated in that context, so all its
// objects belong to it. In: the implementation (context.js), as functions that only this file
// calls. Out: a port that is not an EventTarget, as in Node. Absent: listeners other than
// `onmessage`.
'use strict';

class DOMException extends Error {
  constructor(message, name, code) {
    super(message);
    Object.defineProperty(this, 'name', { value: name, configurable: true, writable: true });
    Object.defineProperty(this, 'code', { value: code, configurable: true });
  }
}

function throwError({ name, message, code, isWeb }) {
  if (isWeb) throw new DOMException(message, name, code);
  const error = new (name === 'TypeError' ? TypeError : name === 'RangeError' ? RangeError : Error)(message);
  if (code !== undefined) Object.defineProperty(error, 'code', { value: code, configurable: true, writable: true, enumerable: true });
  throw error;
}

const implementations = new WeakMap();
const NAMES = ['postMessage', 'start', 'close', 'ref', 'unref', 'hasRef'];

class MessagePort {
  constructor() {
    throw new TypeError('Illegal constructor');
  }
}

for (const name of NAMES) {
  const method = { [name](...args) {
    const implementation = implementations.get(this);
    if (implementation === undefined) throw new TypeError('Illegal invocation');
    const { error, value } = implementation[name](args);
    if (error !== undefined) throwError(error);
    return value;
  } }[name];
  Object.defineProperty(MessagePort.prototype, name, { value: method, writable: true, configurable: true, enumerable: true });
}

module.exports = {
  /** Returns a port, and the function that calls its handlers. */
  make(implementation) {
    const port = Object.create(MessagePort.prototype);
    implementations.set(port, implementation);
    const callHandler = (handler, data, ports) => {
      if (typeof port[handler] === 'function') port[handler]({ data, ports, target: port });
    };
    return [port, callHandler];
  },
  error(message, code) {
    return Object.assign(new Error(message), { code });
  },
};
