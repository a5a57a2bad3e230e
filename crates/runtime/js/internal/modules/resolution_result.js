// Result of a module resolution: an array whose first element is its kind (src/loader/resolution.rs
// lists the elements after it). Out: the kinds, the names of formats, and deprecation warnings,
// each once.
'use strict';

const { formats, resolution } = internalBinding('loader');

/** Messages that were emitted already. */
const emitted = new Set();

/** Emits the deprecation warning of a result, if it has one. */
function emitDeprecation({ 4: code, 5: message }) {
  if (emitted.has(message)) return;
  emitted.add(message);
  require('process').emitWarning(message, 'DeprecationWarning', code);
}

module.exports = { ...resolution, FORMATS: formats, emitDeprecation };
