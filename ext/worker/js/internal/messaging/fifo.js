// A queue that costs the same however long it is. In: items. Out: them, the oldest first.
'use strict';

/** So many that are out are cut off at once. */
const CUT = 1024;

class Fifo {
  #items = [];
  #first = 0;

  get length() { return this.#items.length - this.#first; }

  push(item) { this.#items.push(item); }

  /** The oldest; undefined: there is none. */
  shift() {
    const items = this.#items;
    if (this.#first === items.length) return undefined;
    const item = items[this.#first];
    items[this.#first++] = undefined;
    if (this.#first === items.length) {
      this.#items = [];
      this.#first = 0;
    } else if (this.#first >= CUT && this.#first * 2 > items.length) {
      this.#items = items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }

  /** All at once; it is empty then. */
  clear() {
    const rest = this.#items.slice(this.#first);
    this.#items = [];
    this.#first = 0;
    return rest;
  }
}

module.exports = { Fifo };
