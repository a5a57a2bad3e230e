// `node:inspector`: sessions that talk to the engine within the process. In: methods of the
// DevTools Protocol. Out: their results, by callback. Absent: the server for a debugger; to open
// it is refused with Node's code.
'use strict';

const EventEmitter = require('events');
const {
  codes: {
    ERR_INSPECTOR_ALREADY_CONNECTED, ERR_INSPECTOR_CLOSED, ERR_INSPECTOR_COMMAND, ERR_INSPECTOR_NOT_ACTIVE, ERR_INSPECTOR_NOT_AVAILABLE,
    ERR_INSPECTOR_NOT_CONNECTED, ERR_INSPECTOR_NOT_WORKER,
  },
} = require('internal/errors');
const { isUint32, validateFunction, validateInt32, validateObject, validateString } = require('internal/validators');
const { Connection } = require('internal/inspector/connection');

class Session extends EventEmitter {
  #connection = null;
  #nextId = 1;
  #callbacks = new Map();

  connect() {
    if (this.#connection) throw new ERR_INSPECTOR_ALREADY_CONNECTED('The inspector session');
    this.#connection = new Connection((message) => this.#receive(message));
  }

  connectToMainThread() {
    if (require('worker_threads').isMainThread) throw new ERR_INSPECTOR_NOT_WORKER();
    if (this.#connection) throw new ERR_INSPECTOR_ALREADY_CONNECTED('The inspector session');
    throw new ERR_INSPECTOR_NOT_AVAILABLE();
  }

  #receive(message) {
    try {
      if (message.id === undefined) {
        this.emit(message.method, message);
        this.emit('inspectorNotification', message);
        return;
      }
      const callback = this.#callbacks.get(message.id);
      this.#callbacks.delete(message.id);
      if (message.error) callback?.(new ERR_INSPECTOR_COMMAND(message.error.code, message.error.message));
      else callback?.(null, message.result);
    } catch (error) {
      require('process').emitWarning(error);
    }
  }

  post(method, params, callback) {
    validateString(method, 'method');
    if (!callback && typeof params === 'function') [params, callback] = [null, params];
    if (params) validateObject(params, 'params');
    if (callback) validateFunction(callback, 'callback');
    if (!this.#connection) throw new ERR_INSPECTOR_NOT_CONNECTED();
    const id = this.#nextId++;
    if (callback) this.#callbacks.set(id, callback);
    // A message of the protocol is JSON.
    this.#connection.dispatch(id, method, JSON.parse(JSON.stringify(params ?? {})));
  }

  disconnect() {
    if (!this.#connection) return;
    this.#connection.disconnect();
    this.#connection = null;
    for (const callback of this.#callbacks.values()) require('process').nextTick(callback, new ERR_INSPECTOR_CLOSED());
    this.#callbacks.clear();
    this.#nextId = 1;
  }
}

/** There is no server, so none can be opened. */
function open(port) {
  if (isUint32(port)) validateInt32(port, 'port', 0, 65535);
  throw new ERR_INSPECTOR_NOT_AVAILABLE();
}

/** Nothing is open, and Node's function does nothing then. */
function close() {}

/** The URL of the server: undefined while there is none. */
function url() { return undefined; }

function waitForDebugger() { throw new ERR_INSPECTOR_NOT_ACTIVE(); }

/** Notifies the sessions of the process that have enabled the domain `Network`. */
function broadcast(method, params) {
  validateString(method, 'eventName');
  if (params) validateObject(params, 'params');
  Connection.broadcast('Network', { method, params: JSON.parse(JSON.stringify(params ?? {})) });
}

const Network = {};
for (const name of ['requestWillBeSent', 'responseReceived', 'loadingFinished', 'loadingFailed', 'dataSent', 'dataReceived']) {
  Network[name] = (params) => broadcast(`Network.${name}`, params);
}

module.exports = { open, close, url, waitForDebugger, console: require('internal/inspector/console'), Session, Network };
