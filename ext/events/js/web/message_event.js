// MessageEvent: the HTML Standard 9.1. In: a type, data, ports. Out: the event that listeners of
// ports and channels get. Absent: conversion of `ports` whose elements are not MessagePorts.
'use strict';

const { forbidCloning } = require('internal/messaging/symbols');
const { codes } = require('internal/errors');
const { DeferredString } = require('internal/messaging/packets');
const { Event, define } = require('web/events');

class MessageEvent extends Event {
  #data;
  #origin;
  #lastEventId;
  #source;
  #ports;

  constructor(type, init = undefined) {
    if (arguments.length === 0) throw new TypeError('MessageEvent constructor: 1 argument required, but 0 found.');
    super(type, init);
    const { data = null, origin = '', lastEventId = '', source = null, ports = [] } = init ?? {};
    this.#data = data;
    this.#origin = `${origin}`;
    this.#lastEventId = `${lastEventId}`;
    this.#source = validateSource(source);
    this.#ports = Object.freeze(validatePorts(ports));
  }

  static #of(event) {
    if (typeof event !== 'object' || event === null || !(#data in event)) throw new codes.ERR_INVALID_THIS('MessageEvent');
    return event;
  }

  get data() {
    const event = MessageEvent.#of(this);
    // A long string from another thread is decoded at the first access.
    if (event.#data instanceof DeferredString) event.#data = event.#data.value;
    return event.#data;
  }

  get origin() { return MessageEvent.#of(this).#origin; }
  get lastEventId() { return MessageEvent.#of(this).#lastEventId; }
  get source() { return MessageEvent.#of(this).#source; }
  get ports() { return MessageEvent.#of(this).#ports; }

  initMessageEvent(type, bubbles = false, cancelable = false, data = null, origin = '', lastEventId = '', source = null, ports = []) {
    MessageEvent.#of(this);
    if (arguments.length === 0) throw new TypeError('MessageEvent.initMessageEvent: 1 argument required, but 0 found.');
    this.initEvent(type, bubbles, cancelable);
    this.#data = data;
    this.#origin = `${origin}`;
    this.#lastEventId = `${lastEventId}`;
    this.#source = validateSource(source);
    this.#ports = Object.freeze(validatePorts(ports));
  }
}

define(MessageEvent, [], ['data', 'origin', 'lastEventId', 'source', 'ports', 'initMessageEvent']);

const inspectValue = (value) => require('internal/util/inspect').inspect(value);

function isPort(value) {
  const { MessagePort } = require('web/message_port');
  return value instanceof MessagePort;
}

function validateSource(source) {
  if (source === null || isPort(source)) return source;
  throw new TypeError(`MessageEvent constructor: Expected eventInitDict.source ("${inspectValue(source)}") to be an instance of MessagePort.`);
}

function validatePorts(ports) {
  if (ports === null || typeof ports !== 'object' || typeof ports[Symbol.iterator] !== 'function') {
    throw new TypeError(`MessageEvent constructor: eventInitDict.ports (${inspectValue(ports)}) is not iterable.`);
  }
  const list = [...ports];
  list.forEach((port, index) => {
    if (!isPort(port)) {
      throw new TypeError(`MessageEvent constructor: Expected eventInitDict.ports[${index}] ("${inspectValue(port)}") to be an instance of MessagePort.`);
    }
  });
  return list;
}

forbidCloning(MessageEvent, 'data');

module.exports = { MessageEvent };
