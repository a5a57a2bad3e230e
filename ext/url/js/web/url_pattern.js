// `URLPattern`, as in the URL Pattern Standard. In: a pattern as a string or as components. Out:
// whether URLs match, and the groups. Absent: parsing of strings
// (url_pattern/constructor_string.js), regular expressions of components
// (url_pattern/component.js).
'use strict';

const { forbidCloning, markHostObject } = require('internal/messaging/symbols');
const { codes } = require('internal/errors');
const canonical = require('web/url_pattern/canonicalization');
const { HOSTNAME, PATHNAME, DEFAULT, compile } = require('web/url_pattern/component');
const { isSpecial, parse } = require('web/url_pattern/constructor_string');
const { NAMES, complete, membersOf } = require('web/url_pattern/init');

const EMPTY = Object.freeze(Object.fromEntries(NAMES.map((name) => [name, ''])));

function wrongType(message) {
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
}

const isObject = (value) => typeof value === 'object' && value !== null;

/** Resolves the overloads: (input, base, options) or (input, options). */
function readArguments(input, second, third, count) {
  if (input !== undefined && typeof input !== 'string' && !isObject(input)) throw wrongType('Input must be an object or a string');
  let base;
  let options = third;
  if (count > 1 && second !== undefined) {
    if (typeof second === 'string') base = second;
    else if (isObject(second) && count === 2) options = second;
    else throw wrongType('second argument must be a string or object');
  }
  if (options !== undefined && !isObject(options)) throw wrongType('options must be an object');
  const ignoreCase = options?.ignoreCase;
  if (ignoreCase !== undefined && typeof ignoreCase !== 'boolean') throw wrongType('options.ignoreCase must be a boolean');
  const init = isObject(input) ? membersOf(input) : input ?? {};
  return { init, base, ignoresCase: ignoreCase === true };
}

function componentsOf({ init, base, ignoresCase }) {
  let members = init;
  if (typeof init === 'string') {
    members = parse(init);
    if (base === undefined && members.protocol === undefined) throw new TypeError('a base is required');
    if (base !== undefined) members.baseURL = base;
  } else if (base !== undefined) {
    throw new TypeError('a base requires a string');
  }
  const patterns = complete(members, { isPattern: true });
  for (const name of NAMES) patterns[name] ??= '*';
  if (canonical.SPECIAL.get(patterns.protocol) === patterns.port) patterns.port = '';
  const protocol = compile(patterns.protocol, canonical.protocol, DEFAULT);
  const isWeb = isSpecial(protocol);
  const path = isWeb ? [canonical.pathname, PATHNAME] : [canonical.opaquePathname, DEFAULT];
  return {
    protocol,
    username: compile(patterns.username, canonical.username, DEFAULT),
    password: compile(patterns.password, canonical.password, DEFAULT),
    hostname: compile(patterns.hostname, hostnameOf(patterns.hostname, isWeb), HOSTNAME),
    port: compile(patterns.port, canonical.portOf(''), DEFAULT),
    pathname: compile(patterns.pathname, ...path, ignoresCase),
    search: compile(patterns.search, canonical.search, DEFAULT, ignoresCase),
    hash: compile(patterns.hash, canonical.hash, DEFAULT, ignoresCase),
  };
}

/** An IPv6 address is in brackets, which `{` or an escape may precede. */
function hostnameOf(pattern, isWeb) {
  if (/^(?:\[.|[{\\]\[)/s.test(pattern)) return canonical.ipv6Hostname;
  return isWeb ? canonical.hostname : canonical.opaqueHostname;
}

/** The components of a URL, and the `inputs` of the result; undefined: it is invalid. */
function urlOf(input, base) {
  if (isObject(input)) {
    const members = membersOf(input);
    return { inputs: [members], parts: complete(members, { isPattern: false, defaults: EMPTY }) };
  }
  const { URL } = require('web/url');
  const url = URL.parse(input, base);
  if (url === null) return undefined;
  const { username, password, hostname, port, pathname } = url;
  return {
    inputs: base === undefined ? [input] : [input, base],
    parts: { protocol: url.protocol.slice(0, -1), username, password, hostname, port, pathname, search: url.search.slice(1), hash: url.hash.slice(1) },
  };
}

class Pattern {
  #components;

  constructor(args) {
    try {
      this.#components = componentsOf(args);
    } catch {
      throw Object.assign(new TypeError('Failed to construct URLPattern'), { code: 'ERR_INVALID_URL_PATTERN' });
    }
  }

  static component(pattern, name) {
    return Pattern.#of(pattern)[name];
  }

  static #of(pattern) {
    if (!isObject(pattern) || !(#components in pattern)) throw new TypeError('Illegal invocation');
    return pattern.#components;
  }

  static match(pattern, name, args) {
    const components = Pattern.#of(pattern);
    const [input = {}, base] = args;
    if (typeof input !== 'string' && !isObject(input)) throw wrongType('URLPattern input needs to be a string or an object');
    if (args.length > 1 && typeof base !== 'string') throw wrongType('baseURL must be a string');
    if (isObject(input) && base !== undefined) {
      throw Object.assign(new TypeError(`Failed to ${name} URLPattern`), { code: 'ERR_OPERATION_FAILED' });
    }
    let url;
    try {
      url = urlOf(input, base);
    } catch {
      // Invalid components match nothing.
    }
    if (url === undefined) return null;
    const result = { __proto__: null, inputs: url.inputs };
    for (const part of NAMES) {
      const { regExp, names } = components[part];
      const groups = regExp.exec(url.parts[part]);
      if (groups === null) return null;
      result[part] = { input: url.parts[part], groups: Object.fromEntries(names.map((group, index) => [group, groups[index + 1]])) };
    }
    return result;
  }

  static some(pattern, key) {
    const components = Pattern.#of(pattern);
    return NAMES.some((name) => components[name][key]);
  }
}

function URLPattern(...args) {
  if (new.target === undefined) {
    throw Object.assign(new codes.ERR_CONSTRUCT_CALL_REQUIRED('URLPattern'), { message: 'Cannot call constructor without `new`' });
  }
  return Reflect.construct(Pattern, [readArguments(args[0], args[1], args[2], args.length)], new.target);
}
Object.defineProperty(URLPattern, 'length', { __proto__: null, value: 0, configurable: true });

for (const name of NAMES) {
  Object.defineProperty(URLPattern.prototype, name, {
    __proto__: null, enumerable: true, configurable: true, get() { return Pattern.component(this, name).pattern; },
  });
}
Object.defineProperty(URLPattern.prototype, 'hasRegExpGroups', {
  __proto__: null, enumerable: true, configurable: true, get() { return Pattern.some(this, 'hasRegExp'); },
});
const methods = {
  exec(...args) { return Pattern.match(this, 'exec', args); },
  test(...args) { return Pattern.match(this, 'test', args) !== null; },
};
for (const name of ['exec', 'test']) {
  Object.defineProperty(methods[name], 'length', { __proto__: null, value: 0, configurable: true });
  URLPattern.prototype[name] = methods[name];
}

forbidCloning(URLPattern, 'protocol');
markHostObject(URLPattern);

module.exports = { URLPattern };
