// FIFO queue with amortized constant costs. In: items. Out: the items, the oldest first.
'use strict';

/** From this many removed items on, the array is trimmed. */
const TRIM_MIN = 1024;

class Fifo {
  #items = [];
  #first = 0;

  get length() { return this.#items.length - this.#first; }

  push(item) { this.#items.push(item); }

  /** Removes the oldest; undefined: the queue is empty. */
  shift() {
    const items = this.#items;
    if (this.#first === items.length) return undefined;
    const item = items[this.#first];
    items[this.#first++] = undefined;
    if (this.#first === items.length) {
      this.#items = [];
      this.#first = 0;
    } else if (this.#first >= TRIM_MIN && this.#first * 2 > items.length) {
      this.#items = items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }

  /** Removes all. */
  clear() {
    const rest = this.#items.slice(this.#first);
    this.#items = [];
    this.#first = 0;
    return rest;
  }
}

module.exports = { Fifo };
