// DOMException. In: a message, a name. Out: an Error by all tests, whose name, message and code are
// not its own properties.
'use strict';

const { codes } = require('internal/errors');
const { captureStackTrace, withoutStack } = require('internal/stack');

// [name, constant], in the order of their codes from 1; no name: nobody throws it any more.
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

// Gives an object fields that only this file sees.
class Given {
  constructor(object) { return object; }
}

class Parts extends Given {
  #name;
  #message;

  constructor(object, name, message) {
    super(object);
    this.#name = name;
    this.#message = message;
  }

  static name(object) { return Parts.#of(object).#name; }
  static message(object) { return Parts.#of(object).#message; }
  static has(object) { return typeof object === 'object' && object !== null && #name in object; }

  static #of(object) {
    if (!Parts.has(object)) throw new codes.ERR_INVALID_THIS('DOMException');
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
    // What is made as an Error is one wherever it is asked.
    const error = withoutStack(new.target);
    new Parts(error, name, message);
    captureStackTrace(error, new.target);
    if (hasCause) {
      Object.defineProperty(error, 'cause', {
        __proto__: null, value: options.cause, configurable: true, writable: true, enumerable: false,
      });
    }
    return error;
  }

  get name() { return Parts.name(this); }
  get message() { return Parts.message(this); }
  get code() { return CODES.get(Parts.name(this)) ?? 0; }
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

module.exports = { DOMException, isDOMException: Parts.has };
