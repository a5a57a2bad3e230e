// Files that `run` runs. In: files, or globs, the directory, the shard. Out: paths, as they are
// shown. Absent: `rusk test`, which finds files by bun's patterns (crates/test-runner).
'use strict';

const EXTENSIONS = '{js,mjs,cjs,ts,mts,cts}';

/** Node's default. */
const DEFAULT_PATTERN = `**/{test,test/**/*,test-*,*[._-]test}.${EXTENSIONS}`;

/** Undefined: names without a pattern, of which none is a file. */
function findFiles({ files, globPatterns, cwd, shard }) {
  const found = files ?? globFiles(globPatterns?.length > 0 ? globPatterns : [DEFAULT_PATTERN], cwd);
  return shard === undefined ? found : found.filter((_, index) => index % shard.total === shard.index - 1);
}

function globFiles(patterns, cwd) {
  const { globSync, statSync } = require('fs');
  const isFile = (path) => statSync(require('path').resolve(cwd, path), { throwIfNoEntry: false })?.isFile() === true;
  try {
    return [...new Set(globSync(patterns, { cwd, exclude: (name) => name === 'node_modules' }))].filter(isFile).sort();
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  }
}

/** Whether a name is a pattern. */
const hasMagic = (name) => /[*?[\]{}()!+@]/.test(name);

module.exports = { findFiles, hasMagic };
