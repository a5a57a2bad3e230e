// FormData: XMLHttpRequest Standard 4. In: names with strings or files. Out: a list of them in
// their order. Absent: forms, for there are none; how it is written and read (web/fetch/multipart).
'use strict';

const { forbidCloning } = require('internal/messaging/symbols');
const { codes: { ERR_INVALID_THIS } } = require('internal/errors');
const { finishClass, isObject } = require('web/streams/webidl_utils');
const { checkArguments, defineIterators, illegal, showMembers } = require('web/fetch/webidl');
const { isBlob } = require('internal/blob');

const inner = {};

function entry(name, value, filename) {
  if (!isBlob(value)) return [name, value];
  const { File } = require('internal/file');
  if (value instanceof File && filename === undefined) return [name, value];
  const options = { type: value.type, lastModified: value instanceof File ? value.lastModified : undefined };
  return [name, new File([value], filename ?? 'blob', options)];
}

/** The arguments of `append` and `set`, as they are kept. */
function entryOf(args, where) {
  checkArguments(args, 2, where);
  const [name, value] = args;
  if (args.length > 2 && !isBlob(value)) {
    throw new TypeError(`${where}: Expected value ("${typeof value === 'string' ? `"${value}"` : String(value)}") to be an instance of Blob.`);
  }
  const filename = args.length > 2 ? `${args[2]}`.toWellFormed() : undefined;
  return entry(`${name}`.toWellFormed(), isBlob(value) ? value : `${value}`.toWellFormed(), filename);
}

class FormData {
  #entries = [];

  constructor(form = undefined) {
    if (form !== undefined) throw new TypeError('FormData constructor: Argument 1 could not be converted to: undefined.');
  }

  static #of(form) {
    if (!isObject(form) || !(#entries in form)) throw illegal(new ERR_INVALID_THIS('FormData'));
    return form;
  }

  static {
    inner.is = (value) => isObject(value) && #entries in value;
    inner.entriesOf = (form) => FormData.#of(form).#entries;
  }

  append(name, value, filename = undefined) {
    FormData.#of(this);
    this.#entries.push(entryOf(arguments, 'FormData.append'));
  }

  delete(name) {
    FormData.#of(this);
    checkArguments(arguments, 1, 'FormData.delete');
    name = `${name}`.toWellFormed();
    this.#entries = this.#entries.filter((pair) => pair[0] !== name);
  }

  get(name) {
    FormData.#of(this);
    checkArguments(arguments, 1, 'FormData.get');
    name = `${name}`.toWellFormed();
    return this.#entries.find((pair) => pair[0] === name)?.[1] ?? null;
  }

  getAll(name) {
    FormData.#of(this);
    checkArguments(arguments, 1, 'FormData.getAll');
    name = `${name}`.toWellFormed();
    return this.#entries.filter((pair) => pair[0] === name).map((pair) => pair[1]);
  }

  has(name) {
    FormData.#of(this);
    checkArguments(arguments, 1, 'FormData.has');
    name = `${name}`.toWellFormed();
    return this.#entries.some((pair) => pair[0] === name);
  }

  set(name, value, filename = undefined) {
    FormData.#of(this);
    const own = entryOf(arguments, 'FormData.set');
    const at = this.#entries.findIndex((pair) => pair[0] === own[0]);
    if (at === -1) {
      this.#entries.push(own);
      return;
    }
    this.#entries = this.#entries.filter((pair, i) => i < at || pair[0] !== own[0]);
    this.#entries.splice(at, 0, own);
  }
}

defineIterators(FormData, (form) => inner.entriesOf(form));
finishClass(FormData);
showMembers(FormData, (form) => {
  const shown = {};
  for (const [name, value] of inner.entriesOf(form)) {
    if (!Object.hasOwn(shown, name)) shown[name] = value;
    else if (Array.isArray(shown[name])) shown[name].push(value);
    else shown[name] = [shown[name], value];
  }
  return shown;
});

forbidCloning(FormData, 'has');

module.exports = { FormData, entriesOf: inner.entriesOf, isFormData: inner.is };
