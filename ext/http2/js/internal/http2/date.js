// The value of a `date` field. Out: the time in UTC, made once a second.
'use strict';

const SECOND_MS = 1000;

let second = -1;
let text = '';

function utcDate() {
  const now = Date.now();
  const current = Math.floor(now / SECOND_MS);
  if (current !== second) {
    second = current;
    text = new Date(now).toUTCString();
  }
  return text;
}

module.exports = { utcDate };
