// Messages of a build: `BuildMessage` and `ResolveMessage`. In: parts of a message from the
// binding. Out: objects with Bun's members. They are not instances of Error, as in Bun.
'use strict';

const kInspect = Symbol.for('nodejs.util.inspect.custom');

class BuildMessage {
  /** Errors of imports are instances, too. */
  static [Symbol.hasInstance](value) {
    return Function.prototype[Symbol.hasInstance].call(this, value) || require('internal/esm/bun_messages').isMessage(value, this.name);
  }

  constructor(parts, level) {
    const [code, message, notes, hint, , , file, line, column, lineText, length, offset] = parts;
    this.name = 'BuildMessage';
    this.level = level;
    this.code = code;
    this.message = message;
    this.notes = hint === undefined ? notes : [...notes, `hint: ${hint}`];
    this.position = file === undefined ? null : { lineText, file, namespace: 'file', line, column, length, offset };
    for (const name of ['name', 'level', 'code', 'notes', 'position']) Object.defineProperty(this, name, { enumerable: false });
  }

  toString() { return `${this.name}: ${this.message}`; }
  toJSON() { return { name: this.name, message: this.message, level: this.level, position: this.position }; }
  [Symbol.toPrimitive](hint) { return hint === 'number' ? null : this.toString(); }

  [kInspect]() {
    const { position } = this;
    const place = position === null ? [] : [
      `    at ${position.file}:${position.line}:${position.column}`,
      `${position.line} | ${position.lineText}`,
    ];
    return [`${this.name}: ${this.message}`, ...place, ...this.notes.map((note) => `  ${note}`)].join('\n');
  }
}

class ResolveMessage extends BuildMessage {
  constructor(parts, level) {
    super(parts, level);
    const values = {
      name: 'ResolveMessage',
      // As in bun.
      message: parts[0] === 'build-resolve' ? `Could not resolve: "${parts[4]}"` : parts[1],
      code: parts[5] === 'require-call' ? 'MODULE_NOT_FOUND' : 'ERR_MODULE_NOT_FOUND',
      specifier: parts[4],
      referrer: parts[6] ?? '',
      importKind: parts[5],
    };
    for (const [name, value] of Object.entries(values)) {
      Object.defineProperty(this, name, { value, writable: true, enumerable: false, configurable: true });
    }
  }
}

/** `level`: 'error' or 'warning'. */
const messageOf = (parts, level) => (parts[4] === undefined ? new BuildMessage(parts, level) : new ResolveMessage(parts, level));

module.exports = { BuildMessage, ResolveMessage, messageOf };
