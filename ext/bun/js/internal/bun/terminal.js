// `Bun.Terminal`: the controlling side of a pseudo-terminal (pty(7)). In: a size, and callbacks for
// the programs' output. Out: input for the programs, the window size, the terminal modes
// (termios(3)). Absent: interpretation of escape sequences.
'use strict';

const { toUint8Array } = require('internal/bun/bytes');
const { showMembers } = require('internal/bun/inspect_members');
const { invalidArgType } = require('internal/bun/environment');
const { Handle } = require('internal/io/stream_handle');
const binding = internalBinding('child_process').terminal;

const COLUMNS = 80;
const ROWS = 24;
/** `struct winsize` has 16 bits. */
const SIZE_MAX = 65535;
/** Limit of input that no program has read, in bytes. */
const UNREAD_BYTES_MAX = 64 * 1024 * 1024;

/** The exit callback's argument: closed by this side, or by the programs' side. */
const CLOSED = 0;
const HUNG_UP = 1;

const MODES = ['inputFlags', 'outputFlags', 'controlFlags', 'localFlags'];

const internals = {};

const isSize = (value) => Number.isInteger(value) && value > 0 && value <= SIZE_MAX;
const functionOf = (value) => (typeof value === 'function' ? value : undefined);

class Terminal {
  #native;
  #handle;
  #data;
  #exit;
  #drain;
  #unread = 0;
  #isClosed = false;
  #isEnded = false;

  constructor(options, token) {
    if (options === null || typeof options !== 'object') throw new Error('Terminal constructor requires an options object');
    const { cols, rows, name } = options;
    if (name !== undefined && name !== null && typeof name !== 'string') {
      throw invalidArgType(`The "name" property must be of type string, got ${typeof name}`);
    }
    this.#data = functionOf(options.data);
    this.#exit = functionOf(options.exit);
    this.#drain = functionOf(options.drain);
    const result = binding.open(isSize(cols) ? cols : COLUMNS, isSize(rows) ? rows : ROWS, token !== internals);
    if (typeof result === 'number') throw require('internal/bun/spawn_error').systemError(result, 'openpty');
    [this.#native] = result;
    this.#handle = new Handle(result[1], 'PTY');
    this.#handle.onread = (value) => this.#onread(value);
    this.#handle.readStart();
  }

  static {
    internals.native = (terminal) => terminal.#native;
    internals.is = (value) => typeof value === 'object' && value !== null && #native in value;
    internals.isClosed = (terminal) => terminal.#isClosed || terminal.#isEnded;
  }

  #onread(value) {
    if (value !== null && typeof value !== 'number') {
      const { Buffer } = require('buffer');
      this.#data?.(this, Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      return;
    }
    this.#handle.close();
    this.#end(HUNG_UP);
  }

  #end(reason) {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (this.#exit) require('process').nextTick(() => this.#exit(this, reason, null));
  }

  get closed() { return this.#isClosed; }

  #check() {
    if (this.#isClosed) throw new Error('Terminal is closed');
  }

  /** Returns the number of accepted bytes: all of them. */
  write(data) {
    this.#check();
    const view = typeof data === 'string' ? new (require('web/encoding').TextEncoder)().encode(data) : toUint8Array(data);
    if (view === undefined) throw new Error('write() argument must be a string or ArrayBuffer');
    if (view.length === 0 || this.#isEnded) return 0;
    if (this.#unread + view.length > UNREAD_BYTES_MAX) throw new RangeError(`more than ${UNREAD_BYTES_MAX} bytes wait to be read`);
    this.#unread += view.length;
    let isSync = true;
    this.#handle.write(view, () => {
      this.#unread -= view.length;
      if (!isSync && this.#unread === 0) this.#drain?.(this);
    });
    isSync = false;
    return view.length;
  }

  resize(cols, rows) {
    this.#check();
    if (!isSize(cols)) throw new Error('resize() requires valid cols argument');
    if (!isSize(rows)) throw new Error('resize() requires valid rows argument');
    this.#checkErrno(binding.resize(this.#native, cols, rows), 'ioctl');
  }

  setRawMode(isRaw) {
    this.#check();
    this.#checkErrno(binding.setRaw(this.#native, Boolean(isRaw)), 'tcsetattr');
  }

  #checkErrno(errno, syscall) {
    if (errno < 0) throw require('internal/bun/spawn_error').systemError(errno, syscall);
  }

  static {
    internals.modes = (terminal) => {
      const modes = terminal.#isClosed ? 0 : binding.modes(terminal.#native);
      return typeof modes === 'number' ? [0, 0, 0, 0] : modes;
    };
    internals.setModes = (terminal, index, flags) => {
      if (!terminal.#isClosed) binding.setModes(terminal.#native, index, flags);
    };
  }

  ref() { this.#handle.ref(); }
  unref() { this.#handle.unref(); }

  /** Programs that still run get SIGHUP. */
  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#handle.close();
    binding.close(this.#native);
    this.#end(CLOSED);
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() { this.close(); }
}
MODES.forEach((name, index) => {
  Object.defineProperty(Terminal.prototype, name, {
    __proto__: null, configurable: true, enumerable: true,
    get() { return internals.modes(this)[index]; },
    set(flags) { internals.setModes(this, index, Number(flags)); },
  });
});
showMembers(Terminal);
Object.defineProperty(Terminal, 'length', { value: 0, configurable: true });

/** The option `terminal` of Bun.spawn: an existing terminal, or options for a new one. */
function terminalFor(option) {
  if (internals.is(option)) {
    if (internals.isClosed(option)) throw invalidArgType('terminal is closed');
    return { terminal: option, isOwn: false };
  }
  if (typeof option !== 'object') throw invalidArgType('terminal must be a Terminal object or options object');
  return { terminal: new Terminal(option, internals), isOwn: true };
}

module.exports = { Terminal, nativeOf: internals.native, terminalFor };
