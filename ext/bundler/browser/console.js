// `node:console` in browsers: that of the browser.
'use strict';

module.exports = console;
