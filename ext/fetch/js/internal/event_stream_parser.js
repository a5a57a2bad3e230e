// Parser of text/event-stream: the HTML Standard, 9.2.6. In: text, in pieces that may end anywhere.
// Out: events with data, reconnection times; the ID of the last event. Absent: connections.
'use strict';

/** Data and line of one event; a server that never ends one would fill the memory. */
const EVENT_UNITS_MAX = 64 * 1024 * 1024;

class EventStreamParser {
  #onEvent;
  #onRetry;
  /** The begin of a line. */
  #line = '';
  /** The last piece has ended in CR, so that an LF belongs to it. */
  #endsInReturn = false;
  #isFirst = true;
  #data = [];
  #units = 0;
  #type = '';
  #id;
  /** Of the last event that was dispatched. */
  lastEventId;

  constructor({ lastEventId, onEvent, onRetry }) {
    this.#id = this.lastEventId = lastEventId;
    this.#onEvent = onEvent;
    this.#onRetry = onRetry;
  }

  push(piece) {
    let text = piece;
    if (this.#isFirst && text !== '') {
      this.#isFirst = false;
      if (text[0] === '\ufeff') text = text.slice(1);
    }
    if (this.#endsInReturn && text !== '') {
      this.#endsInReturn = false;
      if (text[0] === '\n') text = text.slice(1);
    }
    const lineEnd = /\r\n|\n|\r/g;
    let begin = 0;
    for (let match = lineEnd.exec(text); match !== null; match = lineEnd.exec(text)) {
      this.#endsInReturn = match[0] === '\r' && lineEnd.lastIndex === text.length;
      const line = this.#line + text.slice(begin, match.index);
      this.#line = '';
      begin = lineEnd.lastIndex;
      this.#processLine(line);
    }
    this.#line += text.slice(begin);
    if (this.#line.length + this.#units > EVENT_UNITS_MAX) throw new RangeError('an event of the server is too large');
  }

  #processLine(line) {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    // A comment.
    if (colon === 0) return undefined;
    if (colon < 0) return this.#processField(line, '');
    const value = line.slice(colon + 1);
    return this.#processField(line.slice(0, colon), value[0] === ' ' ? value.slice(1) : value);
  }

  #processField(name, value) {
    switch (name) {
      case 'event': this.#type = value; break;
      case 'data':
        this.#data.push(value);
        this.#units += value.length + 1;
        break;
      case 'id':
        if (!value.includes('\0')) this.#id = value;
        break;
      case 'retry':
        if (/^\d+$/.test(value)) this.#onRetry(Number(value));
        break;
      default:
    }
  }

  #dispatch() {
    this.lastEventId = this.#id;
    const data = this.#data;
    const type = this.#type === '' ? 'message' : this.#type;
    this.#data = [];
    this.#units = 0;
    this.#type = '';
    if (data.length > 0) this.#onEvent({ type, data: data.join('\n'), lastEventId: this.lastEventId });
  }
}

module.exports = { EventStreamParser };
