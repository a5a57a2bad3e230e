// `Bun.Terminal`: a pseudo-terminal, as who sits at it has it. In: a size, and functions for what
// programs write there. Out: what is typed, the size, the modes. Absent: what the bytes mean to a
// screen.
'use strict';

const { viewOf } = require('internal/bun/bytes');
const { showMembers } = require('internal/bun/members');
const { wrongType } = require('internal/bun/program');
const { Handle } = require('internal/io/stream_handle');
const binding = internalBinding('child_process').terminal;

const COLUMNS = 80;
const ROWS = 24;
/** The kernel has 16 bits for it. */
const SIZE_MAX = 65535;
/** Bytes that were typed and that no program has read. */
const UNREAD_MAX = 64 * 1024 * 1024;

/** How it ended: the other side was hung up, or we were. */
const CLOSED = 0;
const LOST = 1;

const MODES = ['inputFlags', 'outputFlags', 'controlFlags', 'localFlags'];

const inner = {};

const isSize = (value) => Number.isInteger(value) && value > 0 && value <= SIZE_MAX;
const functionOf = (value) => (typeof value === 'function' ? value : undefined);

class Terminal {
  #own;
  #handle;
  #data;
  #exit;
  #drain;
  #unread = 0;
  #isClosed = false;
  #isOver = false;

  constructor(options, token) {
    if (options === null || typeof options !== 'object') throw new Error('Terminal constructor requires an options object');
    const { cols, rows, name } = options;
    if (name !== undefined && name !== null && typeof name !== 'string') {
      throw wrongType(`The "name" property must be of type string, got ${typeof name}`);
    }
    this.#data = functionOf(options.data);
    this.#exit = functionOf(options.exit);
    this.#drain = functionOf(options.drain);
    const made = binding.open(isSize(cols) ? cols : COLUMNS, isSize(rows) ? rows : ROWS, token !== inner);
    if (typeof made === 'number') throw require('internal/bun/spawn_failure').systemFailure(made, 'openpty');
    [this.#own] = made;
    this.#handle = new Handle(made[1], 'PTY');
    this.#handle.onread = (value) => this.#take(value);
    this.#handle.readStart();
  }

  static {
    inner.native = (terminal) => terminal.#own;
    inner.is = (value) => typeof value === 'object' && value !== null && #own in value;
    inner.isClosed = (terminal) => terminal.#isClosed || terminal.#isOver;
  }

  #take(value) {
    if (value !== null && typeof value !== 'number') {
      const { Buffer } = require('buffer');
      this.#data?.(this, Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      return;
    }
    this.#handle.close();
    this.#end(LOST);
  }

  #end(how) {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#exit) require('process').nextTick(() => this.#exit(this, how, null));
  }

  get closed() { return this.#isClosed; }

  #check() {
    if (this.#isClosed) throw new Error('Terminal is closed');
  }

  /** How many bytes were taken: all of them. */
  write(piece) {
    this.#check();
    const view = typeof piece === 'string' ? new (require('web/encoding').TextEncoder)().encode(piece) : viewOf(piece);
    if (view === undefined) throw new Error('write() argument must be a string or ArrayBuffer');
    if (view.length === 0 || this.#isOver) return 0;
    if (this.#unread + view.length > UNREAD_MAX) throw new RangeError(`more than ${UNREAD_MAX} bytes wait to be read`);
    this.#unread += view.length;
    let isNow = true;
    this.#handle.write(view, () => {
      this.#unread -= view.length;
      if (!isNow && this.#unread === 0) this.#drain?.(this);
    });
    isNow = false;
    return view.length;
  }

  resize(cols, rows) {
    this.#check();
    if (!isSize(cols)) throw new Error('resize() requires valid cols argument');
    if (!isSize(rows)) throw new Error('resize() requires valid rows argument');
    this.#answer(binding.resize(this.#own, cols, rows), 'ioctl');
  }

  setRawMode(isRaw) {
    this.#check();
    this.#answer(binding.setRaw(this.#own, Boolean(isRaw)), 'tcsetattr');
  }

  #answer(errno, call) {
    if (errno < 0) throw require('internal/bun/spawn_failure').systemFailure(errno, call);
  }

  static {
    inner.modes = (terminal) => {
      const modes = terminal.#isClosed ? 0 : binding.modes(terminal.#own);
      return typeof modes === 'number' ? [0, 0, 0, 0] : modes;
    };
    inner.setModes = (terminal, index, flags) => {
      if (!terminal.#isClosed) binding.setModes(terminal.#own, index, flags);
    };
  }

  ref() { this.#handle.ref(); }
  unref() { this.#handle.unref(); }

  /** Programs that are there still are hung up. */
  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#handle.close();
    binding.close(this.#own);
    this.#end(CLOSED);
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() { this.close(); }
}
MODES.forEach((name, index) => {
  Object.defineProperty(Terminal.prototype, name, {
    __proto__: null, configurable: true, enumerable: true,
    get() { return inner.modes(this)[index]; },
    set(flags) { inner.setModes(this, index, Number(flags)); },
  });
});
showMembers(Terminal);
Object.defineProperty(Terminal, 'length', { value: 0, configurable: true });

/** The option `terminal`: one that is there, or one that is made for this child. */
function terminalFor(given) {
  if (inner.is(given)) {
    if (inner.isClosed(given)) throw wrongType('terminal is closed');
    return { terminal: given, isOwn: false };
  }
  if (typeof given !== 'object') throw wrongType('terminal must be a Terminal object or options object');
  return { terminal: new Terminal(given, inner), isOwn: true };
}

module.exports = { Terminal, nativeOf: inner.native, terminalFor };
