// Objects that are kept from the collector for a moment, as they live in Node anyway: there it
// begins after megabytes, here when a start has hardly ended. In: an object. Out: nothing; it is
// let go after that moment, or when somebody asks for the collector.
'use strict';

const HELD_MS = 1000;

const held = new Set();

function hold(object) {
  const place = { object };
  held.add(place);
  require('timers').setTimeout(letGoOf, HELD_MS, place).unref();
}

/** The timer has the place, too. */
function letGoOf(place) {
  place.object = undefined;
  held.delete(place);
}

function letGo() {
  for (const place of held) letGoOf(place);
}

module.exports = { hold, letGo };
