// Line editing at a terminal: display, changes, kill ring, undo, history. In: an Interface as
// `this`. Out: its `line` and `cursor`, which the terminal displays. Absent: key bindings
// (keys.js).
'use strict';

const { lengthBefore, lengthAt, reversed } = require('internal/readline/utils');
const { cursorTo, moveCursor, clearScreenDown } = require('internal/readline/callbacks');
const { lineEnding } = require('internal/readline/utils');

/** Entries of the undo stack. */
const UNDO_STACK_MAX = 2048;
/** Entries of the kill ring. */
const KILL_RING_MAX = 32;

const wordBefore = /^\s*(?:[^\w\s]+|\w+)?/;
const wordAfter = /^(?:\s+|[^\w\s]+|\w+)\s*/;
const wordDeleted = /^(?:\s+|\W+|\w+)\s*/;

const editing = {
  _refreshLine() {
    const line = this._prompt + this.line;
    const { cols, rows } = this._getDisplayPos(line);
    const cursor = this.getCursorPos();
    const rowsBefore = this.prevRows || 0;
    if (rowsBefore > 0) {
      moveCursor(this.output, 0, -rowsBefore);
    }
    cursorTo(this.output, 0);
    clearScreenDown(this.output);
    this._writeToOutput(line);
    // At the right edge the terminal moves to the next row only for a character.
    if (cols === 0) {
      this._writeToOutput(' ');
    }
    cursorTo(this.output, cursor.cols);
    const up = rows - cursor.rows;
    if (up > 0) {
      moveCursor(this.output, 0, -up);
    }
    this.prevRows = cursor.rows;
  },

  /** The row and column after a string, relative to the start of the prompt. */
  _getDisplayPos(text) {
    const { getStringWidth } = require('internal/util/inspect');
    const { stripVTControlCharacters } = require('util');
    const { columns } = this;
    let offset = 0;
    let rows = 0;
    for (const character of stripVTControlCharacters(text)) {
      if (character === '\n') {
        rows += Math.ceil(offset / columns) || 1;
        offset = 0;
      } else if (character === '\t') {
        offset += this.tabSize - (offset % this.tabSize);
      } else {
        const width = getStringWidth(character, false);
        if (width < 2) {
          offset += width;
        } else {
          // A wide character does not begin in the last column.
          if ((offset + 1) % columns === 0) {
            offset++;
          }
          offset += 2;
        }
      }
    }
    const cols = offset % columns;
    return { cols, rows: rows + (offset - cols) / columns };
  },

  getCursorPos() {
    return this._getDisplayPos(this._prompt + this.line.slice(0, this.cursor));
  },

  _moveCursor(distance) {
    if (distance === 0) {
      return;
    }
    const before = this.getCursorPos();
    this.cursor = Math.min(Math.max(this.cursor + distance, 0), this.line.length);
    const after = this.getCursorPos();
    if (before.rows === after.rows) {
      moveCursor(this.output, after.cols - before.cols, 0);
    } else {
      this._refreshLine();
    }
  },

  clearLine() {
    this._moveCursor(Infinity);
    this._writeToOutput('\r\n');
    this.line = '';
    this.cursor = 0;
    this.prevRows = 0;
  },

  _insertString(text) {
    this._beforeEdit(this.line, this.cursor);
    if (this.cursor < this.line.length) {
      this.line = this.line.slice(0, this.cursor) + text + this.line.slice(this.cursor);
      this.cursor += text.length;
      this._refreshLine();
      return;
    }
    const before = this.getCursorPos();
    this.line += text;
    this.cursor += text.length;
    if (before.rows < this.getCursorPos().rows) {
      this._refreshLine();
    } else {
      this._writeToOutput(text);
    }
  },

  /** Inserts typed text; each line end in it ends the line. */
  _typeText(text) {
    let start = 0;
    let match;
    lineEnding.lastIndex = 0;
    while ((match = lineEnding.exec(text)) !== null) {
      this._insertString(text.slice(start, match.index));
      start = lineEnding.lastIndex;
      this._line();
      lineEnding.lastIndex = start;
    }
    this._insertString(text.slice(start));
  },

  _line() {
    const line = this._addHistory();
    this._undoStack = [];
    this._redoStack = [];
    this.clearLine();
    this._onLine(line);
  },

  /** Deletes and returns the text between two offsets. */
  _cut(from, to) {
    this._beforeEdit(this.line, this.cursor);
    const cut = this.line.slice(from, to);
    this.line = this.line.slice(0, from) + this.line.slice(to);
    this.cursor = from;
    this._refreshLine();
    return cut;
  },

  _wordStart() {
    return this.cursor - wordBefore.exec(reversed(this.line.slice(0, this.cursor)))[0].length;
  },

  _wordLeft() {
    if (this.cursor > 0) {
      this._moveCursor(this._wordStart() - this.cursor);
    }
  },

  _wordRight() {
    if (this.cursor < this.line.length) {
      this._moveCursor(wordAfter.exec(this.line.slice(this.cursor))[0].length);
    }
  },

  _characterLeft() {
    this._moveCursor(-lengthBefore(this.line, this.cursor));
  },

  _characterRight() {
    this._moveCursor(lengthAt(this.line, this.cursor));
  },

  _deleteLeft() {
    if (this.cursor > 0 && this.line.length > 0) {
      this._cut(this.cursor - lengthBefore(this.line, this.cursor), this.cursor);
    }
  },

  _deleteRight() {
    if (this.cursor < this.line.length) {
      this._cut(this.cursor, this.cursor + lengthAt(this.line, this.cursor));
    }
  },

  _deleteWordLeft() {
    if (this.cursor > 0) {
      this._cut(this._wordStart(), this.cursor);
    }
  },

  _deleteWordRight() {
    if (this.cursor < this.line.length) {
      this._cut(this.cursor, this.cursor + wordDeleted.exec(this.line.slice(this.cursor))[0].length);
    }
  },

  _deleteLineLeft() {
    this._pushToKillRing(this._cut(0, this.cursor));
  },

  _deleteLineRight() {
    this._pushToKillRing(this._cut(this.cursor, this.line.length));
  },

  _pushToKillRing(cut) {
    if (!cut || cut === this._killRing[0]) {
      return;
    }
    this._killRing.unshift(cut);
    this._killRingCursor = 0;
    while (this._killRing.length > KILL_RING_MAX) {
      this._killRing.pop();
    }
  },

  _yank() {
    if (this._killRing.length > 0) {
      this._yanking = true;
      this._insertString(this._killRing[this._killRingCursor]);
    }
  },

  /** Replaces the yanked text by the next entry of the kill ring. */
  _yankPop() {
    if (!this._yanking || this._killRing.length < 2) {
      return;
    }
    const last = this._killRing[this._killRingCursor];
    this._killRingCursor = (this._killRingCursor + 1) % this._killRing.length;
    const head = this.line.slice(0, this.cursor - last.length) + this._killRing[this._killRingCursor];
    this.line = head + this.line.slice(this.cursor);
    this.cursor = head.length;
    this._refreshLine();
  },

  _beforeEdit(line, cursor) {
    if (this._undoStack.push({ line, cursor }) > UNDO_STACK_MAX) {
      this._undoStack.shift();
    }
  },

  _undo() {
    this._restore(this._undoStack, this._redoStack);
  },

  _redo() {
    this._restore(this._redoStack, this._undoStack);
  },

  _restore(from, to) {
    if (from.length === 0) {
      return;
    }
    to.push({ line: this.line, cursor: this.cursor });
    const { line, cursor } = from.pop();
    this.line = line;
    this.cursor = cursor;
    this._refreshLine();
  },

  _addHistory() {
    const { line, history } = this;
    if (line.length === 0) {
      return '';
    }
    if (!history || this.historySize === 0 || line.trim().length === 0) {
      return line;
    }
    if (history.length === 0 || history[0] !== line) {
      if (this._removeHistoryDuplicates) {
        const index = history.indexOf(line);
        if (index !== -1) {
          history.splice(index, 1);
        }
      }
      history.unshift(line);
      if (history.length > this.historySize) {
        history.pop();
      }
    }
    this.historyIndex = -1;
    // A listener may change the history, for example to remove secrets.
    const [first] = history;
    this.emit('history', history);
    return first;
  },

  _historyNext() {
    if (this.historyIndex >= 0) {
      this._showHistory(-1);
    }
  },

  _historyPrev() {
    if (this.historyIndex < this.history.length && this.history.length > 0) {
      this._showHistory(1);
    }
  },

  /**
   * Shows the next line in a direction that begins with the text before the cursor when the search
   * began.
   */
  _showHistory(step) {
    this._beforeEdit(this.line, this.cursor);
    const { history } = this;
    const search = this._substringSearch || '';
    let index = this.historyIndex + step;
    while (index >= 0 && index < history.length && (!history[index].startsWith(search) || this.line === history[index])) {
      index += step;
    }
    this.line = index >= 0 && index < history.length ? history[index] : search;
    this.historyIndex = index;
    this.cursor = this.line.length;
    this._refreshLine();
  },
};

module.exports = editing;
