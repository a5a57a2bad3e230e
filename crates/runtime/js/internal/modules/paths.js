// The little of `path` that the loader needs before anything else. In: absolute paths of this
// system. Out: strings.
'use strict';

// Files of one directory ask one after the other.
let folderBefore;
let foundBefore;

module.exports = {
  isAbsolute(path) { return path.charCodeAt(0) === 0x2F; },

  dirname(path) {
    const at = path.lastIndexOf('/');
    if (at === -1) return '.';
    return at === 0 ? '/' : path.slice(0, at);
  },

  /** Every node_modules a file of this directory may find packages in, the nearest first. */
  nodeModules(from) {
    if (from === '/') return ['/node_modules'];
    if (from === folderBefore) return foundBefore.slice();
    const found = [];
    let folder = from.endsWith('/') ? from.slice(0, -1) : from;
    if (folder[0] !== '/') folder = require('path').resolve(folder);
    for (;;) {
      const at = folder.lastIndexOf('/');
      if (folder.slice(at + 1) !== 'node_modules') found.push(`${folder}/node_modules`);
      if (at <= 0) break;
      folder = folder.slice(0, at);
    }
    found.push('/node_modules');
    if (from[0] === '/') {
      folderBefore = from;
      foundBefore = found.slice();
    }
    return found;
  },
};
