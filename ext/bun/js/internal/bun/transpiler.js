// `Bun.Transpiler`. In: texts of TypeScript, JSX, JavaScript. Out: JavaScript with its modules as
// they are, what a text imports and exports. What is JavaScript already stays as it is written;
// what it calls of ours stands behind it. Absent: macros, exports taken away, minifying; asked for,
// they are refused.
'use strict';

const binding = internalBinding('transpiler');
const { toUint8Array } = require('internal/bun/bytes');
const { invalidArgType } = require('internal/bun/environment');

/** As src/natives/transpiler.rs numbers them. */
const LOADERS = ['js', 'jsx', 'ts', 'tsx'];
const REFUSED = ['macro', 'exports', 'minifyWhitespace', 'minify', 'inline'];

function loaderOf(loader, usual) {
  if (loader === undefined) return usual;
  const number = LOADERS.indexOf(loader);
  if (number === -1) throw invalidArgType('invalid loader - must be js, jsx, tsx, or ts');
  return number;
}

function sourceOf(code, name) {
  if (typeof code === 'string') return code;
  const view = toUint8Array(code);
  if (view === undefined) throw invalidArgType(`Expected code to be a string or Uint8Array for '${name}'.`);
  return new (require('web/encoding').TextDecoder)().decode(view);
}

/** The text, or a throw of what is wrong with it. */
function checked(answer) {
  if (!Array.isArray(answer) || typeof answer[0] !== 'string') return answer;
  const errors = [];
  for (let index = 0; index < answer.length; index += 4) {
    const [message, line, column, lineText] = answer.slice(index, index + 4);
    const error = new SyntaxError(message);
    error.name = 'BuildMessage';
    error.level = 'error';
    error.position = { lineText, file: 'input', namespace: 'file', line, column, length: 0 };
    errors.push(error);
  }
  throw errors.length === 1 ? errors[0] : new AggregateError(errors, 'Parse error');
}

/** The text, with the functions behind it that it calls. */
function whole(answer) {
  const outcome = checked(answer);
  if (typeof outcome === 'string') return outcome;
  const [[text, ...names]] = outcome;
  const helpers = require('internal/transpiler_helpers');
  let behind = '';
  for (let index = 0; index < names.length; index += 2) {
    const made = String(helpers[names[index]]);
    const call = made.startsWith('class') ? `new (${made})` : `(${made})`;
    behind += `function ${names[index + 1]}(...given) {\n  return ${call}(...given);\n}\n`;
  }
  return `${text}\n${behind}`;
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
    for (const name of REFUSED) {
      if (options[name]) {
        const { codes: { ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');
        throw new ERR_METHOD_NOT_IMPLEMENTED(`Bun.Transpiler's ${name}`);
      }
    }
    this.#loader = loaderOf(options.loader, LOADERS.indexOf('jsx'));
    this.#settings = settingsOf(options);
  }

  transformSync(code, loader) {
    return whole(binding.transform(sourceOf(code, 'transformSync'), loaderOf(loader, this.#loader), this.#settings));
  }

  transform(code, loader) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const number = loaderOf(loader, this.#loader);
    binding.transformLater(sourceOf(code, 'transform'), number, this.#settings, (answer) => {
      try {
        resolve(whole(answer));
      } catch (error) {
        reject(error);
      }
    });
    return promise;
  }

  /** Static imports come first, `require` is left to `scanImports`. */
  scan(code) {
    const [imports, exports] = this.#outline(code, 'scan');
    const isStatic = ({ kind }) => kind === 'import-statement';
    const others = imports.filter((each) => !isStatic(each) && each.kind !== 'require-call');
    return { exports, imports: [...imports.filter(isStatic), ...others] };
  }

  scanImports(code) { return this.#outline(code, 'scanImports')[0].filter(({ kind }) => kind !== 'require-resolve'); }

  #outline(code, name) {
    const [flat, exports] = checked(binding.outline(sourceOf(code, name), this.#loader));
    const imports = [];
    for (let index = 0; index < flat.length; index += 2) imports.push({ kind: flat[index], path: flat[index + 1] });
    return [imports, exports];
  }
}
Object.defineProperty(Transpiler.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'Transpiler' });

module.exports = { Transpiler };
