// `spec`: a tree for people. In: events. Out: a line for each test within its parents, then the
// failed ones with their errors.
'use strict';

const { Transform } = require('stream');
const { SIGNS, indent, isOwnFailure, paint, renderTest } = require('internal/test_runner/reporters/style');

class SpecReporter extends Transform {
  #begun = [];
  #failed = [];

  constructor() { super({ writableObjectMode: true }); }

  _transform({ type, data }, encoding, callback) {
    callback(null, this.#render(type, data));
  }

  _flush(callback) {
    if (this.#failed.length === 0) return callback(null, '');
    const parts = [`\n${paint('red', `${SIGNS.fail}failing tests:`)}\n`];
    for (const { kind, data } of this.#failed) {
      const { file, line, column } = data;
      if (file !== undefined) parts.push(`test at ${require('path').relative(require('process').cwd(), file)}:${line}:${column}`);
      parts.push(renderTest(kind, data, '', true));
    }
    callback(null, parts.join('\n'));
  }

  #render(type, data) {
    switch (type) {
      case 'test:start':
        this.#begun.unshift(data);
        return undefined;
      case 'test:pass':
      case 'test:fail': {
        const kind = type.slice(5);
        if (kind === 'fail' && isOwnFailure(data)) this.#failed.push({ kind, data });
        return this.#result(kind, data);
      }
      case 'test:diagnostic': {
        const color = { __proto__: null, error: 'red', warn: 'yellow' }[data.level] ?? 'blue';
        return `${indent(data.nesting)}${paint(color, `${SIGNS.info}${data.message}`)}\n`;
      }
      case 'test:stderr':
      case 'test:stdout':
        return data.message;
      default:
        return undefined;
    }
  }

  /** The parents that have begun and were not told yet come first. */
  #result(kind, data) {
    const at = this.#begun.findIndex((begun) => begun.nesting === data.nesting && begun.name === data.name);
    if (at !== -1) this.#begun.splice(at, 1);
    let text = '';
    for (const parent of this.#begun.toReversed()) {
      if (parent.isTold || parent.nesting >= data.nesting) continue;
      parent.isTold = true;
      text += `${indent(parent.nesting)}${SIGNS.arrow}${parent.name}\n`;
    }
    return `${text}${renderTest(kind, data, indent(data.nesting))}\n`;
  }
}

module.exports = { make: () => new SpecReporter() };
