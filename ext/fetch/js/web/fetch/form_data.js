// FormData: the XMLHttpRequest Standard, 5. In: names with strings or files. Out: an ordered list
// of entries. Absent: HTML forms; serialization (web/fetch/multipart).
'use strict';

const { whenBunIsUsed } = require('internal/bun_use');
const { forbidCloning } = require('internal/messaging/symbols');
const { codes: { ERR_INVALID_THIS } } = require('internal/errors');
const { finishClass, isObject } = require('web/streams/webidl_utils');
const { checkArguments, defineIterators, illegalInvocation, defineInspect } = require('web/fetch/webidl');
const { isBlob } = require('internal/blob');

const { toObject } = require('internal/url/pairs');

const internals = {};

function createEntry(name, value, filename) {
  if (!isBlob(value)) return [name, value];
  const { File } = require('internal/file');
  if (value instanceof File && filename === undefined) return [name, value];
  const options = { type: value.type, lastModified: value instanceof File ? value.lastModified : undefined };
  return [name, new File([value], filename ?? nameOf(value), options)];
}

/** Of a file of Bun its name without directories: those stay on this machine. */
const nameOf = (blob) => (typeof blob.name === 'string' ? require('path').basename(blob.name) : 'blob');

/** Validates the arguments of `append` or `set` and creates an entry. */
function entryFromArguments(args, where) {
  checkArguments(args, 2, where);
  const [name, value] = args;
  if (args.length > 2 && !isBlob(value)) {
    throw new TypeError(`${where}: Expected value ("${typeof value === 'string' ? `"${value}"` : String(value)}") to be an instance of Blob.`);
  }
  const filename = args.length > 2 ? `${args[2]}`.toWellFormed() : undefined;
  return createEntry(`${name}`.toWellFormed(), isBlob(value) ? value : `${value}`.toWellFormed(), filename);
}

class FormData {
  #entries = [];

  constructor(form = undefined) {
    if (form !== undefined) throw new TypeError('FormData constructor: Argument 1 could not be converted to: undefined.');
  }

  static #brandCheck(form) {
    if (!isObject(form) || !(#entries in form)) throw illegalInvocation(new ERR_INVALID_THIS('FormData'));
    return form;
  }

  static {
    internals.is = (value) => isObject(value) && #entries in value;
    internals.entriesOf = (form) => FormData.#brandCheck(form).#entries;
  }

  append(name, value, filename = undefined) {
    FormData.#brandCheck(this);
    this.#entries.push(entryFromArguments(arguments, 'FormData.append'));
  }

  delete(name) {
    FormData.#brandCheck(this);
    checkArguments(arguments, 1, 'FormData.delete');
    name = `${name}`.toWellFormed();
    this.#entries = this.#entries.filter((entry) => entry[0] !== name);
  }

  get(name) {
    FormData.#brandCheck(this);
    checkArguments(arguments, 1, 'FormData.get');
    name = `${name}`.toWellFormed();
    return this.#entries.find((entry) => entry[0] === name)?.[1] ?? null;
  }

  getAll(name) {
    FormData.#brandCheck(this);
    checkArguments(arguments, 1, 'FormData.getAll');
    name = `${name}`.toWellFormed();
    return this.#entries.filter((entry) => entry[0] === name).map((entry) => entry[1]);
  }

  has(name) {
    FormData.#brandCheck(this);
    checkArguments(arguments, 1, 'FormData.has');
    name = `${name}`.toWellFormed();
    return this.#entries.some((entry) => entry[0] === name);
  }

  set(name, value, filename = undefined) {
    FormData.#brandCheck(this);
    const newEntry = entryFromArguments(arguments, 'FormData.set');
    const index = this.#entries.findIndex((entry) => entry[0] === newEntry[0]);
    if (index === -1) {
      this.#entries.push(newEntry);
      return;
    }
    this.#entries = this.#entries.filter((entry, i) => i < index || entry[0] !== newEntry[0]);
    this.#entries.splice(index, 0, newEntry);
  }
}

defineIterators(FormData, (form) => internals.entriesOf(form));
finishClass(FormData);
defineInspect(FormData, (form) => toObject(internals.entriesOf(form)));

// Members of bun. With a length the object looks like an array to some libraries.
const bunMembers = {
  get length() { return internals.entriesOf(this).length; },
  toJSON() { return toObject(internals.entriesOf(this)); },
  from(input, boundary) { return require('web/fetch/multipart').fromText(input, boundary); },
};
const { length, toJSON, from } = Object.getOwnPropertyDescriptors(bunMembers);
Object.defineProperty(FormData.prototype, 'toJSON', { ...toJSON, enumerable: false });
Object.defineProperty(FormData, 'from', { ...from, enumerable: false });
whenBunIsUsed(() => Object.defineProperty(FormData.prototype, 'length', length));

forbidCloning(FormData, 'has');

module.exports = { FormData, entriesOf: internals.entriesOf, isFormData: internals.is };
