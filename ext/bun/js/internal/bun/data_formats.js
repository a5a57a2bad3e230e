// Texts of data: `Bun.TOML`, `Bun.YAML`, `Bun.JSONC`. In: a text, bytes or a blob. Out: its value,
// or a SyntaxError; of YAML also the other way. Absent: making the others of values.
'use strict';

const { parseJsonc, parseToml, parseYaml } = require('internal/data_formats');
const { invalidArgType } = require('internal/bun/environment');

/** A function that takes what bun's takes. */
function reading(parse) {
  return (input) => {
    const { bytesOf, isBlob } = require('internal/blob');
    if (typeof input === 'string') return parse(input);
    const view = require('internal/bun/bytes').toUint8Array(input) ?? (isBlob(input) ? bytesOf(input) : undefined);
    if (view === undefined) throw invalidArgType('input must be a string, ArrayBuffer, ArrayBufferView or Blob');
    return parse(new (require('web/encoding').TextDecoder)().decode(view));
  };
}

module.exports = {
  JSONC: { parse: reading(parseJsonc) },
  TOML: { parse: reading(parseToml) },
  YAML: {
    parse: reading(parseYaml),
    stringify(value, replacer, space) { return require('internal/bun/yaml').stringify(value, replacer, space); },
  },
};
