// The few functions of `path` that the module loader needs at start. In: absolute POSIX paths. Out:
// strings.
'use strict';

// Cache of the last result: files of one directory are usually loaded in sequence.
let lastDirectory;
let lastResult;

module.exports = {
  isAbsolute(path) { return path.charCodeAt(0) === 0x2F; },

  dirname(path) {
    const at = path.lastIndexOf('/');
    if (at === -1) return '.';
    return at === 0 ? '/' : path.slice(0, at);
  },

  /** The node_modules directories in which a file of `from` finds packages, the nearest first. */
  nodeModules(from) {
    if (from === '/') return ['/node_modules'];
    if (from === lastDirectory) return lastResult.slice();
    const result = [];
    let directory = from.endsWith('/') ? from.slice(0, -1) : from;
    if (directory[0] !== '/') directory = require('path').resolve(directory);
    for (;;) {
      const at = directory.lastIndexOf('/');
      if (directory.slice(at + 1) !== 'node_modules') result.push(`${directory}/node_modules`);
      if (at <= 0) break;
      directory = directory.slice(0, at);
    }
    result.push('/node_modules');
    if (from[0] === '/') {
      lastDirectory = from;
      lastResult = result.slice();
    }
    return result;
  },
};
