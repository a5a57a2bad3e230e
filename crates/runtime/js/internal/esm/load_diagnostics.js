// What a program took for something else: a CommonJS file whose text is a module's, names that only
// CommonJS has, names that CommonJS does not show. In: the error as it is, the file. Out: words
// that say what to do, as Node has them.
'use strict';

const loader = internalBinding('loader');
const paths = require('internal/modules/paths');

/** A default import of a function is not what was meant. */
const STATEMENT = /^[ \t]*(import\b(?!\s*[(.])|export\b)/m;

/** The error of a file that is said to be CommonJS: what its first word of a module makes of it. */
function ofCommonJs(error, path, source) {
  const word = wordOfModule(path, source);
  if (word === undefined) return error;
  const { emitWarningSync } = require('internal/process/warning');
  emitWarningSync(`Failed to load the ES module: ${path}. Make sure to set "type": "module" in the nearest package.json file or use the .mjs extension.`);
  return refused(error, word);
}

function refused(error, word) {
  error.message = word === 'import' ? 'Cannot use import statement outside a module' : "Unexpected token 'export'";
  return error;
}

/** `import` or `export`, where the text is a module. */
function wordOfModule(path, source) {
  let text;
  try {
    text = source ?? loader.read(path);
    const found = STATEMENT.exec(text);
    if (found === null) return undefined;
    // By its own name it would be CommonJS again.
    loader.parseModule(`${path}.mjs`, text, true);
    return found[1];
  } catch {
    return undefined;
  }
}

/** Modules are not to be required (`--no-experimental-require-module`). */
function requireOfModule(path, parent) {
  const manifest = path.endsWith('.mjs') ? undefined : manifestOf(path);
  if (!path.endsWith('.mjs') && manifest?.type !== 'module') return refused(new SyntaxError(), wordOfModule(path) ?? 'export');
  const { codes: { ERR_REQUIRE_ESM } } = require('internal/errors');
  return new ERR_REQUIRE_ESM(path, manifest !== undefined && wordOfModule(path) !== undefined, parent, manifest?.path);
}

/** { path, type } of the package.json that speaks for a file. */
function manifestOf(path) {
  const file = require('internal/modules/package_json').find(path);
  if (file === undefined) return undefined;
  try {
    return { path: file, type: JSON.parse(loader.read(file)).type };
  } catch {
    return undefined;
  }
}

const OF_COMMONJS = /^(?:Can't find variable: )?(require|module|exports|__filename|__dirname)(?: is not defined)?$/;

/** What a module threw that took itself for CommonJS. */
function ofModule(error, { path, url }) {
  if (!(error instanceof ReferenceError)) return error;
  const name = OF_COMMONJS.exec(error.message)?.[1];
  if (name === undefined) return error;
  error.message = `${name} is not defined in ES module scope${name === 'require' ? ', you can use import instead' : ''}`;
  const manifest = path?.endsWith('.js') && url.startsWith('file:') ? manifestOf(path) : undefined;
  if (manifest?.type === 'module') {
    error.message += `\nThis file is being treated as an ES module because it has a '.js' file extension and '${manifest.path}' contains "type": "module". To treat it as a CommonJS script, rename it to use the '.cjs' file extension.`;
  }
  return error;
}

/** A CommonJS module does not show the name. */
function withoutName(record, specifier, name) {
  const named = namesInOneLine(record, specifier, name);
  return `Named export '${name}' not found. The requested module '${specifier}' is a CommonJS module, which may not support all module.exports as named exports.\n`
    + `CommonJS modules can always be imported via the default export, for example using:\n\nimport pkg from '${specifier}';\n`
    + (named === undefined ? '' : `const {${named.replace(/\s+as\s+/g, ': ')}} = pkg;\n`);
}

/** What stands in the braces of the import, where it is all in one line. */
function namesInOneLine({ path }, specifier, name) {
  if (path === undefined) return undefined;
  for (const line of loader.read(path).split('\n')) {
    const found = /^\s*import\b[^{]*\{([^}]*)\}\s*from\s*(['"])(.*?)\2/.exec(line);
    if (found !== null && found[3] === specifier && found[1].includes(name)) return found[1];
  }
  return undefined;
}

/**
 * The error, with the place of the import on top of its stack, as V8 has it; as it is where nobody
 * knows the text.
 */
function placed(error, { path, url }, specifier, name) {
  try {
    const found = path === undefined ? undefined : loader.importedNamePosition(path, loader.read(path), specifier, name);
    if (found === undefined) return error;
    const [line, text, before, word] = found;
    const { describe, lineAt } = require('internal/stack/shown');
    const value = lineAt(`${url}:${line}`, text, before, word.length) + describe(error);
    return Object.defineProperty(error, 'stack', { __proto__: null, value, writable: true, configurable: true });
  } catch {
    // The file is gone.
    return error;
  }
}

/** The specifier that was probably meant, of one that names nothing: what `require` finds. */
function meant(specifier, importer) {
  const { pathToFileURL } = require('internal/url');
  const found = loader.resolve(specifier, importer, loader.importer.FILE, false);
  if (found[0] !== 0 || !/[^/]/.test(specifier)) return undefined;
  const folder = paths.dirname(importer);
  const encode = (path) => pathToFileURL(path).pathname.slice(1);
  if (/^\.{0,2}\//.test(specifier)) {
    const relative = require('path').relative(folder, found[1]);
    const text = encode(`/${relative.replace(/^(?:\.\.\/)+/, '')}`);
    const up = /^(?:\.\.\/)+/.exec(relative)?.[0] ?? './';
    return up + text;
  }
  const at = found[1].lastIndexOf('/node_modules/');
  if (!specifier.includes('/')) return `./${encode(`/${require('path').relative(folder, found[1])}`)}`;
  return at === -1 ? undefined : encode(found[1].slice(at + '/node_modules'.length));
}

module.exports = { ofCommonJs, requireOfModule, ofModule, withoutName, placed, meant };
