// `File`, as in the File API. In: the parts of a Blob, a name. Out: a Blob with a name and a time.
'use strict';

const { codes } = require('internal/errors');
const { Blob } = require('internal/blob');
const { kClone, kSerialize } = require('internal/messaging/symbols');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

class File extends Blob {
  #name;
  #lastModified;

  constructor(fileBits, fileName, options = undefined) {
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('fileBits', 'fileName');
    super(fileBits, options);
    let { lastModified = Date.now() } = options ?? {};
    this.#name = `${fileName}`.toWellFormed();
    // Converted as a Web IDL `long long`.
    lastModified = Math.trunc(+lastModified) || 0;
    this.#lastModified = Number.isFinite(lastModified) ? lastModified : 0;
  }

  static #of(file) {
    if (typeof file !== 'object' || file === null || !(#name in file)) {
      throw new TypeError('Cannot read private member #name from an object whose class did not declare it');
    }
    return file;
  }

  get name() { return File.#of(this).#name; }
  get lastModified() { return File.#of(this).#lastModified; }

  [kClone]() {
    const blob = super[kClone]();
    return blob && new File([blob], this.#name, { type: blob.type, lastModified: this.#lastModified });
  }

  [kSerialize]() {
    const blob = super[kSerialize]();
    return blob && { type: 'File', data: { ...blob.data, name: this.#name, lastModified: this.#lastModified } };
  }

  [kInspect](depth, options) {
    if (depth < 0) return `[${this.constructor.name}]`;
    const { inspect } = require('internal/util/inspect');
    const { size, type } = this;
    return `File ${inspect({ size, type, name: this.#name, lastModified: this.#lastModified }, {
      ...options, depth: options.depth == null ? null : options.depth - 1,
    })}`;
  }
}

for (const name of ['name', 'lastModified']) Object.defineProperty(File.prototype, name, { __proto__: null, enumerable: true });
Object.defineProperty(File.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'File' });

module.exports = { File };
