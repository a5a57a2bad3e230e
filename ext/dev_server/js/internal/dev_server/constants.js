// Constants of pages: environment variables that `[serve.static] env` of bunfig.toml names, and
// those of `define`. In: the file of the current directory. Out: names and source texts of values
// in turn.
'use strict';

const NAME = /^[A-Za-z_]\w*$/;

function constants() {
  const { env: mode, define } = settings();
  return [...variables(mode), ...definitions(define)];
}

/** As in bun, a value is a string with the source text. */
function definitions(define) {
  if (typeof define !== 'object' || define === null) return [];
  return Object.entries(define).filter(([, value]) => typeof value === 'string').flat();
}

function variables(mode) {
  if (typeof mode !== 'string' || mode === 'disable') return [];
  const prefix = mode === 'inline' ? '' : mode.replace(/\*$/, '');
  const { env } = require('process');
  const names = Object.keys(env).filter((name) => name.startsWith(prefix) && NAME.test(name) && name !== 'NODE_ENV');
  return names.flatMap((name) => [`process.env.${name}`, JSON.stringify(env[name])]);
}

/** `[serve.static]` of bunfig.toml. */
function settings() {
  let text;
  try {
    text = require('fs').readFileSync('bunfig.toml', 'utf8');
  } catch {
    return {};
  }
  return require('internal/data_formats').parsers.toml(text)?.serve?.static ?? {};
}

module.exports = { constants, settings };
