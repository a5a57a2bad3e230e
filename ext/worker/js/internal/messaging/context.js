// `moveMessagePortToContext`. In: a port, a context of node:vm. Out: a port of that context, which
// gets values made of that context's objects. They are written as for another thread and read by a
// decoder that was evaluated there. Absent: objects of ours, which no other context has: a message
// with one is an error there.
'use strict';

const { codes } = require('internal/errors');
const { validateObject } = require('internal/validators');

const kept = new WeakMap();

/** What was evaluated in a context: its decoder, its ports. */
function partsOf(context) {
  let parts = kept.get(context);
  if (parts === undefined) kept.set(context, parts = evaluate(context));
  return parts;
}

function evaluate(context) {
  const parts = {};
  const own = (name) => {
    switch (name) {
      case 'internal/messaging/cloneable': return { receive: () => { throw unavailable(); } };
      case 'internal/messaging/object_shapes': return { makerOf: (number) => parts.filler(number) };
      case 'internal/messaging/receive_transferables': return parts.arrivals ??= load(name);
      case 'web/message_port': return { ofHandle: (handle) => moved(ofHandle(handle), parts), isPort: (value) => parts.ports.has(value) };
      default: return require(name);
    }
  };
  const load = (name) => {
    const module = { exports: {} };
    internalBinding('vm').compileBuiltin(context, name)(module.exports, own, module, internalBinding);
    return module.exports;
  };
  parts.ports = new WeakSet();
  parts.filler = internalBinding('vm').evaluate(context, FILLER, 'node:internal/messaging/context', 1)(require('internal/messaging/object_shapes').namesOf);
  Object.assign(parts, load('internal/messaging/context_port'), load('internal/messaging/decoder'));
  return parts;
}

/** Makes objects there from lists of names of here. */
const FILLER = `((namesOf) => (number) => (read, known) => {
  const object = {};
  known.push(object);
  for (const name of namesOf(number)) Object.defineProperty(object, name, { value: read(), writable: true, enumerable: true, configurable: true });
  return object;
})`;

const ofHandle = (handle) => require('internal/messaging/channel').End.ofHandle(handle);

function unavailable() {
  return new codes.ERR_MESSAGE_TARGET_CONTEXT_UNAVAILABLE();
}

/** What a failure is, without an object of this context. */
function told(error) {
  const { isDOMException } = require('web/dom_exception');
  return { name: `${error?.name}`, message: `${error?.message}`, code: error?.code, isWeb: isDOMException(error) };
}

/** The port of that context over an end. */
function moved(end, parts) {
  const { keep } = require('web/message_port');
  const transfer = require('internal/messaging/transfer');
  let isKeeping = false;
  const setKept = (isKept) => {
    if (isKept === isKeeping) return;
    isKeeping = owner.keepsGoing = isKept;
    keep(isKept ? 1 : -1);
  };
  const owner = {
    keepsGoing: false,
    onPacket: () => deliver(end.take(), parts, tell),
    onClose: () => setKept(false),
  };
  end.onEnd = owner.onClose;
  const methods = {
    postMessage([value, list]) {
      const given = transfer.readList(list);
      transfer.check(given, undefined);
      end.send(value, given);
    },
    start() {
      setKept(!end.isClosed);
      end.owner = owner;
    },
    close() { end.close(owner); },
    ref() { setKept(!end.isClosed); },
    unref() { setKept(false); },
    hasRef: () => isKeeping,
  };
  const host = { __proto__: null };
  for (const name of Object.keys(methods)) {
    host[name] = (args) => {
      try {
        return { value: methods[name](args) };
      } catch (error) {
        return { failure: told(error) };
      }
    };
  }
  const [port, tell] = parts.make(host);
  parts.ports.add(port);
  return port;
}

/** A packet of this context becomes values of that one. */
function deliver(packet, parts, tell) {
  if (packet === undefined) return;
  const { pack, unpack } = require('internal/messaging/packets');
  const { plainValue } = require('web/message_port');
  try {
    if ('error' in packet) throw packet.error;
    const { value, ports } = unpack(pack(plainValue(packet.value), packet.ports), parts.decode);
    tell('onmessage', plainValue(value), ports);
  } catch (error) {
    // What has no parts that any context can have is of this one alone.
    const { message, code } = require('web/dom_exception').isDOMException(error) ? unavailable() : error;
    tell('onmessageerror', parts.error(`${message}`, code), []);
  }
}

function moveMessagePortToContext(port, sandbox) {
  const { isPort, release } = require('web/message_port');
  if (!isPort(port)) throw new codes.ERR_INVALID_ARG_TYPE('port', 'MessagePort', port);
  validateObject(sandbox, 'contextifiedSandbox');
  const end = release(port);
  const found = require('internal/vm/contexts').contexts.get(sandbox);
  if (found === undefined) throw new codes.ERR_INVALID_ARG_TYPE('contextifiedSandbox', 'vm.Context', sandbox);
  return moved(end, partsOf(found.context));
}

module.exports = { moveMessagePortToContext };
