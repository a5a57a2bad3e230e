// Output hooks of Rollup plugins: `renderChunk`, `generateBundle`, `writeBundle`, `closeBundle`,
// and files that plugins emit. In: the output files of a build. Out: the same, changed as the hooks
// say; where they were written, what changed is written again. Absent: modules and maps of chunks.
'use strict';

const { invalidArgType } = require('internal/bun/environment');

const NAMES = ['renderChunk', 'generateBundle', 'writeBundle', 'closeBundle'];

/** Files that plugins emit, by their references. */
class EmittedFiles {
  #files = new Map();

  /** Rollup's `emitFile`. */
  emit({ type, name, fileName, source }) {
    if (type !== 'asset') throw new TypeError(`this.emitFile of type "${type}" is not supported, expected "asset"`);
    if (typeof fileName !== 'string' && typeof name !== 'string') throw invalidArgType('this.emitFile expects "fileName" or "name"');
    const reference = `emitted${this.#files.size}`;
    this.#files.set(reference, { name: name ?? fileName, fileName, source });
    return reference;
  }

  setSource(reference, source) { this.#of(reference).source = source; }

  /** The name of a file; one without a name gets it from its content. */
  nameOf(reference) {
    const file = this.#of(reference);
    if (file.fileName !== undefined) return file.fileName;
    if (file.source === undefined) throw new TypeError(`the emitted file \`${file.name}\` has no source yet`);
    const { dir, name, ext } = require('path').parse(file.name);
    file.fileName = `${dir === '' ? '' : `${dir}/`}${name}-${hashOf(file.source)}${ext}`;
    return file.fileName;
  }

  /** Adds the files to a bundle, each once: a plugin may remove it again. */
  addTo(bundle) {
    for (const [reference, file] of this.#files) {
      if (file.source === undefined || file.isAdded) continue;
      bundle[this.nameOf(reference)] ??= assetOf(this.nameOf(reference), file.source, file.name);
      file.isAdded = true;
    }
  }

  #of(reference) {
    const file = this.#files.get(reference);
    if (file === undefined) throw new TypeError(`there is no emitted file ${JSON.stringify(reference)}`);
    return file;
  }
}

const hashOf = (source) => Bun.hash(source).toString(36).slice(0, 8);

const assetOf = (fileName, source, name = fileName) => ({ type: 'asset', fileName, name, names: [name], source, originalFileName: null, originalFileNames: [], needsCodeReference: false });

function chunkOf(fileName, kind, code) {
  return {
    type: 'chunk', fileName, preliminaryFileName: fileName, name: require('path').parse(fileName).name, code, map: null, sourcemapFileName: null,
    isEntry: kind === 'entry point', isDynamicEntry: kind === 'chunk', isImplicitEntry: false, facadeModuleId: null,
    imports: [], dynamicImports: [], implicitlyLoadedBefore: [], importedBindings: {}, referencedFiles: [], exports: [], modules: {}, moduleIds: [],
  };
}

class OutputHooks {
  #hooks;
  #emitted;

  /** `hooksOf`: the hooks of a name in order. */
  constructor(hooksOf, emitted) {
    this.#hooks = Object.fromEntries(NAMES.map((name) => [name, hooksOf(name)]));
    this.#emitted = emitted;
  }

  /** Runs the hooks over the files of a build, which are arrays of path, kind, hash and bytes. */
  async run(files, { outdir, outfile, format, sourcemap }) {
    const path = require('path');
    const isWritten = outdir !== undefined || outfile !== undefined;
    const directory = path.resolve(outdir ?? path.dirname(outfile ?? 'x'));
    const options = { dir: isWritten ? directory : undefined, format: format === 'esm' ? 'es' : format, sourcemap: sourcemap !== 'none', plugins: [] };
    const nameOf = (file) => path.relative(directory, path.resolve(directory, file));
    const known = new Map(files.map((file) => [nameOf(file[0]), file]));
    const bundle = { __proto__: null };
    for (const [name, [, kind, , bytes]] of known) bundle[name] = isCode(name, kind) ? chunkOf(name, kind, textOf(bytes)) : assetOf(name, bytes);
    await this.#render(bundle, options);
    this.#emitted.addTo(bundle);
    for (const hook of this.#hooks.generateBundle) await hook.call(options, bundle, isWritten);
    this.#emitted.addTo(bundle);
    const changed = changesOf(bundle, known, (name) => (isWritten ? path.resolve(directory, name) : `./${name}`));
    if (isWritten) await write(changed, directory);
    files.splice(0, files.length, ...changed.files);
    if (isWritten) for (const hook of this.#hooks.writeBundle) await hook.call(options, bundle);
    for (const hook of this.#hooks.closeBundle) await hook.call();
  }

  /** A build that failed, or made an executable. */
  async close(error) {
    for (const hook of this.#hooks.closeBundle) await hook.call(error);
  }

  async #render(bundle, options) {
    const chunks = Object.fromEntries(Object.entries(bundle).filter(([, { type }]) => type === 'chunk'));
    for (const chunk of Object.values(chunks)) {
      for (const hook of this.#hooks.renderChunk) {
        const result = await hook.call(chunk.code, chunk, options, { chunks });
        if (result === undefined || result === null) continue;
        chunk.code = typeof result === 'string' ? result : result.code;
      }
    }
  }
}

const isCode = (name, kind) => (kind === 'entry point' || kind === 'chunk') && /\.[cm]?js$/.test(name);

const textOf = (bytes) => new (require('web/encoding').TextDecoder)().decode(bytes);

const bytesOf = (source) => (typeof source === 'string' ? new (require('web/encoding').TextEncoder)().encode(source) : source);

/** The files after the hooks, those that differ, and paths of those that are gone. */
function changesOf(bundle, known, pathOf) {
  const [files, different] = [[], []];
  for (const [name, file] of Object.entries(bundle)) {
    const before = known.get(name);
    const source = file.type === 'chunk' ? file.code : file.source;
    const isSame = before !== undefined && (file.type === 'chunk' ? source === textOf(before[3]) : source === before[3]);
    const after = isSame ? before : [before?.[0] ?? pathOf(name), before?.[1] ?? 'asset', before?.[2] ?? hashOf(source), bytesOf(source)];
    files.push(after);
    if (!isSame) different.push(after);
  }
  const removed = [...known].filter(([name]) => bundle[name] === undefined).map(([, [path]]) => path);
  return { files, different, removed };
}

async function write({ different, removed }, directory) {
  const fs = require('fs/promises');
  const { dirname, relative } = require('path');
  for (const [path, , , bytes] of different) {
    if (relative(directory, path).startsWith('..')) throw new TypeError(`\`${path}\` is outside of the output directory`);
    await fs.mkdir(dirname(path), { recursive: true });
    await fs.writeFile(path, bytes);
  }
  for (const path of removed) await fs.rm(path, { force: true });
}

module.exports = { EmittedFiles, OutputHooks };
