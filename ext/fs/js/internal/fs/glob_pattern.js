// Patterns of paths for walking and watching, over those of internal/path/glob.js. In: a pattern.
// Out: its parts, each a text, an expression or GLOBSTAR, also without `.` and `..`; and whether
// names match them. Absent: walking; that is glob.js.
'use strict';

const { GLOBSTAR, compile, fitsPart } = require('internal/path/glob');

const matchesPart = (part, name) => fitsPart(part, name, false);

/**
 * The parts of every pattern that the braces stand for, with no part empty but the first and the
 * last.
 */
function parse(pattern, dot = false) {
  return compile(pattern, false, dot).map((parts) => parts.filter((part, i, all) => (
    (part !== '' || i === 0 || i === all.length - 1) && (part !== GLOBSTAR || all[i - 1] !== GLOBSTAR))));
}

/**
 * The same without `.` and `..`, to match paths that have none. A directory's `..` may be above or,
 * behind `**`, anywhere.
 */
function simplify(parts) {
  const done = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    const before = done[done.length - 1];
    if (part === '.' || (part === '' && i > 0)) continue;
    if (part !== '..' || done.length === 0 || before === '..' || before === '') {
      done.push(part);
    } else if (before === GLOBSTAR) {
      const rest = parts.slice(i + 1);
      return [...simplify([...done.slice(0, -1), '..', ...rest]), ...simplify([...done, ...rest])];
    } else {
      done.pop();
    }
  }
  return [done];
}

function matchParts(parts, names, dot, at = 0, from = 0) {
  for (let i = at, j = from; ; i++, j++) {
    if (i === parts.length) return j === names.length;
    const part = parts[i];
    if (part === GLOBSTAR) {
      if (i === parts.length - 1) return names.slice(j).every((name) => isCrossed(name, dot)) && (j < names.length || i === 0);
      for (let k = j; k <= names.length; k++) {
        if (matchParts(parts, names, dot, i + 1, k)) return true;
        if (k < names.length && !isCrossed(names[k], dot)) return false;
      }
      return false;
    }
    if (j === names.length || !matchesPart(part, names[j])) return false;
  }
}

/** Whether `**` stands for a name among others. */
function isCrossed(name, dot) {
  return name !== '.' && name !== '..' && (dot || name[0] !== '.');
}

const namesIn = (path) => path.split('/').filter((name, i) => (name !== '' || i === 0) && name !== '.');

/** A pattern of `fs.watch`: one without a slash is of names, wherever they are. */
function compileIgnored(pattern) {
  const alternatives = parse(pattern, true).flatMap(simplify);
  return (path) => {
    const names = namesIn(path);
    return alternatives.some((parts) => matchParts(parts, parts.length === 1 ? names.slice(-1) : names, true));
  };
}

module.exports = { GLOBSTAR, compileIgnored, matchParts, matchesPart, namesIn, parse, simplify };
