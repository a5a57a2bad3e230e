// `node:util` in browsers: formatting, types, callbacks and promises. Absent: what needs the engine
// (previews of proxies and promises), arguments of programs.
'use strict';

const { codes } = require('internal/errors');
const { validateFunction } = require('internal/validators');

const kCustom = Symbol.for('nodejs.util.inspect.custom');
const kPromisify = Symbol.for('nodejs.util.promisify.custom');
const LINE_CHARACTERS = 72;

function quoted(text) {
  const quote = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes('`') ? '`' : "'";
  const escapes = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\b': '\\b', '\f': '\\f', '\v': '\\v', '\\': '\\\\' };
  const escaped = text.replace(/[\n\t\r\b\f\v\\]/g, (one) => escapes[one]);
  return `${quote}${quote === "'" ? escaped.replace(/'/g, "\\'") : escaped}${quote}`;
}

function inspect(value, options, depth) {
  const settings = typeof options === 'boolean' ? { showHidden: options, depth } : { ...options };
  const levels = settings.depth === null ? Infinity : settings.depth ?? 2;
  return show(value, { levels, settings, above: [] });
}

function show(value, { levels, settings, above }) {
  switch (typeof value) {
    case 'string': return quoted(value);
    case 'bigint': return `${value}n`;
    case 'number': return Object.is(value, -0) ? '-0' : String(value);
    case 'function': case 'object': break;
    default: return String(value);
  }
  if (value === null) return 'null';
  if (typeof value[kCustom] === 'function' && value[kCustom] !== inspect) {
    const custom = value[kCustom](levels, settings, inspect);
    return typeof custom === 'string' ? custom : show(custom, { levels, settings, above });
  }
  if (above.includes(value)) return '[Circular *1]';
  return showObject(value, { levels, settings, above });
}

function showObject(value, { levels, settings, above }) {
  const prototype = Object.getPrototypeOf(value);
  const name = prototype === null ? '[Object: null prototype]' : prototype.constructor?.name ?? 'Object';
  const keys = Reflect.ownKeys(value).filter((key) => settings.showHidden || Object.prototype.propertyIsEnumerable.call(value, key));
  const inner = (child) => show(child, { levels: levels - 1, settings, above: [...above, value] });
  const entry = (key) => {
    const { get, set, value: own } = Object.getOwnPropertyDescriptor(value, key);
    const label = typeof key === 'symbol' ? String(key) : /^[\w$]+$/.test(key) ? key : quoted(key);
    return `${label}: ${get !== undefined ? set !== undefined ? '[Getter/Setter]' : '[Getter]' : set !== undefined ? '[Setter]' : inner(own)}`;
  };
  const isIndex = (key) => typeof key === 'string' && /^\d+$/.test(key);
  const named = (without) => keys.filter((key) => !without(key));
  const limited = (tag) => levels < 0 ? `[${tag}]` : undefined;
  if (Array.isArray(value)) {
    const prefix = name === 'Array' ? '' : `${name}(${value.length}) `;
    const shown = [];
    for (let at = 0; at < Math.min(value.length, 100); at++) {
      const first = at;
      while (at < value.length && !(at in value)) at++;
      if (at > first) shown.push(`<${at - first} empty item${at - first > 1 ? 's' : ''}>`);
      if (at in value) shown.push(inner(value[at]));
    }
    if (value.length > 100) shown.push(`... ${value.length - 100} more items`);
    return limited('Array') ?? join(prefix, '[', [...shown, ...named(isIndex).map(entry)], ']');
  }
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    return limited(name) ?? join(`${name}(${value.length}) `, '[', Array.from(value.slice(0, 100), inner), ']');
  }
  if (typeof value === 'function') {
    const kind = /^class\b/.test(Function.prototype.toString.call(value)) ? 'class' : 'Function';
    const parent = Object.getPrototypeOf(value)?.name;
    const base = kind === 'class' ? `[class ${value.name || '(anonymous)'}${parent ? ` extends ${parent}` : ''}]` : `[${name}${value.name ? `: ${value.name}` : ' (anonymous)'}]`;
    return keys.length === 0 ? base : join(`${base} `, '{', keys.map(entry), '}');
  }
  if (value instanceof Error) {
    const text = value.stack?.includes(value.message) ? value.stack : `${value.stack ?? ''}` || String(value);
    const own = named((key) => key === 'stack' || key === 'message');
    return own.length === 0 ? text : join(`${text} `, '{', own.map(entry), '}');
  }
  if (value instanceof RegExp) return String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof Promise) return 'Promise { <pending> }';
  if (value instanceof Map) {
    return limited(name) ?? join(`${name}(${value.size}) `, '{', [...[...value].map(([key, item]) => `${inner(key)} => ${inner(item)}`), ...keys.map(entry)], '}');
  }
  if (value instanceof Set) return limited(name) ?? join(`${name}(${value.size}) `, '{', [...[...value].map(inner), ...keys.map(entry)], '}');
  for (const Boxed of [String, Number, Boolean, Symbol, BigInt]) {
    if (value instanceof Boxed) return `[${Boxed.name}: ${show(value.valueOf(), { levels, settings, above })}]`;
  }
  const tag = value[Symbol.toStringTag];
  const label = typeof tag === 'string' && tag !== '' && tag !== name ? `${name} [${tag}] ` : name === 'Object' ? '' : `${name} `;
  return limited(label.trim() || 'Object') ?? join(label, '{', keys.map(entry), '}');
}

function join(prefix, open, items, close) {
  if (items.length === 0) return `${prefix}${open}${close}`;
  const line = `${prefix}${open} ${items.join(', ')} ${close}`;
  if (line.length <= LINE_CHARACTERS && !line.includes('\n')) return line;
  return `${prefix}${open}\n  ${items.map((item) => item.replace(/\n/g, '\n  ')).join(',\n  ')}\n${close}`;
}

inspect.custom = kCustom;
inspect.defaultOptions = { depth: 2 };

function format(first, ...values) {
  const text = (value) => typeof value === 'string' ? value : inspect(value);
  if (typeof first !== 'string') return [first, ...values].map(text).join(' ');
  const used = first.replace(/%[sdifjoOc%]/g, (directive) => {
    if (directive === '%%') return '%';
    if (values.length === 0) return directive;
    const value = values.shift();
    switch (directive) {
      case '%s': return typeof value === 'bigint' ? `${value}n` : typeof value === 'object' && value !== null ? inspect(value, { depth: 0 }) : String(value);
      case '%d': return typeof value === 'bigint' ? `${value}n` : String(Number(value));
      case '%i': return typeof value === 'bigint' ? `${value}n` : String(parseInt(value, 10));
      case '%f': return String(parseFloat(value));
      case '%j': return JSON.stringify(value);
      case '%c': return '';
      default: return inspect(value, { depth: 4 });
    }
  });
  return [used, ...values.map(text)].join(' ');
}

function promisify(original) {
  validateFunction(original, 'original');
  if (original[kPromisify] !== undefined) return original[kPromisify];
  const promised = function promised(...values) {
    return new Promise((resolve, reject) => {
      original.call(this, ...values, (error, value) => error ? reject(error) : resolve(value));
    });
  };
  return Object.defineProperties(Object.setPrototypeOf(promised, Object.getPrototypeOf(original)), Object.getOwnPropertyDescriptors(original));
}

promisify.custom = kPromisify;

function callbackify(original) {
  validateFunction(original, 'original');
  return function callbackified(...values) {
    const callback = values.pop();
    original.apply(this, values).then(
      (value) => queueMicrotask(() => callback(null, value)),
      (error) => queueMicrotask(() => callback(error ?? new Error('Promise was rejected with a falsy value'))),
    );
  };
}

function inherits(constructor, base) {
  Object.defineProperty(constructor, 'super_', { value: base, writable: true, configurable: true });
  Object.setPrototypeOf(constructor.prototype, base.prototype);
}

function deprecate(original, message) {
  let isWarned = false;
  return function deprecated(...values) {
    if (!isWarned) console.warn(`DeprecationWarning: ${message}`);
    isWarned = true;
    return new.target === undefined ? original.apply(this, values) : Reflect.construct(original, values, new.target);
  };
}

/** Whether values are the same in all that programs see; `isStrict` as `deepStrictEqual`. */
function isDeepEqual(one, other, isStrict, above = []) {
  if (Object.is(one, other) || (!isStrict && one == other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (isStrict && Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  if (Object.prototype.toString.call(one) !== Object.prototype.toString.call(other)) return false;
  if (above.some(([left, right]) => left === one && right === other)) return true;
  const inner = [...above, [one, other]];
  const equal = (left, right) => isDeepEqual(left, right, isStrict, inner);
  if (one instanceof Date || one instanceof Number || one instanceof String || one instanceof Boolean) {
    if (!Object.is(one.valueOf(), other.valueOf())) return false;
  } else if (one instanceof RegExp) {
    if (String(one) !== String(other)) return false;
  } else if (one instanceof Error) {
    if (one.message !== other.message || one.name !== other.name) return false;
  } else if (one instanceof Map) {
    if (one.size !== other.size) return false;
    const rest = [...other];
    for (const [key, value] of one) {
      const at = rest.findIndex(([otherKey, otherValue]) => equal(key, otherKey) && equal(value, otherValue));
      if (at < 0) return false;
      rest.splice(at, 1);
    }
  } else if (one instanceof Set) {
    if (one.size !== other.size) return false;
    const rest = [...other];
    for (const value of one) {
      const at = rest.findIndex((otherValue) => equal(value, otherValue));
      if (at < 0) return false;
      rest.splice(at, 1);
    }
  }
  const keys = Reflect.ownKeys(one).filter((key) => Object.prototype.propertyIsEnumerable.call(one, key));
  const count = Reflect.ownKeys(other).filter((key) => Object.prototype.propertyIsEnumerable.call(other, key)).length;
  return keys.length === count && keys.every((key) => Object.hasOwn(other, key) && equal(one[key], other[key]));
}

const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1);
const types = { isNativeError: (value) => value instanceof Error, isAnyArrayBuffer: (value) => /ArrayBuffer$/.test(tagOf(value)), isArrayBufferView: ArrayBuffer.isView };
const TAGS = ['Date', 'RegExp', 'Promise', 'Map', 'Set', 'WeakMap', 'WeakSet', 'ArrayBuffer', 'SharedArrayBuffer', 'DataView', 'GeneratorFunction', 'Uint8Array', 'Int8Array', 'Uint16Array', 'Int16Array', 'Uint32Array', 'Int32Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array', 'Uint8ClampedArray'];
for (const tag of TAGS) types[`is${tag}`] = (value) => tagOf(value) === tag;
Object.assign(types, {
  isTypedArray: (value) => ArrayBuffer.isView(value) && !(value instanceof DataView),
  isAsyncFunction: (value) => /^Async/.test(tagOf(value)),
  isBoxedPrimitive: (value) => typeof value === 'object' && [String, Number, Boolean, Symbol, BigInt].some((Boxed) => value instanceof Boxed),
});

const debuglog = () => Object.assign(() => {}, { enabled: false });

module.exports = {
  inspect,
  format,
  formatWithOptions: (_, ...values) => format(...values),
  promisify,
  callbackify,
  inherits,
  deprecate,
  types,
  debuglog,
  debug: debuglog,
  isDeepStrictEqual: (one, other) => isDeepEqual(one, other, true),
  isDeepEqual,
  stripVTControlCharacters: (text) => text.replace(/\u001b\[[\d;?]*[A-Za-z]|\u001b\][^\u0007]*\u0007/g, ''),
  toUSVString: (text) => String(text).toWellFormed(),
  aborted: (signal) => new Promise((resolve) => signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })),
  isArray: Array.isArray,
  isError: (value) => value instanceof Error,
  TextEncoder,
  TextDecoder,
  parseArgs() { throw new codes.ERR_METHOD_NOT_IMPLEMENTED('util.parseArgs'); },
};
