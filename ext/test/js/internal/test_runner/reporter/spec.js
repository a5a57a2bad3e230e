// Spec reporter: a tree of results for people. In: events. Out: a line for each test below its
// parents, then the failed tests with their errors.
'use strict';

const { Transform } = require('stream');
const { SYMBOLS, indent, isDirectFailure, paint, renderTest } = require('internal/test_runner/reporter/style');

class SpecReporter extends Transform {
  #started = [];
  #failures = [];

  constructor() { super({ writableObjectMode: true }); }

  _transform({ type, data }, encoding, callback) {
    callback(null, this.#render(type, data));
  }

  _flush(callback) {
    if (this.#failures.length === 0) return callback(null, '');
    const parts = [`\n${paint('red', `${SYMBOLS.fail}failing tests:`)}\n`];
    for (const { kind, data } of this.#failures) {
      const { file, line, column } = data;
      if (file !== undefined) parts.push(`test at ${require('path').relative(require('process').cwd(), file)}:${line}:${column}`);
      parts.push(renderTest(kind, data, '', true));
    }
    callback(null, parts.join('\n'));
  }

  #render(type, data) {
    switch (type) {
      case 'test:start':
        this.#started.unshift(data);
        return undefined;
      case 'test:pass':
      case 'test:fail': {
        const kind = type.slice(5);
        if (kind === 'fail' && isDirectFailure(data)) this.#failures.push({ kind, data });
        return this.#result(kind, data);
      }
      case 'test:diagnostic': {
        const color = { __proto__: null, error: 'red', warn: 'yellow' }[data.level] ?? 'blue';
        return `${indent(data.nesting)}${paint(color, `${SYMBOLS.info}${data.message}`)}\n`;
      }
      case 'test:coverage':
        return require('internal/test_runner/reporter/coverage_table').renderCoverage(data.summary, `${indent(data.nesting)}${SYMBOLS.info}`);
      case 'test:stderr':
      case 'test:stdout':
        return data.message;
      default:
        return undefined;
    }
  }

  /** Lines of started parents that are not printed yet come first. */
  #result(kind, data) {
    const at = this.#started.findIndex((started) => started.nesting === data.nesting && started.name === data.name);
    if (at !== -1) this.#started.splice(at, 1);
    let text = '';
    for (const parent of this.#started.toReversed()) {
      if (parent.isPrinted || parent.nesting >= data.nesting) continue;
      parent.isPrinted = true;
      text += `${indent(parent.nesting)}${SYMBOLS.arrow}${parent.name}\n`;
    }
    return `${text}${renderTest(kind, data, indent(data.nesting))}\n`;
  }
}

module.exports = { make: () => new SpecReporter() };
