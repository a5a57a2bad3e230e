// `moveMessagePortToContext`. In: a port, a context of node:vm. Out: a port of that context, whose
// messages are objects of that context: they are serialized as for another thread, and decoded by a
// decoder that is evaluated there. Absent: platform objects; a message with one is an error.
'use strict';

const { codes } = require('internal/errors');
const { validateObject } = require('internal/validators');

const evaluatedParts = new WeakMap();

/** What is evaluated in a context: its decoder, its ports. */
function partsOfContext(context) {
  let parts = evaluatedParts.get(context);
  if (parts === undefined) evaluatedParts.set(context, parts = evaluate(context));
  return parts;
}

function evaluate(context) {
  const parts = {};
  const requireInContext = (name) => {
    switch (name) {
      case 'internal/messaging/cloneable': return { deserialize: () => { throw targetUnavailable(); } };
      case 'internal/messaging/object_shapes': return { objectFactory: (number) => parts.objectFactory(number) };
      case 'internal/messaging/receive_transferables': return parts.receiveTransferables ??= load(name);
      case 'web/message_port': return { fromNative: (handle) => createPort(fromNative(handle), parts), isPort: (value) => parts.ports.has(value) };
      default: return require(name);
    }
  };
  const load = (name) => {
    const module = { exports: {} };
    internalBinding('vm').compileBuiltin(context, name)(module.exports, requireInContext, module, internalBinding);
    return module.exports;
  };
  parts.ports = new WeakSet();
  parts.objectFactory = internalBinding('vm').evaluate(context, FACTORY, 'node:internal/messaging/context', 1)(require('internal/messaging/object_shapes').getShapeNames);
  Object.assign(parts, load('internal/messaging/context_port'), load('internal/messaging/decoder'));
  return parts;
}

/** Creates objects of the context from the shapes of this one. */
const FACTORY = `((getShapeNames) => (number) => (read, known) => {
  const object = {};
  known.push(object);
  for (const name of getShapeNames(number)) Object.defineProperty(object, name, { value: read(), writable: true, enumerable: true, configurable: true });
  return object;
})`;

const fromNative = (handle) => require('internal/messaging/channel').ChannelEnd.fromNative(handle);

function targetUnavailable() {
  return new codes.ERR_MESSAGE_TARGET_CONTEXT_UNAVAILABLE();
}

/** Describes an error without an object of this context. */
function describeError(error) {
  const { isDOMException } = require('web/dom_exception');
  return { name: `${error?.name}`, message: `${error?.message}`, code: error?.code, isWeb: isDOMException(error) };
}

/** Creates a port of the context. */
function createPort(end, parts) {
  const { updateRefCount } = require('web/message_port');
  const transfer = require('internal/messaging/transfer');
  let isRef = false;
  const setRef = (value) => {
    if (value === isRef) return;
    isRef = owner.isRef = value;
    updateRefCount(value ? 1 : -1);
  };
  const owner = {
    isRef: false,
    onMessage: () => deliver(end.receive(), parts, callHandler),
    onClose: () => setRef(false),
  };
  end.onPeerClose = owner.onClose;
  const methods = {
    postMessage([value, options]) {
      const transferList = transfer.parseTransferList(options);
      transfer.validateTransferList(transferList, undefined);
      end.send(value, transferList);
    },
    start() {
      setRef(!end.isClosed);
      end.owner = owner;
    },
    close() { end.close(owner); },
    ref() { setRef(!end.isClosed); },
    unref() { setRef(false); },
    hasRef: () => isRef,
  };
  const host = { __proto__: null };
  for (const name of Object.keys(methods)) {
    host[name] = (args) => {
      try {
        return { value: methods[name](args) };
      } catch (error) {
        return { error: describeError(error) };
      }
    };
  }
  const [port, callHandler] = parts.make(host);
  parts.ports.add(port);
  return port;
}

/** Delivers a message as objects of the context. */
function deliver(packet, parts, callHandler) {
  if (packet === undefined) return;
  const { serialize, deserialize } = require('internal/messaging/packets');
  const { resolveDeferred } = require('web/message_port');
  try {
    if ('error' in packet) throw packet.error;
    const { value, ports } = deserialize(serialize(resolveDeferred(packet.value), packet.ports), parts.decode);
    callHandler('onmessage', resolveDeferred(value), ports);
  } catch (error) {
    // A platform object exists in this context only.
    const { message, code } = require('web/dom_exception').isDOMException(error) ? targetUnavailable() : error;
    callHandler('onmessageerror', parts.error(`${message}`, code), []);
  }
}

function moveMessagePortToContext(port, sandbox) {
  const { isPort, detachEnd } = require('web/message_port');
  if (!isPort(port)) throw new codes.ERR_INVALID_ARG_TYPE('port', 'MessagePort', port);
  validateObject(sandbox, 'contextifiedSandbox');
  const end = detachEnd(port);
  const contextInfo = require('internal/vm/contexts').contexts.get(sandbox);
  if (contextInfo === undefined) throw new codes.ERR_INVALID_ARG_TYPE('contextifiedSandbox', 'vm.Context', sandbox);
  return createPort(end, partsOfContext(contextInfo.context));
}

module.exports = { moveMessagePortToContext };
