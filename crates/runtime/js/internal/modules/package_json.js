// `module.findPackageJSON`: the nearest package.json of a file or package. In: a specifier, the
// importer. Out: a path, or undefined.
'use strict';

const loader = internalBinding('loader');
const paths = require('internal/modules/paths');
const { toPath } = require('internal/modules/file_url');

function nearest(directory) {
  for (let at = directory; ; at = paths.dirname(at)) {
    const file = at === '/' ? '/package.json' : `${at}/package.json`;
    if (!at.endsWith('/node_modules') && loader.kind(file) === 1) return file;
    if (at === '/') return undefined;
  }
}

function find(specifier, base) {
  const { codes: { ERR_MISSING_ARGS } } = require('internal/errors');
  if (specifier === undefined) throw new ERR_MISSING_ARGS('specifier');
  const { validateString } = require('internal/validators');
  const path = toPath(specifier);
  if (path !== undefined) return nearest(loader.kind(path) === 2 ? path.replace(/\/$/, '') : paths.dirname(path));
  validateString(`${specifier}`, 'specifier');
  const from = base === undefined ? `${loader.currentDir()}/[base]` : toPath(base);
  if (from === undefined) {
    const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_TYPE('base', ['string', 'URL'], base);
  }
  const text = `${specifier}`;
  if (text[0] === '.') {
    const target = require('path').resolve(paths.dirname(from), text);
    return nearest(loader.kind(target) === 2 ? target : paths.dirname(target));
  }
  // A package's own, whatever it exports.
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(text)[0];
  for (const directory of paths.nodeModules(paths.dirname(from))) {
    const file = `${directory}/${name}/package.json`;
    if (loader.kind(file) === 1) return loader.realpath(file);
  }
  const error = new Error(`Cannot find package '${name}' imported from ${from}`);
  error.code = 'ERR_MODULE_NOT_FOUND';
  throw error;
}

module.exports = { find };
