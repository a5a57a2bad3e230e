// `readline.Interface`: reads lines of a stream. In: an input, an output for prompts and for the
// edited line. Out: 'line' events, answers to questions, an async iterator. Absent: editing
// (editing.js), keys (keys.js), the public APIs with callbacks and promises (readline,
// readline/promises).
'use strict';

const process = require('process');
const EventEmitter = require('events');
const { kFirstArgument } = require('internal/events/symbols');
const { codes: { ERR_INVALID_ARG_VALUE, ERR_USE_AFTER_CLOSE } } = require('internal/errors');
const {
  validateAbortSignal, validateArray, validateNumber, validateString, validateUint32,
} = require('internal/validators');
const { lineEnding } = require('internal/readline/utils');
const { emitKeypressEvents, ESCAPE_CODE_TIMEOUT_MS } = require('internal/readline/keypress');
const editing = require('internal/readline/editing');

const HISTORY_SIZE = 30;
/** How long after a carriage return a line feed still belongs to it, in milliseconds. */
const CRLF_DELAY_MS = 100;
/** The number of buffered lines from which an iterator pauses the input. */
const LINES_HIGH_WATER_MARK = 1024;
const watermarks = Symbol.for('nodejs.watermarkData');

function Interface(inputOrOptions, outputArgument, completerArgument, terminalArgument) {
  EventEmitter.call(this);
  const options = inputOrOptions?.input ? inputOrOptions :
    { input: inputOrOptions, output: outputArgument, completer: completerArgument, terminal: terminalArgument };
  const { input, output, signal, prompt = '> ' } = options;
  if (signal) {
    validateAbortSignal(signal, 'options.signal');
  }
  this._sawReturnAt = 0;
  this.isCompletionEnabled = true;
  this._sawKeyPress = false;
  this._previousKey = null;
  this.escapeCodeTimeout = ESCAPE_CODE_TIMEOUT_MS;
  this.tabSize = 8;
  setNumberOptions(this, options);
  setHistoryOptions(this, options);
  if (options.completer !== undefined && typeof options.completer !== 'function') {
    throw new ERR_INVALID_ARG_VALUE('completer', options.completer);
  }
  this.line = '';
  this.output = output;
  this.input = input;
  this.crlfDelay = options.crlfDelay ? Math.max(CRLF_DELAY_MS, options.crlfDelay) : CRLF_DELAY_MS;
  this.completer = options.completer;
  this.terminal = options.terminal === undefined && output !== null && output !== undefined ? !!output.isTTY : !!options.terminal;
  this.setPrompt(prompt);
  defineInternalProperties(this);
  addListeners(this);
  if (signal) {
    closeOnAbort(this, signal);
  }
  input.resume();
}
Object.setPrototypeOf(Interface.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Interface, EventEmitter);

function setNumberOptions(reader, { tabSize, escapeCodeTimeout }) {
  if (tabSize !== undefined) {
    validateUint32(tabSize, 'tabSize', true);
    reader.tabSize = tabSize;
  }
  if (escapeCodeTimeout !== undefined) {
    if (!Number.isFinite(escapeCodeTimeout)) {
      throw new ERR_INVALID_ARG_VALUE('input.escapeCodeTimeout', escapeCodeTimeout);
    }
    reader.escapeCodeTimeout = escapeCodeTimeout;
  }
}

function setHistoryOptions(reader, { history = [], historySize = HISTORY_SIZE, removeHistoryDuplicates = false }) {
  validateArray(history, 'history');
  validateNumber(historySize, 'historySize', 0);
  reader.history = history;
  reader.historySize = historySize;
  reader.historyIndex = -1;
  reader._removeHistoryDuplicates = !!removeHistoryDuplicates;
}

/** Internal properties under Node's names, which are not enumerable. */
function defineInternalProperties(reader) {
  const values = {
    _undoStack: [], _redoStack: [], _killRing: [], _killRingCursor: 0, _yanking: false, _substringSearch: null,
    _questionCallback: null, _questionReject: undefined, _oldPrompt: undefined, _decoder: undefined, _line_buffer: null, prevRows: 0,
  };
  for (const name of Object.keys(values)) {
    Object.defineProperty(reader, name, { value: values[name], writable: true, configurable: true, enumerable: false });
  }
}

function addListeners(reader) {
  const { input, output } = reader;
  const listeners = [[input, 'error', (error) => reader.emit('error', error)]];
  if (reader.terminal) {
    listeners.push([input, 'keypress', (text, key) => {
      reader._ttyWrite(text, key);
      if (key?.sequence) {
        const code = key.sequence.codePointAt(0);
        // A lone surrogate is displayed wrongly.
        if (code >= 0xd800 && code <= 0xdfff) {
          reader._refreshLine();
        }
      }
    }], [input, 'end', () => closeWithRest(reader, reader.line)]);
    emitKeypressEvents(input, reader);
    reader._setRawMode(true);
    reader.cursor = 0;
    if (output !== null && output !== undefined) {
      listeners.push([output, 'resize', () => reader._refreshLine()]);
    }
  } else {
    const { StringDecoder } = require('string_decoder');
    reader._decoder = new StringDecoder('utf8');
    listeners.push([input, 'data', (data) => reader._normalWrite(data)], [input, 'end', () => closeWithRest(reader, reader._line_buffer)]);
  }
  for (const [emitter, event, listener] of listeners) {
    emitter.on(event, listener);
  }
  reader.once('close', () => {
    for (const [emitter, event, listener] of listeners) {
      emitter.removeListener(event, listener);
    }
  });
}

/** Emits the rest of the input, which has no line end, and closes. */
function closeWithRest(reader, rest) {
  if (typeof rest === 'string' && rest.length > 0) {
    reader.emit('line', rest);
  }
  reader.close();
}

function closeOnAbort(reader, signal) {
  const close = () => reader.close();
  if (signal.aborted) {
    process.nextTick(close);
  } else {
    const { addAbortListener } = require('events');
    const disposable = addAbortListener(signal, close);
    reader.once('close', () => disposable[Symbol.dispose ?? Symbol.for('Symbol.dispose')]());
  }
}

function throwIfClosed(reader) {
  if (reader.closed) {
    throw new ERR_USE_AFTER_CLOSE('readline');
  }
}

const methods = {
  setPrompt(prompt) {
    this._prompt = prompt;
  },

  getPrompt() {
    return this._prompt;
  },

  _setRawMode(mode) {
    const wasRaw = this.input.isRaw;
    if (typeof this.input.setRawMode === 'function') {
      this.input.setRawMode(mode);
    }
    return wasRaw;
  },

  prompt(preserveCursor) {
    if (this.paused) {
      this.resume();
    }
    if (this.terminal && process.env.TERM !== 'dumb') {
      if (!preserveCursor) {
        this.cursor = 0;
      }
      this._refreshLine();
    } else {
      this._writeToOutput(this._prompt);
    }
  },

  _question(query, callback) {
    throwIfClosed(this);
    if (this._questionCallback) {
      this.prompt();
      return;
    }
    this._oldPrompt = this._prompt;
    this.setPrompt(query);
    this._questionCallback = callback;
    this.prompt();
  },

  _questionCancel() {
    if (this._questionCallback) {
      this._questionCallback = null;
      this.setPrompt(this._oldPrompt);
      this.clearLine();
    }
  },

  _onLine(line) {
    const callback = this._questionCallback;
    if (callback) {
      this._questionCallback = null;
      this.setPrompt(this._oldPrompt);
      callback(line);
    } else {
      this.emit('line', line);
    }
  },

  _writeToOutput(text) {
    validateString(text, 'stringToWrite');
    if (this.output !== null && this.output !== undefined) {
      this.output.write(text);
    }
  },

  close() {
    if (this.closed) {
      return;
    }
    this.pause();
    if (this.terminal) {
      this._setRawMode(false);
    }
    this.closed = true;
    this.emit('close');
  },

  pause() {
    throwIfClosed(this);
    if (!this.paused) {
      this.input.pause();
      this.paused = true;
      this.emit('pause');
    }
    return this;
  },

  resume() {
    throwIfClosed(this);
    if (this.paused) {
      this.input.resume();
      this.paused = false;
      this.emit('resume');
    }
    return this;
  },

  write(data, key) {
    throwIfClosed(this);
    if (this.paused) {
      this.resume();
    }
    if (this.terminal) {
      this._ttyWrite(data, key);
    } else {
      this._normalWrite(data);
    }
  },

  /** Splits data into lines. */
  _normalWrite(data) {
    if (data === undefined) {
      return;
    }
    let text = this._decoder.write(data);
    if (this._sawReturnAt && Date.now() - this._sawReturnAt <= this.crlfDelay) {
      if (text.codePointAt(0) === 10) {
        text = text.slice(1);
      }
      this._sawReturnAt = 0;
    }
    // Only new data is searched: a long line may arrive in many chunks.
    lineEnding.lastIndex = 0;
    const match = lineEnding.exec(text);
    if (match === null) {
      if (text) {
        this._line_buffer = this._line_buffer ? this._line_buffer + text : text;
      }
      return;
    }
    this._sawReturnAt = text.endsWith('\r') ? Date.now() : 0;
    const lines = [(this._line_buffer ?? '') + text.slice(0, match.index)];
    let start = lineEnding.lastIndex;
    for (let next = lineEnding.exec(text); next !== null; next = lineEnding.exec(text)) {
      lines.push(text.slice(start, next.index));
      start = lineEnding.lastIndex;
    }
    this._line_buffer = text.slice(start);
    for (const line of lines) {
      this._onLine(line);
    }
  },

  _ttyWrite(text, key) {
    require('internal/readline/keys').typeKey(this, text, key);
  },

  _tabComplete(isSecond) {
    require('internal/readline/complete').completeAsync(this, isSecond);
  },

  [Symbol.asyncIterator]() {
    this._lines ??= lines(this);
    return this._lines;
  },

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.close();
  },
};

function lines(reader) {
  const events = EventEmitter.on(reader, 'line', { close: ['close'], highWaterMark: LINES_HIGH_WATER_MARK, [kFirstArgument]: true });
  return {
    next: () => events.next(),
    return: (value) => events.return(value),
    throw: (error) => events.throw(error),
    [watermarks]: events[watermarks],
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

for (const table of [methods, editing]) {
  for (const name of Reflect.ownKeys(table)) {
    Object.defineProperty(Interface.prototype, name, { value: table[name], writable: true, configurable: true, enumerable: true });
  }
}
Interface.prototype._getCursorPos = editing.getCursorPos;

Object.defineProperty(Interface.prototype, 'columns', {
  configurable: true,
  enumerable: true,
  get() {
    return this.output?.columns ? this.output.columns : Infinity;
  },
});

module.exports = { Interface };
