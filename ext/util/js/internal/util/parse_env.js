// Parser of `.env` files (`util.parseEnv`). In: the content. Out: an object of names and values. A
// value may have one of three kinds of quotes, and several lines then; without quotes it ends with
// its line or at a `#`. `\n` is a line break only in double quotes.
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
    // A line without `=` is ignored.
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
    const [value, after] = readValue(rest);
    variables[name] = value;
    rest = after.trimStart();
  }
  return variables;
}

/** The value at the start of the text, and the text after its line. */
function readValue(text) {
  if (text === '' || text[0] === '\n') return ['', text.slice(1)];
  const trimmed = text.replace(/^[ \t]+/, '');
  const quote = trimmed[0];
  if (quote === '"' || quote === "'" || quote === '`') {
    const close = trimmed.indexOf(quote, 1);
    if (close !== -1) {
      const value = trimmed.slice(1, close);
      const line = trimmed.indexOf('\n', close);
      return [quote === '"' ? value.replaceAll('\\n', '\n') : value, line === -1 ? '' : trimmed.slice(line + 1)];
    }
  }
  const line = text.indexOf('\n');
  const whole = line === -1 ? text : text.slice(0, line);
  const comment = whole.indexOf('#');
  return [(comment === -1 ? whole : whole.slice(0, comment)).trim(), line === -1 ? '' : text.slice(line + 1)];
}

module.exports = { parseEnv };
