// Output files of a build. In: path, kind, hash and bytes of each. Out: Blobs with Bun's members;
// code refers to its source map.
'use strict';

const { Blob } = require('internal/blob');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
/** Bun's names of the kinds. */
const KINDS = { __proto__: null, 'entry point': 'entry-point', 'chunk': 'chunk', 'asset': 'asset', 'source map': 'sourcemap' };

class BuildArtifact extends Blob {
  constructor({ path, kind, loader, hash, bytes }) {
    super([bytes], { type: typeOf(path, kind) });
    this.path = path;
    this.kind = kind;
    this.loader = loader;
    this.hash = hash;
    this.sourcemap = null;
  }

  async json() { return JSON.parse(await this.text()); }

  [kInspect](depth, options, inspect) {
    const { path, loader, kind, hash, sourcemap } = this;
    return `BuildArtifact (${kind}) ${inspect({ path, loader, kind, hash, sourcemap }, options)}`;
  }
}

function typeOf(path, kind) {
  if (kind === 'sourcemap') return 'application/json;charset=utf-8';
  return require('internal/bun/mime').typeOfPath(path);
}

/** The artifacts of a build; its source maps are among them. */
function artifactsOf(files, entrypoints) {
  const entries = [...entrypoints];
  const all = files.map(([path, name, hash, bytes]) => {
    const kind = KINDS[name] ?? name;
    return new BuildArtifact({ path, kind, loader: loaderOf(path, kind, entries), hash, bytes });
  });
  const byPath = new Map(all.map((artifact) => [artifact.path, artifact]));
  for (const artifact of all) {
    if (artifact.kind !== 'sourcemap') artifact.sourcemap = byPath.get(`${artifact.path}.map`) ?? null;
  }
  return all;
}

/** The loader of the source: that of an entry point by its extension. */
function loaderOf(path, kind, entries) {
  const languages = { __proto__: null, ts: 'ts', mts: 'ts', cts: 'ts', tsx: 'tsx', jsx: 'jsx', css: 'css', html: 'html' };
  const extension = (name) => name.slice(name.lastIndexOf('.') + 1);
  if (kind === 'entry-point') return languages[extension(entries.shift() ?? '')] ?? (languages[extension(path)] === 'css' ? 'css' : 'js');
  if (kind === 'chunk') return extension(path) === 'css' ? 'css' : 'js';
  return 'file';
}

module.exports = { BuildArtifact, artifactsOf };
