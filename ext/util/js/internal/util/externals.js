// Externals: values of native addons that are an address only. In: a value. Out: its address in
// hexadecimal. Before an addon is loaded there are none (internal/addons.js).
'use strict';

module.exports = { addressOf: (_value) => undefined };
