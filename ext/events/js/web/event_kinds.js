// ErrorEvent and CloseEvent. In: a type, an event init dictionary. Out: the classes. Absent: the
// code that dispatches these events.
'use strict';

const { forbidCloning } = require('internal/messaging/symbols');
const { Event } = require('web/events');
const { finishClass } = require('web/streams/webidl_utils');
const { checkArguments } = require('web/fetch/webidl');

function convertEventInit(options, Class) {
  if (options === undefined || options === null) return {};
  if (typeof options !== 'object' && typeof options !== 'function') {
    throw new TypeError(`${Class} constructor: Expected eventInitDict ("${String(options)}") to be one of: Null, Undefined, Object.`);
  }
  return options;
}

const toDOMString = (value) => (value === undefined ? '' : `${value}`.toWellFormed());
const toUnsignedLong = (value) => (value === undefined ? 0 : Number(value) >>> 0);

class ErrorEvent extends Event {
  #fields;

  constructor(type, options = undefined) {
    checkArguments(arguments, 1, 'ErrorEvent constructor');
    const initDict = convertEventInit(options, 'ErrorEvent');
    super(type, initDict);
    this.#fields = {
      message: toDOMString(initDict.message), filename: toDOMString(initDict.filename), lineno: toUnsignedLong(initDict.lineno), colno: toUnsignedLong(initDict.colno),
      error: initDict.error,
    };
  }

  get message() { return this.#fields.message; }
  get filename() { return this.#fields.filename; }
  get lineno() { return this.#fields.lineno; }
  get colno() { return this.#fields.colno; }
  get error() { return this.#fields.error; }
}

class CloseEvent extends Event {
  #fields;

  constructor(type, options = {}) {
    checkArguments(arguments, 1, 'CloseEvent constructor');
    const initDict = convertEventInit(options, 'CloseEvent');
    super(type, initDict);
    this.#fields = { wasClean: Boolean(initDict.wasClean), code: toUnsignedLong(initDict.code) & 0xffff, reason: toDOMString(initDict.reason) };
  }

  get wasClean() { return this.#fields.wasClean; }
  get code() { return this.#fields.code; }
  get reason() { return this.#fields.reason; }
}

for (const Class of [ErrorEvent, CloseEvent]) finishClass(Class);

forbidCloning(ErrorEvent, 'message');
forbidCloning(CloseEvent, 'code');

module.exports = { CloseEvent, ErrorEvent };
