// Key bindings. In: an Interface, a character and a key of keypress.js. Out: the line is edited,
// ended or completed. Absent: editing (editing.js).
'use strict';

const process = require('process');
const { cursorTo, clearScreenDown } = require('internal/readline/callbacks');

const plain = {
  return(reader) {
    reader._sawReturnAt = Date.now();
    reader._line();
  },
  enter(reader) {
    // Ignores the line feed of a CRLF.
    if (reader._sawReturnAt === 0 || Date.now() - reader._sawReturnAt > reader.crlfDelay) {
      reader._line();
    }
    reader._sawReturnAt = 0;
  },
  backspace: (reader) => reader._deleteLeft(),
  delete: (reader) => reader._deleteRight(),
  left: (reader) => reader._characterLeft(),
  right: (reader) => reader._characterRight(),
  home: (reader) => reader._moveCursor(-Infinity),
  end: (reader) => reader._moveCursor(+Infinity),
  up: (reader) => reader._historyPrev(),
  down: (reader) => reader._historyNext(),
};

const withCtrl = {
  c(reader) {
    if (reader.listenerCount('SIGINT') > 0) {
      reader.emit('SIGINT');
    } else {
      rejectQuestion(reader, 'Aborted with Ctrl+C');
      reader.close();
    }
  },
  h: (reader) => reader._deleteLeft(),
  d(reader) {
    if (reader.cursor === 0 && reader.line.length === 0) {
      rejectQuestion(reader, 'Aborted with Ctrl+D');
      reader.close();
    } else if (reader.cursor < reader.line.length) {
      reader._deleteRight();
    }
  },
  u: (reader) => reader._deleteLineLeft(),
  k: (reader) => reader._deleteLineRight(),
  a: (reader) => reader._moveCursor(-Infinity),
  e: (reader) => reader._moveCursor(+Infinity),
  b: (reader) => reader._characterLeft(),
  f: (reader) => reader._characterRight(),
  l(reader) {
    cursorTo(reader.output, 0, 0);
    clearScreenDown(reader.output);
    reader._refreshLine();
  },
  n: (reader) => reader._historyNext(),
  p: (reader) => reader._historyPrev(),
  y: (reader) => reader._yank(),
  z: suspend,
  w: (reader) => reader._deleteWordLeft(),
  backspace: (reader) => reader._deleteWordLeft(),
  delete: (reader) => reader._deleteWordRight(),
  left: (reader) => reader._wordLeft(),
  right: (reader) => reader._wordRight(),
};

const withCtrlAndShift = {
  backspace: (reader) => reader._deleteLineLeft(),
  delete: (reader) => reader._deleteLineRight(),
};

const withMeta = {
  b: (reader) => reader._wordLeft(),
  f: (reader) => reader._wordRight(),
  d: (reader) => reader._deleteWordRight(),
  delete: (reader) => reader._deleteWordRight(),
  backspace: (reader) => reader._deleteWordLeft(),
  y: (reader) => reader._yankPop(),
};

/** Rejects the promise of a pending question. */
function rejectQuestion(reader, message) {
  const { AbortError } = require('internal/errors');
  reader._questionReject?.(new AbortError(message));
}

/** Suspends the process; restores the terminal on SIGCONT. */
function suspend(reader) {
  if (process.platform === 'win32') {
    return;
  }
  if (reader.listenerCount('SIGTSTP') > 0) {
    reader.emit('SIGTSTP');
    return;
  }
  process.once('SIGCONT', () => {
    // A background process does not resume reading.
    if (!reader.paused) {
      reader.pause();
      reader.emit('SIGCONT');
    }
    reader._setRawMode(true);
    reader._refreshLine();
  });
  reader._setRawMode(false);
  process.kill(process.pid, 'SIGTSTP');
}

const findBinding = (table, name) => (typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined);

function typeKey(reader, text, keyArgument) {
  const key = keyArgument || {};
  const previousKey = reader._previousKey;
  reader._previousKey = key;
  if (!key.meta || key.name !== 'y') {
    reader._yanking = false;
  }
  if ((key.name === 'up' || key.name === 'down') && !key.ctrl && !key.meta && !key.shift) {
    reader._substringSearch ??= reader.line.slice(0, reader.cursor);
  } else if (reader._substringSearch !== null) {
    reader._substringSearch = null;
    if (reader.history.length === reader.historyIndex) {
      reader.historyIndex = -1;
    }
  }
  if (key.sequence === '\x1f') {
    reader._undo();
  } else if (key.sequence === '\x1e') {
    reader._redo();
  } else if (key.name === 'escape') {
    // Ignored.
  } else if (key.ctrl) {
    findBinding(key.shift ? withCtrlAndShift : withCtrl, key.name)?.(reader);
  } else if (key.meta) {
    findBinding(withMeta, key.name)?.(reader);
  } else {
    typePlain(reader, text, key, previousKey);
  }
}

function typePlain(reader, text, key, previousKey) {
  if (reader._sawReturnAt && key.name !== 'enter') {
    reader._sawReturnAt = 0;
  }
  const action = findBinding(plain, key.name);
  if (action !== undefined) {
    action(reader);
  } else if (key.name === 'tab' && typeof reader.completer === 'function' && reader.isCompletionEnabled) {
    reader._tabComplete(previousKey?.name === 'tab');
  } else if (typeof text === 'string' && text) {
    reader._typeText(text);
  }
}

module.exports = { typeKey };
