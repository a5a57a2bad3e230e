// Signals that go to other threads, which `util.transferableAbortSignal` allows. In: a signal. Out:
// another one for the receiver, aborted when the first is, with a copy of its reason. The signal
// itself stays as it is, and may go as often as one likes. Neither keeps the program going.
'use strict';

const { End } = require('internal/messaging/channel');
const { kCheckTransfer, kSend, kTransfer } = require('internal/messaging/transfer');
const { AbortController, AbortSignal, isAbortSignal } = require('web/abort');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');

const ALONE = Object.freeze([]);
const nothing = () => {};
/** Nobody can abort a signal that is forgotten. */
const forgotten = new FinalizationRegistry((end) => end.close(undefined));
/** Signals that came with a message which is being read. */
let arriving = [];

function transferableAbortSignal(signal) {
  if (!isAbortSignal(signal)) throw new ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  const methods = {
    [kCheckTransfer]() { if (signal.aborted) require('web/structured_clone').structuredClone(signal.reason); },
    [kTransfer]: () => settled(receive(divide(signal))),
    [kSend]: () => ({ kind: 'SIGNAL', ports: [divide(signal).leave()] }),
  };
  for (const key of [kCheckTransfer, kTransfer, kSend]) {
    Object.defineProperty(signal, key, { __proto__: null, value: methods[key], configurable: true });
  }
  return signal;
}

function transferableAbortController() {
  const controller = new AbortController();
  transferableAbortSignal(controller.signal);
  return controller;
}

/** The end for whoever gets the signal. */
function divide(signal) {
  const [own, theirs] = End.pair();
  if (signal.aborted) {
    tell(own, signal.reason);
    return theirs;
  }
  // One that follows has listeners of its own, which programs do not see.
  const follower = AbortSignal.any([signal]);
  follower.addEventListener('abort', () => tell(own, follower.reason));
  forgotten.register(signal, own);
  return theirs;
}

function tell(end, reason) {
  try {
    end.send(reason, ALONE);
  } catch (refusal) {
    end.send(refusal, ALONE);
  }
  end.close(undefined);
}

/** What is received is a controller of a signal, with the end that says when. */
function receive(end) {
  const controller = new AbortController();
  const take = () => {
    const packet = end.take();
    if (packet === undefined) return;
    end.close(undefined);
    controller.abort('error' in packet ? packet.error : require('web/message_port').plainValue(packet.value));
  };
  return { end, take, signal: controller.signal };
}

/** The signal, aborted already where the first one was. */
function settled({ end, take, signal }) {
  take();
  if (!end.isClosed) end.owner = { keepsGoing: true, onPacket: take, onClose: nothing };
  return signal;
}

/** The signal of a native port, which `settle` sees to when the message it came with was read. */
function ofHandle(port) {
  const received = receive(End.ofHandle(port));
  arriving.push(received);
  return received.signal;
}

function settle() {
  const list = arriving;
  arriving = [];
  list.forEach(settled);
}

module.exports = { ofHandle, settle, transferableAbortController, transferableAbortSignal };
