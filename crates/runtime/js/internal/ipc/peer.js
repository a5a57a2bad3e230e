// Which form of `serialization: 'advanced'` a program speaks that is about to be started: Node's programs know V8's, bun's the engine's own, and neither says so before it has
// to read. In: a program as it is started, where it is looked for. Out: a form. Absent: our own programs, which find out what the other end speaks.
'use strict';

/** By a file's own name, whatever the links to it are called. */
const SPEAKERS = [[/^node(js)?$/, 'advanced'], [/^bun([-.]|$)/, 'bun']];

/** `otherwise`: of a program of another name. */
function formFor(file, { PATH, cwd }, otherwise) {
  const path = require('internal/bun/program').which(file, { PATH, cwd });
  if (path === null) return otherwise;
  let name;
  try {
    name = require('path').basename(require('internal/fs/sync').realpathSync(path));
  } catch {
    return otherwise;
  }
  return SPEAKERS.find(([names]) => names.test(name))?.[1] ?? otherwise;
}

module.exports = { formFor };
