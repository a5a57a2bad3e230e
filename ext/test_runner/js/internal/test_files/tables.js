// Tables of `.each`: a row's arguments, and its name from a title. In: the table, a title with
// printf directives or `$name`. Out: arguments and a name, as jest makes them.
'use strict';

const { inspect, format } = require('util');
const { inspect: inspectAsBun } = require('internal/bun/inspect');

/** An array is a row of several arguments, any other value one argument. */
const rowArguments = (row) => Array.isArray(row) ? row : [row];

/** The directives of jest. */
const DIRECTIVE = /%[sdifjoOp#%$]/g;
const VARIABLE = /\$(#|[\w$]+(?:\.[\w$]+)*)/g;

const inspectShort = (value) => inspect(value, { depth: 2, breakLength: Infinity, compact: 3 });

/**
 * Fills `%s`, `%d`, ..., `%#` (the row's index) and `%%`; then `$name` where the row is an object.
 */
function fillTitle(title, row, index) {
  const values = rowArguments(row);
  let next = 0;
  const filled = title.replace(DIRECTIVE, (directive) => {
    if (directive === '%%') return '%';
    if (directive === '%#') return `${index}`;
    if (directive === '%$') return `${index + 1}`;
    if (next >= values.length) return directive;
    const value = values[next++];
    if (directive === '%p') return inspectAsBun(value);
    if (directive === '%o' || directive === '%O') return inspectShort(value);
    return format(directive, value);
  });
  if (Array.isArray(row) || row === null || typeof row !== 'object') return filled;
  return filled.replace(VARIABLE, (whole, path) => {
    if (path === '#') return `${index}`;
    let value = row;
    for (const key of path.split('.')) {
      if (value === null || value === undefined || !(key in Object(value))) return whole;
      value = value[key];
    }
    return typeof value === 'string' ? value : inspectAsBun(value);
  });
}

/** Rows of a tagged template: a head of names, then values between `|`. */
function rowsOfTemplate(strings, values) {
  const head = strings[0].split('\n').map((line) => line.trim()).filter((line) => line !== '' && !/^(?:\/\/|\/\*)/.test(line))[0] ?? '';
  const names = head.split('|').map((name) => name.trim()).filter((name) => name !== '');
  if (names.length === 0 || values.length % names.length !== 0) {
    throw new Error(`.each: ${values.length} values do not fill rows of ${names.length} columns (${names.join(', ')})`);
  }
  const rows = [];
  for (let at = 0; at < values.length; at += names.length) {
    rows.push(Object.fromEntries(names.map((name, column) => [name, values[at + column]])));
  }
  return rows;
}

module.exports = { fillTitle, rowArguments, rowsOfTemplate };
