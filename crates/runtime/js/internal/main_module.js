// The module that the program began with. In: the loader sets `value`. Out: `require.main`, `process.mainModule`.
'use strict';

module.exports = { value: undefined };
