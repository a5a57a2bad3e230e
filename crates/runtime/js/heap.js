// @ts-check
// Lists of timers by their time. In: objects with `expiry`, `number`, which decides between equals,
// and `place`, which is kept here. Out: the first of them, in the time that a heap takes. Absent:
// timers.

(function () {
  'use strict';

  /** @typedef {{ expiry: number, number: number, place: number }} List */

  /** @type {List[]} */
  const heap = [];

  const comesBefore = (one, other) =>
    one.expiry < other.expiry || (one.expiry === other.expiry && one.number < other.number);

  function put(list, place) {
    heap[place] = list;
    list.place = place;
  }

  function rise(list) {
    let { place } = list;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!comesBefore(list, heap[above])) {
        break;
      }
      put(heap[above], place);
      place = above;
    }
    put(list, place);
  }

  /** For one that comes later than it did. */
  function sink(list) {
    let { place } = list;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= heap.length) {
        break;
      }
      if (below + 1 < heap.length && comesBefore(heap[below + 1], heap[below])) {
        below++;
      }
      if (!comesBefore(heap[below], list)) {
        break;
      }
      put(heap[below], place);
      place = below;
    }
    put(list, place);
  }

  return {
    first: () => heap[0],
    sink,

    push(list) {
      list.place = heap.length;
      heap.push(list);
      rise(list);
    },

    remove(list) {
      const last = heap.pop();
      if (last !== undefined && last !== list) {
        put(last, list.place);
        sink(last);
        rise(last);
      }
    },
  };
})
