// Errors of Node's modules in browsers. In: a code's arguments. Out: errors with `code`, as Node
// has them. Absent: codes that no module here throws.
'use strict';

const messages = {
  ERR_INVALID_ARG_TYPE: [TypeError, (name, expected, value) =>
    `The "${name}" ${name.includes('.') ? 'property' : 'argument'} must be ${expectation(expected)}. Received ${received(value)}`],
  ERR_INVALID_ARG_VALUE: [TypeError, (name, value, reason = 'is invalid') => `The argument '${name}' ${reason}. Received ${String(value)}`],
  ERR_OUT_OF_RANGE: [RangeError, (name, range, value) => `The value of "${name}" is out of range. It must be ${range}. Received ${String(value)}`],
  ERR_INVALID_URI: [URIError, () => 'URI malformed'],
  ERR_INVALID_URL: [TypeError, () => 'Invalid URL'],
  ERR_UNKNOWN_ENCODING: [TypeError, (encoding) => `Unknown encoding: ${encoding}`],
  ERR_BUFFER_OUT_OF_BOUNDS: [RangeError, () => 'Attempt to access memory outside buffer bounds'],
  ERR_UNHANDLED_ERROR: [Error, (value) => `Unhandled error. (${String(value)})`],
  ERR_STREAM_PREMATURE_CLOSE: [Error, () => 'Premature close'],
  ERR_STREAM_WRITE_AFTER_END: [Error, () => 'write after end'],
  ERR_STREAM_PUSH_AFTER_EOF: [Error, () => 'stream.push() after EOF'],
  ERR_METHOD_NOT_IMPLEMENTED: [Error, (name) => `The ${name} method is not implemented`],
};

function expectation(expected) {
  const types = [].concat(expected);
  return types.every((type) => /^[a-z]/.test(type)) ? `of type ${types.join(' or ')}` : `one of ${types.join(', ')}`;
}

function received(value) {
  if (value == null) return String(value);
  if (typeof value === 'function') return `function ${value.name}`;
  if (typeof value === 'object') return `an instance of ${value.constructor?.name ?? 'Object'}`;
  return `type ${typeof value} (${typeof value === 'string' ? `'${value}'` : String(value)})`;
}

const codes = {};
for (const [code, [Base, message]] of Object.entries(messages)) {
  codes[code] = class extends Base {
    constructor(...values) {
      super(message(...values));
      this.code = code;
    }

    get name() { return Base.name; }

    toString() { return `${Base.name} [${code}]: ${this.message}`; }
  };
}

class AbortError extends Error {
  constructor(message = 'The operation was aborted', options) {
    super(message, options);
    this.name = 'AbortError';
    this.code = 'ABORT_ERR';
  }
}

module.exports = { codes, AbortError };
