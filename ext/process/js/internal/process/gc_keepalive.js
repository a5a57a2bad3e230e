// Short-time strong references that keep objects from garbage collection. Node's collector first
// runs after megabytes of allocation, JavaScriptCore's soon after the start, and programs rely on
// the former. In: an object. It is released after a second, or when the program requests a
// collection.
'use strict';

const HOLD_MS = 1000;

const references = new Set();

function hold(object) {
  const reference = { object };
  references.add(reference);
  require('timers').setTimeout(release, HOLD_MS, reference).unref();
}

/** The timer also holds the reference, so it is cleared. */
function release(reference) {
  reference.object = undefined;
  references.delete(reference);
}

function releaseAll() {
  for (const reference of references) release(reference);
}

module.exports = { hold, releaseAll };
