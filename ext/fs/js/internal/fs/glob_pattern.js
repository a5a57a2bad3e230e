// Glob patterns for searching and watching, on top of internal/path/glob.js. In: a pattern. Out:
// its parts, each a string, a regular expression or GLOBSTAR; whether names match them. Absent: the
// search (glob.js).
'use strict';

const { GLOBSTAR, compile, matchesPart: matchesGlobPart } = require('internal/path/glob');

const matchesPart = (part, name) => matchesGlobPart(part, name, false);

/** The parts of each alternative after brace expansion. Only the first and last may be empty. */
function parse(pattern, dot = false) {
  return compile(pattern, false, dot).map((parts) => parts.filter((part, i, all) => (
    (part !== '' || i === 0 || i === all.length - 1) && (part !== GLOBSTAR || all[i - 1] !== GLOBSTAR))));
}

/**
 * Removes `.` and `..`, to match paths that have none. `..` after `**` may be the parent of the
 * start or of any directory below it, so there are two alternatives.
 */
function simplify(parts) {
  const simplified = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    const before = simplified[simplified.length - 1];
    if (part === '.' || (part === '' && i > 0)) continue;
    if (part !== '..' || simplified.length === 0 || before === '..' || before === '') {
      simplified.push(part);
    } else if (before === GLOBSTAR) {
      const rest = parts.slice(i + 1);
      return [...simplify([...simplified.slice(0, -1), '..', ...rest]), ...simplify([...simplified, ...rest])];
    } else {
      simplified.pop();
    }
  }
  return [simplified];
}

function matchParts(parts, names, dot, at = 0, from = 0) {
  for (let i = at, j = from; ; i++, j++) {
    if (i === parts.length) return j === names.length;
    const part = parts[i];
    if (part === GLOBSTAR) {
      if (i === parts.length - 1) return names.slice(j).every((name) => globstarMatches(name, dot)) && (j < names.length || i === 0);
      for (let k = j; k <= names.length; k++) {
        if (matchParts(parts, names, dot, i + 1, k)) return true;
        if (k < names.length && !globstarMatches(names[k], dot)) return false;
      }
      return false;
    }
    if (j === names.length || !matchesPart(part, names[j])) return false;
  }
}

/** Whether `**` matches a name. */
function globstarMatches(name, dot) {
  return name !== '.' && name !== '..' && (dot || name[0] !== '.');
}

const splitPath = (path) => path.split('/').filter((name, i) => (name !== '' || i === 0) && name !== '.');

/** Predicate for an `ignore` pattern of `fs.watch`: one without a slash matches the last name. */
function compileIgnored(pattern) {
  const alternatives = parse(pattern, true).flatMap(simplify);
  return (path) => {
    const names = splitPath(path);
    return alternatives.some((parts) => matchParts(parts, parts.length === 1 ? names.slice(-1) : names, true));
  };
}

module.exports = { GLOBSTAR, compileIgnored, matchParts, matchesPart, splitPath, parse, simplify };
