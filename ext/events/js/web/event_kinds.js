// Events that say what went wrong or ended: ErrorEvent, CloseEvent. In: a type, what is to be said.
// Out: events. Absent: who sends them.
'use strict';

const { forbidCloning } = require('internal/messaging/symbols');
const { Event } = require('web/events');
const { finishClass } = require('web/streams/webidl_utils');
const { checkArguments } = require('web/fetch/webidl');

function init(options, Class) {
  if (options === undefined || options === null) return {};
  if (typeof options !== 'object' && typeof options !== 'function') {
    throw new TypeError(`${Class} constructor: Expected eventInitDict ("${String(options)}") to be one of: Null, Undefined, Object.`);
  }
  return options;
}

const text = (value) => (value === undefined ? '' : `${value}`.toWellFormed());
const count = (value) => (value === undefined ? 0 : Number(value) >>> 0);

class ErrorEvent extends Event {
  #says;

  constructor(type, options = undefined) {
    checkArguments(arguments, 1, 'ErrorEvent constructor');
    const given = init(options, 'ErrorEvent');
    super(type, given);
    this.#says = {
      message: text(given.message), filename: text(given.filename), lineno: count(given.lineno), colno: count(given.colno),
      error: given.error,
    };
  }

  get message() { return this.#says.message; }
  get filename() { return this.#says.filename; }
  get lineno() { return this.#says.lineno; }
  get colno() { return this.#says.colno; }
  get error() { return this.#says.error; }
}

class CloseEvent extends Event {
  #says;

  constructor(type, options = {}) {
    checkArguments(arguments, 1, 'CloseEvent constructor');
    const given = init(options, 'CloseEvent');
    super(type, given);
    this.#says = { wasClean: Boolean(given.wasClean), code: count(given.code) & 0xffff, reason: text(given.reason) };
  }

  get wasClean() { return this.#says.wasClean; }
  get code() { return this.#says.code; }
  get reason() { return this.#says.reason; }
}

for (const Class of [ErrorEvent, CloseEvent]) finishClass(Class);

forbidCloning(ErrorEvent, 'message');
forbidCloning(CloseEvent, 'code');

module.exports = { CloseEvent, ErrorEvent };
