// Files of variables (`.env`). In: the text. Out: an object of names and values. A value stands in
// quotes of three kinds, over several lines if it must, or ends with its line or at a `#`; `\n` is
// a new line between double quotes alone.
'use strict';

function parseEnv(content) {
  const variables = { __proto__: null };
  let rest = content.replaceAll('\r\n', '\n').replaceAll('\r', '\n').trim();
  while (rest !== '') {
    const end = rest.indexOf('\n');
    if (rest[0] === '#' || rest[0] === '\n') {
      if (end === -1) break;
      rest = rest.slice(end + 1).trimStart();
      continue;
    }
    const equals = rest.indexOf('=');
    // A line without a value is passed over.
    if (equals === -1 || (end !== -1 && end < equals)) {
      if (end === -1) break;
      rest = rest.slice(end + 1).trimStart();
      continue;
    }
    let name = rest.slice(0, equals).trim();
    rest = rest.slice(equals + 1);
    if (name === '') {
      const line = rest.indexOf('\n');
      rest = line === -1 ? '' : rest.slice(line + 1).trimStart();
      continue;
    }
    if (name.startsWith('export ')) name = name.slice('export '.length).trim();
    const [value, after] = takeValue(rest);
    variables[name] = value;
    rest = after.trimStart();
  }
  return variables;
}

/** The value at the beginning of the text, and what comes behind its line. */
function takeValue(text) {
  if (text === '' || text[0] === '\n') return ['', text.slice(1)];
  const begun = text.replace(/^[ \t]+/, '');
  const quote = begun[0];
  if (quote === '"' || quote === "'" || quote === '`') {
    const close = begun.indexOf(quote, 1);
    if (close !== -1) {
      const value = begun.slice(1, close);
      const line = begun.indexOf('\n', close);
      return [quote === '"' ? value.replaceAll('\\n', '\n') : value, line === -1 ? '' : begun.slice(line + 1)];
    }
  }
  const line = text.indexOf('\n');
  const whole = line === -1 ? text : text.slice(0, line);
  const comment = whole.indexOf('#');
  return [(comment === -1 ? whole : whole.slice(0, comment)).trim(), line === -1 ? '' : text.slice(line + 1)];
}

module.exports = { parseEnv };
