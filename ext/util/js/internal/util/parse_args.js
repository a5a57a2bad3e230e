// `util.parseArgs`: parser of command-line arguments. In: arguments, options. Out: { values,
// positionals, tokens }. The arguments are split into tokens, for which only the options with a
// value matter; then each token is checked.
'use strict';

const {
  codes: { ERR_INVALID_ARG_VALUE, ERR_PARSE_ARGS_INVALID_OPTION_VALUE, ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL, ERR_PARSE_ARGS_UNKNOWN_OPTION },
} = require('internal/errors');
const {
  validateArray, validateBoolean, validateBooleanArray, validateObject, validateString, validateStringArray, validateUnion,
} = require('internal/validators');

const hasOwn = (object, key) => object != null && Object.hasOwn(object, key);
const isLone = (arg) => arg.length === 2 && arg[0] === '-' && arg[1] !== '-';
const isGroup = (arg) => arg.length > 2 && arg[0] === '-' && arg[1] !== '-';
const isLong = (arg) => arg.length > 2 && arg.startsWith('--');
const looksLikeOption = (value) => value != null && value.length > 1 && value[0] === '-';

function ownArguments() {
  const { argv, execArgv } = require('process');
  const hasScript = !execArgv.some((arg) => ['-e', '--eval', '-p', '--print'].includes(arg));
  return argv.slice(hasScript ? 2 : 1);
}

function parseArgs(config = {}) {
  const get = (key, absent) => hasOwn(config, key) && config[key] !== undefined ? config[key] : absent;
  const args = get('args', undefined) ?? ownArguments();
  const strict = get('strict', true);
  const settings = {
    strict,
    allowPositionals: get('allowPositionals', !strict),
    allowNegative: get('allowNegative', false),
    options: get('options', { __proto__: null }),
  };
  const returnTokens = get('tokens', false);
  validateArray(args, 'args');
  validateBoolean(strict, 'strict');
  validateBoolean(settings.allowPositionals, 'allowPositionals');
  validateBoolean(settings.allowNegative, 'allowNegative');
  validateBoolean(returnTokens, 'tokens');
  validateObject(settings.options, 'options');
  checkTable(settings.options);
  const tokens = tokenize(args, settings.options);
  const result = { values: { __proto__: null }, positionals: [] };
  if (returnTokens) result.tokens = tokens;
  for (const token of tokens) take(token, result, settings);
  for (const [name, option] of Object.entries(settings.options)) {
    if (hasOwn(option, 'default') && option.default !== undefined && !hasOwn(result.values, name)) result.values[name] = option.default;
  }
  return result;
}

function checkTable(options) {
  for (const [name, option] of Object.entries(options)) {
    validateObject(option, `options.${name}`);
    const type = hasOwn(option, 'type') ? option.type : undefined;
    validateUnion(type, `options.${name}.type`, ['string', 'boolean']);
    if (hasOwn(option, 'short')) {
      validateString(option.short, `options.${name}.short`);
      if (option.short.length !== 1) throw new ERR_INVALID_ARG_VALUE(`options.${name}.short`, option.short, 'must be a single character');
    }
    const multiple = hasOwn(option, 'multiple') ? option.multiple : undefined;
    if (hasOwn(option, 'multiple')) validateBoolean(multiple, `options.${name}.multiple`);
    if (hasOwn(option, 'default') && option.default !== undefined) checkDefault(option.default, `options.${name}.default`, type, multiple);
  }
}

function checkDefault(value, name, type, multiple) {
  if (type === 'string') (multiple ? validateStringArray : validateString)(value, name);
  else (multiple ? validateBooleanArray : validateBoolean)(value, name);
}

function longName(short, options) {
  for (const [name, option] of Object.entries(options)) if (hasOwn(option, 'short') && option.short === short) return name;
  return short;
}

function takesValue(name, options) {
  return hasOwn(options, name) && options[name].type === 'string';
}

/** Tokens of options, positionals and the terminator, with the indices of their arguments. */
function tokenize(args, options) {
  const tokens = [];
  // Options of a short option group have the index of their argument.
  const rest = args.map((arg, index) => [arg, index]);
  while (rest.length > 0) {
    const [arg, index] = rest.shift();
    const next = rest.length > 0 && rest[0][1] !== index ? rest[0][0] : undefined;
    if (arg === '--') {
      tokens.push({ kind: 'option-terminator', index });
      for (const [value, index] of rest) tokens.push({ kind: 'positional', index, value });
      break;
    }
    if (isLone(arg)) {
      const name = longName(arg[1], options);
      const hasValue = takesValue(name, options) && next !== undefined;
      if (hasValue) rest.shift();
      tokens.push(option(name, arg, index, hasValue ? next : undefined, hasValue ? false : undefined));
    } else if (isGroup(arg)) {
      openGroup(arg, index, options, rest, tokens);
    } else if (isLong(arg)) {
      const equals = arg.indexOf('=', 3);
      const name = equals === -1 ? arg.slice(2) : arg.slice(2, equals);
      if (equals !== -1) {
        tokens.push(option(name, `--${name}`, index, arg.slice(equals + 1), true));
        continue;
      }
      const hasValue = takesValue(name, options) && next !== undefined;
      if (hasValue) rest.shift();
      tokens.push(option(name, arg, index, hasValue ? next : undefined, hasValue ? false : undefined));
    } else {
      tokens.push({ kind: 'positional', index, value: arg });
    }
  }
  return tokens;
}

function option(name, rawName, index, value, inlineValue) {
  return { kind: 'option', name, rawName, index, value, inlineValue };
}

/** Short option group `-abc`: the rest after the first option with a value is its value. */
function openGroup(arg, index, options, rest, tokens) {
  const first = longName(arg[1], options);
  if (takesValue(first, options)) {
    tokens.push(option(first, `-${arg[1]}`, index, arg.slice(2), true));
    return;
  }
  const shortOptions = [];
  for (let i = 1; i < arg.length; i++) {
    const isLast = i === arg.length - 1;
    if (!takesValue(longName(arg[i], options), options) || isLast) {
      shortOptions.push([`-${arg[i]}`, index]);
    } else {
      shortOptions.push([`-${arg.slice(i)}`, index]);
      break;
    }
  }
  // The last option may take the next argument as its value.
  for (const shortOption of shortOptions.slice(0, -1)) {
    const name = longName(shortOption[0][1], options);
    tokens.push(option(name, shortOption[0], index, undefined, undefined));
  }
  rest.unshift(shortOptions[shortOptions.length - 1]);
}

function take(token, result, settings) {
  if (token.kind === 'positional') {
    if (!settings.allowPositionals) throw new ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL(token.value);
    result.positionals.push(token.value);
  } else if (token.kind === 'option') {
    if (settings.strict) {
      checkUse(token, settings);
      checkLikeness(token);
    }
    store(token, result.values, settings);
  }
}

/** Checks that the option is known, and has a value if and only if it takes one. */
function checkUse(token, { options, allowPositionals, allowNegative }) {
  const isNegated = allowNegative && !hasOwn(options, token.name) && token.name.startsWith('no-');
  const name = isNegated && options[token.name.slice(3)]?.type === 'boolean' ? token.name.slice(3) : token.name;
  if (!hasOwn(options, name)) throw new ERR_PARSE_ARGS_UNKNOWN_OPTION(token.rawName, allowPositionals);
  const { short, type } = options[name];
  const shown = `${short ? `-${short}, ` : ''}--${name}`;
  if (type === 'string' && typeof token.value !== 'string') throw new ERR_PARSE_ARGS_INVALID_OPTION_VALUE(`Option '${shown} <value>' argument missing`);
  if (type === 'boolean' && token.value != null) throw new ERR_PARSE_ARGS_INVALID_OPTION_VALUE(`Option '${shown}' does not take an argument`);
}

/** Rejects a value that looks like an option: most often the value was forgotten. */
function checkLikeness(token) {
  if (token.inlineValue || !looksLikeOption(token.value)) return;
  const example = token.rawName.startsWith('--') ? `'${token.rawName}=-XYZ'` : `'--${token.name}=-XYZ' or '${token.rawName}-XYZ'`;
  throw new ERR_PARSE_ARGS_INVALID_OPTION_VALUE(`Option '${token.rawName}' argument is ambiguous.
Did you forget to specify the option argument for '${token.rawName}'?
To specify an option argument starting with a dash use ${example}.`);
}

function store(token, values, { options, allowNegative }) {
  let { name, value } = token;
  if (name === '__proto__') return;
  let isOn = true;
  if (allowNegative && name.startsWith('no-') && value === undefined && !hasOwn(options, name)) {
    const positive = name.slice(3);
    name = positive;
    token.name = positive;
    isOn = false;
  }
  const stored = value ?? isOn;
  if (hasOwn(options, name) && options[name].multiple) {
    values[name] ??= [];
    values[name].push(stored);
  } else {
    values[name] = stored;
  }
}

module.exports = { parseArgs };
