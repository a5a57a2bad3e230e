// DOMException: the Web IDL Standard 2.8.1. In: a message, a name. Out: an object that is an Error
// for every test; name, message and code are accessors of the prototype.
'use strict';

const { codes } = require('internal/errors');
const { captureStackTrace, withoutStack } = require('internal/stack');

// [name, constant], in the order of their codes from 1. No name: the exception is historical.
const LEGACY = [
  ['IndexSizeError', 'INDEX_SIZE_ERR'], [, 'DOMSTRING_SIZE_ERR'], ['HierarchyRequestError', 'HIERARCHY_REQUEST_ERR'],
  ['WrongDocumentError', 'WRONG_DOCUMENT_ERR'], ['InvalidCharacterError', 'INVALID_CHARACTER_ERR'],
  [, 'NO_DATA_ALLOWED_ERR'], ['NoModificationAllowedError', 'NO_MODIFICATION_ALLOWED_ERR'],
  ['NotFoundError', 'NOT_FOUND_ERR'], ['NotSupportedError', 'NOT_SUPPORTED_ERR'],
  ['InUseAttributeError', 'INUSE_ATTRIBUTE_ERR'], ['InvalidStateError', 'INVALID_STATE_ERR'],
  ['SyntaxError', 'SYNTAX_ERR'], ['InvalidModificationError', 'INVALID_MODIFICATION_ERR'],
  ['NamespaceError', 'NAMESPACE_ERR'], ['InvalidAccessError', 'INVALID_ACCESS_ERR'], [, 'VALIDATION_ERR'],
  ['TypeMismatchError', 'TYPE_MISMATCH_ERR'], ['SecurityError', 'SECURITY_ERR'], ['NetworkError', 'NETWORK_ERR'],
  ['AbortError', 'ABORT_ERR'], ['URLMismatchError', 'URL_MISMATCH_ERR'], ['QuotaExceededError', 'QUOTA_EXCEEDED_ERR'],
  ['TimeoutError', 'TIMEOUT_ERR'], ['InvalidNodeTypeError', 'INVALID_NODE_TYPE_ERR'], ['DataCloneError', 'DATA_CLONE_ERR'],
];
const CODES = new Map(LEGACY.map(([name], index) => [name, index + 1]));

// Adds private fields to the object that its constructor returns.
class ReturnedObject {
  constructor(object) { return object; }
}

class InternalSlots extends ReturnedObject {
  #name;
  #message;

  constructor(object, name, message) {
    super(object);
    this.#name = name;
    this.#message = message;
  }

  static name(object) { return InternalSlots.#of(object).#name; }
  static message(object) { return InternalSlots.#of(object).#message; }
  static has(object) { return typeof object === 'object' && object !== null && #name in object; }

  static #of(object) {
    if (!InternalSlots.has(object)) throw new codes.ERR_INVALID_THIS('DOMException');
    return object;
  }
}

const NativeError = Error;

class DOMException {
  constructor(message = '', options = 'Error') {
    message = `${message}`;
    let name = options;
    const hasCause = options !== null && typeof options === 'object' && 'cause' in options;
    if (options !== null && typeof options === 'object') name = options.name ?? 'Error';
    name = `${name}`;
    // Made by the Error constructor, so that every test for errors recognizes it.
    const error = withoutStack(new.target);
    new InternalSlots(error, name, message);
    captureStackTrace(error, new.target);
    if (hasCause) {
      Object.defineProperty(error, 'cause', {
        __proto__: null, value: options.cause, configurable: true, writable: true, enumerable: false,
      });
    }
    return error;
  }

  get name() { return InternalSlots.name(this); }
  get message() { return InternalSlots.message(this); }
  get code() { return CODES.get(InternalSlots.name(this)) ?? 0; }
}

Object.setPrototypeOf(DOMException.prototype, NativeError.prototype);
Object.defineProperties(DOMException.prototype, {
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'DOMException' },
  name: { __proto__: null, enumerable: true },
  message: { __proto__: null, enumerable: true },
  code: { __proto__: null, enumerable: true },
});
LEGACY.forEach(([, constant], index) => {
  const property = { __proto__: null, enumerable: true, value: index + 1 };
  Object.defineProperty(DOMException, constant, property);
  Object.defineProperty(DOMException.prototype, constant, property);
});

module.exports = { DOMException, isDOMException: InternalSlots.has };
