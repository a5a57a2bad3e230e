// The engine's class of promises, whatever programs put in its place: what async functions give.
// In: nothing. Out: the class.
'use strict';

module.exports = (async () => {})().constructor;
