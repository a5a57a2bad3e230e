// Constants of pages: environment variables that `[serve.static] env` of bunfig.toml names. In: the
// file of the current directory. Out: names and source texts of values in turn.
'use strict';

const NAME = /^[A-Za-z_]\w*$/;

function constants() {
  const mode = settings().env;
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
