// `node:tty` in browsers: nothing is a terminal.
'use strict';

function unsupported(name) {
  return function constructor() { throw new Error(`tty.${name} is not supported in browsers`); };
}

module.exports = { isatty: () => false, ReadStream: unsupported('ReadStream'), WriteStream: unsupported('WriteStream') };
