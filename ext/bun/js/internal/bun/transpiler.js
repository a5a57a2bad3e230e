// `Bun.Transpiler`. In: source text in TypeScript, JSX or JavaScript. Out: JavaScript with its
// import and export declarations, and lists of imports and exports. Helper functions that the code
// calls are appended. Absent: macros, removal of exports, minification; their options throw.
'use strict';

const binding = internalBinding('transpiler');
const { toUint8Array } = require('internal/bun/bytes');
const { invalidArgType } = require('internal/bun/environment');

const { loader: { JS, JSX, TS, TSX } } = binding;
const LOADERS = { __proto__: null, js: JS, jsx: JSX, ts: TS, tsx: TSX };
const UNSUPPORTED_OPTIONS = ['macro', 'exports', 'minifyWhitespace', 'minify', 'inline'];

function loaderOf(loader, defaultLoader) {
  if (loader === undefined) return defaultLoader;
  const number = typeof loader === 'string' ? LOADERS[loader] : undefined;
  if (number === undefined) throw invalidArgType('invalid loader - must be js, jsx, tsx, or ts');
  return number;
}

function sourceOf(code, name) {
  if (typeof code === 'string') return code;
  const view = toUint8Array(code);
  if (view === undefined) throw invalidArgType(`Expected code to be a string or Uint8Array for '${name}'.`);
  return new (require('web/encoding').TextDecoder)().decode(view);
}

/** Returns the binding's result; an array of errors is thrown. */
function checkResult(result) {
  if (!Array.isArray(result) || typeof result[0] !== 'string') return result;
  const errors = [];
  for (let index = 0; index < result.length; index += 4) {
    const [message, line, column, lineText] = result.slice(index, index + 4);
    const error = new SyntaxError(message);
    error.name = 'BuildMessage';
    error.level = 'error';
    error.position = { lineText, file: 'input', namespace: 'file', line, column, length: 0 };
    errors.push(error);
  }
  throw errors.length === 1 ? errors[0] : new AggregateError(errors, 'Parse error');
}

/** The transformed code, with the helper functions that it calls appended. */
function codeWithHelpers(nativeResult) {
  const result = checkResult(nativeResult);
  if (typeof result === 'string') return result;
  const [[code, ...names]] = result;
  const helpers = require('internal/transpiler_helpers');
  let appended = '';
  for (let index = 0; index < names.length; index += 2) {
    const source = String(helpers[names[index]]);
    const call = source.startsWith('class') ? `new (${source})` : `(${source})`;
    appended += `function ${names[index + 1]}(...args) {\n  return ${call}(...args);\n}\n`;
  }
  return `${code}\n${appended}`;
}

function settingsOf({ define, tsconfig }) {
  const settings = { defines: [], jsx: ['react'], isDevelopment: true, hasDecorators: false, hasMetadata: false, isStrict: false };
  for (const [name, value] of Object.entries(define ?? {})) {
    if (!binding.isDefine(name, `${value}`)) throw invalidArgType(`define "${name}" must be a name and a JSON string`);
    settings.defines.push(name, `${value}`);
  }
  const { compilerOptions = {} } = (typeof tsconfig === 'string' ? JSON.parse(tsconfig) : tsconfig) ?? {};
  const { jsx, jsxFactory = 'React.createElement', jsxFragmentFactory = 'React.Fragment', jsxImportSource = 'react' } = compilerOptions;
  settings.jsx = jsx === 'react' ? [jsxFactory, jsxFragmentFactory] : [jsxImportSource];
  settings.isDevelopment = jsx !== 'react-jsx';
  settings.hasDecorators = compilerOptions.experimentalDecorators === true;
  settings.hasMetadata = compilerOptions.emitDecoratorMetadata === true;
  settings.isStrict = (compilerOptions.strictNullChecks ?? compilerOptions.strict) === true;
  return settings;
}

class Transpiler {
  #loader;
  #settings;

  constructor(options = {}) {
    for (const name of UNSUPPORTED_OPTIONS) {
      if (options[name]) {
        const { codes: { ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');
        throw new ERR_METHOD_NOT_IMPLEMENTED(`Bun.Transpiler's ${name}`);
      }
    }
    this.#loader = loaderOf(options.loader, JSX);
    this.#settings = settingsOf(options);
  }

  transformSync(code, loader) {
    return codeWithHelpers(binding.transform(sourceOf(code, 'transformSync'), loaderOf(loader, this.#loader), this.#settings));
  }

  transform(code, loader) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const number = loaderOf(loader, this.#loader);
    binding.transformAsync(sourceOf(code, 'transform'), number, this.#settings, (result) => {
      try {
        resolve(codeWithHelpers(result));
      } catch (error) {
        reject(error);
      }
    });
    return promise;
  }

  /** Static imports come first; `require` calls are only in `scanImports`. */
  scan(code) {
    const [imports, exports] = this.#outline(code, 'scan');
    const isStatic = ({ kind }) => kind === 'import-statement';
    const others = imports.filter((each) => !isStatic(each) && each.kind !== 'require-call');
    return { exports, imports: [...imports.filter(isStatic), ...others] };
  }

  scanImports(code) { return this.#outline(code, 'scanImports')[0].filter(({ kind }) => kind !== 'require-resolve'); }

  #outline(code, name) {
    const [flat, exports] = checkResult(binding.outline(sourceOf(code, name), this.#loader));
    const imports = [];
    for (let index = 0; index < flat.length; index += 2) imports.push({ kind: flat[index], path: flat[index + 1] });
    return [imports, exports];
  }
}
Object.defineProperty(Transpiler.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'Transpiler' });

module.exports = { Transpiler };
