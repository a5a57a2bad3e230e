// A port in another context of node:vm: this file is evaluated there, so all that it makes is of
// that context. In: what `internal/messaging/context` does for a port, in values that are no
// objects, or functions that this file alone calls. Out: a port without the methods of a target of
// events, as in Node. Absent: listeners other than `onmessage`.
'use strict';

class DOMException extends Error {
  constructor(message, name, code) {
    super(message);
    Object.defineProperty(this, 'name', { value: name, configurable: true, writable: true });
    Object.defineProperty(this, 'code', { value: code, configurable: true });
  }
}

function rethrow({ name, message, code, isWeb }) {
  if (isWeb) throw new DOMException(message, name, code);
  const error = new (name === 'TypeError' ? TypeError : name === 'RangeError' ? RangeError : Error)(message);
  if (code !== undefined) Object.defineProperty(error, 'code', { value: code, configurable: true, writable: true, enumerable: true });
  throw error;
}

const hosts = new WeakMap();
const NAMES = ['postMessage', 'start', 'close', 'ref', 'unref', 'hasRef'];

class MessagePort {
  constructor() {
    throw new TypeError('Illegal constructor');
  }
}

for (const name of NAMES) {
  const method = { [name](...args) {
    const host = hosts.get(this);
    if (host === undefined) throw new TypeError('Illegal invocation');
    const { failure, value } = host[name](args);
    if (failure !== undefined) rethrow(failure);
    return value;
  } }[name];
  Object.defineProperty(MessagePort.prototype, name, { value: method, writable: true, configurable: true, enumerable: true });
}

module.exports = {
  /** The port of a host; the second one tells it of messages. */
  make(host) {
    const port = Object.create(MessagePort.prototype);
    hosts.set(port, host);
    const tell = (handler, data, ports) => {
      if (typeof port[handler] === 'function') port[handler]({ data, ports, target: port });
    };
    return [port, tell];
  },
  error(message, code) {
    return Object.assign(new Error(message), { code });
  },
};
