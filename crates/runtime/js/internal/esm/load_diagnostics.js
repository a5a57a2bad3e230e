// Diagnostics of mixed module formats: a CommonJS file with `import` or `export`, CommonJS names in
// an ES module, named imports that CommonJS does not export. In: the error, the file. Out: Node's
// message, which says what to do.
'use strict';

const loader = internalBinding('loader');
const paths = require('internal/modules/paths');

/** A statement `import` or `export`, not a call `import(...)` or `import.meta`. */
const STATEMENT = /^[ \t]*(import\b(?!\s*[(.])|export\b)/m;

/** The error of a CommonJS file, reworded if it has the syntax of an ES module. */
function ofCommonJs(error, path, source) {
  const keyword = moduleKeyword(path, source);
  if (keyword === undefined) return error;
  const { emitWarningSync } = require('internal/process/warning');
  emitWarningSync(`Failed to load the ES module: ${path}. Make sure to set "type": "module" in the nearest package.json file or use the .mjs extension.`);
  return withSyntaxMessage(error, keyword);
}

function withSyntaxMessage(error, keyword) {
  error.message = keyword === 'import' ? 'Cannot use import statement outside a module' : "Unexpected token 'export'";
  return error;
}

/** The first keyword `import` or `export` of a file that is an ES module. */
function moduleKeyword(path, source) {
  let text;
  try {
    text = source ?? loader.read(path);
    const found = STATEMENT.exec(text);
    if (found === null) return undefined;
    // Its own extension would make it CommonJS again.
    loader.parseModule(`${path}.mjs`, text, true);
    return found[1];
  } catch {
    return undefined;
  }
}

/** The error of `require` of a module under `--no-experimental-require-module`. */
function requireOfModule(path, parent) {
  const manifest = path.endsWith('.mjs') ? undefined : manifestOf(path);
  if (!path.endsWith('.mjs') && manifest?.type !== 'module') return withSyntaxMessage(new SyntaxError(), moduleKeyword(path) ?? 'export');
  const { codes: { ERR_REQUIRE_ESM } } = require('internal/errors');
  return new ERR_REQUIRE_ESM(path, manifest !== undefined && moduleKeyword(path) !== undefined, parent, manifest?.path);
}

/** { path, type } of a file's nearest package.json. */
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

/** The ReferenceError of an ES module that uses CommonJS names, reworded. */
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

/** The message of a named import that a CommonJS module does not export. */
function missingNamedExport(record, specifier, name) {
  const named = namedImportsOf(record, specifier, name);
  return `Named export '${name}' not found. The requested module '${specifier}' is a CommonJS module, which may not support all module.exports as named exports.\n`
    + `CommonJS modules can always be imported via the default export, for example using:\n\nimport pkg from '${specifier}';\n`
    + (named === undefined ? '' : `const {${named.replace(/\s+as\s+/g, ': ')}} = pkg;\n`);
}

/** The text between the braces of the import, if it is on one line. */
function namedImportsOf({ path }, specifier, name) {
  if (path === undefined) return undefined;
  for (const line of loader.read(path).split('\n')) {
    const found = /^\s*import\b[^{]*\{([^}]*)\}\s*from\s*(['"])(.*?)\2/.exec(line);
    if (found !== null && found[3] === specifier && found[1].includes(name)) return found[1];
  }
  return undefined;
}

/**
 * The error with the position of the import at the top of its stack, as in V8; unchanged if the
 * source is not available.
 */
function withImportPosition(error, { path, url }, specifier, name) {
  try {
    const found = path === undefined ? undefined : loader.importedNamePosition(path, loader.read(path), specifier, name);
    if (found === undefined) return error;
    const [line, text, before, importedName] = found;
    const { arrowMessage, v8Stack } = require('internal/stack/engine_errors');
    const value = arrowMessage(`${url}:${line}`, text, before, importedName.length) + v8Stack(error);
    return Object.defineProperty(error, 'stack', { __proto__: null, value, writable: true, configurable: true });
  } catch {
    // The file was deleted.
    return error;
  }
}

const PACKAGE = /^(?:@[\w.-]+\/)?[a-z\d][\w.-]*(?=$|\/)/i;

/**
 * A line for the error of an import that was not found: another specifier, or how to install it.
 */
function hintOf(specifier, importer) {
  const suggestion = suggestSpecifier(specifier, importer);
  if (suggestion !== undefined) return `Did you mean to import ${JSON.stringify(suggestion)}?`;
  const name = importer.includes('/node_modules/') ? undefined : PACKAGE.exec(specifier)?.[0];
  return name === undefined || isInstalled(name, importer) ? undefined : `To install it: rusk add ${name}`;
}

function isInstalled(name, importer) {
  return paths.nodeModules(paths.dirname(importer)).some((directory) => loader.kind(`${directory}/${name}`) === 2);
}

/** The specifier that was probably meant: `require` would resolve it. */
function suggestSpecifier(specifier, importer) {
  const { pathToFileURL } = require('internal/url');
  const found = loader.resolve(specifier, importer, loader.importer.FILE, false);
  if (found[0] !== 0 || !/[^/]/.test(specifier)) return undefined;
  const directory = paths.dirname(importer);
  const encode = (path) => pathToFileURL(path).pathname.slice(1);
  if (/^\.{0,2}\//.test(specifier)) {
    const relative = require('path').relative(directory, found[1]);
    const text = encode(`/${relative.replace(/^(?:\.\.\/)+/, '')}`);
    const up = /^(?:\.\.\/)+/.exec(relative)?.[0] ?? './';
    return up + text;
  }
  const at = found[1].lastIndexOf('/node_modules/');
  if (!specifier.includes('/')) return `./${encode(`/${require('path').relative(directory, found[1])}`)}`;
  return at === -1 ? undefined : encode(found[1].slice(at + '/node_modules'.length));
}

module.exports = { ofCommonJs, requireOfModule, ofModule, missingNamedExport, withImportPosition, hintOf };
