// `readlinePromises.Readline`: a queue of terminal escape codes that are written together. In: a
// stream. Out: a promise of the write.
'use strict';

const process = require('process');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateBoolean, validateInteger } = require('internal/validators');
const { isWritable } = require('internal/streams/utils');
const { CSI } = require('internal/readline/utils');
const { clearCode, moveCode } = require('internal/readline/callbacks');

class Readline {
  #autoCommit = false;
  #stream;
  #todo = [];

  constructor(stream, options = undefined) {
    if (!isWritable(stream)) {
      throw new ERR_INVALID_ARG_TYPE('stream', 'Writable', stream);
    }
    this.#stream = stream;
    if (options?.autoCommit != null) {
      validateBoolean(options.autoCommit, 'options.autoCommit');
      this.#autoCommit = options.autoCommit;
    }
  }

  #add(code) {
    if (this.#autoCommit) {
      process.nextTick(() => this.#stream.write(code));
    } else {
      this.#todo.push(code);
    }
    return this;
  }

  cursorTo(x, y = undefined) {
    validateInteger(x, 'x');
    if (y != null) {
      validateInteger(y, 'y');
    }
    return this.#add(y == null ? CSI`${x + 1}G` : CSI`${y + 1};${x + 1}H`);
  }

  moveCursor(dx, dy) {
    if (dx || dy) {
      validateInteger(dx, 'dx');
      validateInteger(dy, 'dy');
      this.#add(moveCode(dx, dy));
    }
    return this;
  }

  clearLine(dir) {
    validateInteger(dir, 'dir', -1, 1);
    return this.#add(clearCode(dir));
  }

  clearScreenDown() {
    return this.#add(CSI.kClearScreenDown);
  }

  commit() {
    return new Promise((resolve) => {
      this.#stream.write(this.#todo.join(''), resolve);
      this.#todo = [];
    });
  }

  rollback() {
    this.#todo = [];
    return this;
  }
}

module.exports = { Readline };
