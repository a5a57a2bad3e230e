// Transferable abort signals: `util.transferableAbortSignal`. In: a signal. Out: a new signal for
// the receiver, aborted when the first one is, with a clone of its reason. The first signal stays
// usable and can be sent again. Neither end keeps the event loop alive.
'use strict';

const { ChannelEnd } = require('internal/messaging/channel');
const { kCheckTransfer, kTransferToThread, kTransfer } = require('internal/messaging/transfer');
const { AbortController, AbortSignal, isAbortSignal } = require('web/abort');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');

const NO_TRANSFER = Object.freeze([]);
const nop = () => {};
/** Closes the channel of a signal that was collected, which can no longer abort. */
const collectedSignals = new FinalizationRegistry((end) => end.close(undefined));
/** Signals of the message that is being deserialized. */
let pendingSignals = [];

function transferableAbortSignal(signal) {
  if (!isAbortSignal(signal)) throw new ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  const methods = {
    [kCheckTransfer]() { if (signal.aborted) require('web/structured_clone').structuredClone(signal.reason); },
    [kTransfer]: () => startReceiving(receive(createRemoteEnd(signal))),
    [kTransferToThread]: () => ({ kind: 'SIGNAL', ports: [createRemoteEnd(signal).detach()] }),
  };
  for (const key of [kCheckTransfer, kTransfer, kTransferToThread]) {
    Object.defineProperty(signal, key, { __proto__: null, value: methods[key], configurable: true });
  }
  return signal;
}

function transferableAbortController() {
  const controller = new AbortController();
  transferableAbortSignal(controller.signal);
  return controller;
}

/** Returns the channel's end for the receiver. */
function createRemoteEnd(signal) {
  const [localEnd, remoteEnd] = ChannelEnd.createPair();
  if (signal.aborted) {
    sendReason(localEnd, signal.reason);
    return remoteEnd;
  }
  // A dependent signal has listeners of its own, which programs do not see.
  const dependent = AbortSignal.any([signal]);
  dependent.addEventListener('abort', () => sendReason(localEnd, dependent.reason));
  collectedSignals.register(signal, localEnd);
  return remoteEnd;
}

function sendReason(end, reason) {
  try {
    end.send(reason, NO_TRANSFER);
  } catch (cloneError) {
    end.send(cloneError, NO_TRANSFER);
  }
  end.close(undefined);
}

/** A received signal: a controller and the channel's end that reports the abort. */
function receive(end) {
  const controller = new AbortController();
  const handlePacket = () => {
    const packet = end.receive();
    if (packet === undefined) return;
    end.close(undefined);
    controller.abort('error' in packet ? packet.error : require('web/message_port').resolveDeferred(packet.value));
  };
  return { end, handlePacket, signal: controller.signal };
}

/** Returns the signal, aborted already if the first one was. */
function startReceiving({ end, handlePacket, signal }) {
  handlePacket();
  if (!end.isClosed) end.owner = { isRef: true, onMessage: handlePacket, onClose: nop };
  return signal;
}

/** The signal of a native port; `settle` starts it when its message was read. */
function fromNative(port) {
  const received = receive(ChannelEnd.fromNative(port));
  pendingSignals.push(received);
  return received.signal;
}

function settle() {
  const list = pendingSignals;
  pendingSignals = [];
  list.forEach(startReceiving);
}

module.exports = { fromNative, settle, transferableAbortController, transferableAbortSignal };
