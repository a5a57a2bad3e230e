// Data formats: `Bun.TOML`, `Bun.YAML`, `Bun.JSONC`, `Bun.JSON5`. In: a string, bytes or a Blob.
// Out: the parsed value, or a SyntaxError; also `stringify` of YAML and JSON5. Absent: that of
// TOML.
'use strict';

const { parseJsonc, parseToml, parseYaml, parsers } = require('internal/data_formats');
const { invalidArgType } = require('internal/bun/environment');

/** A parse function that accepts Bun's input types. */
function parserFor(parse) {
  return (input) => {
    const { bytesOf, isBlob } = require('internal/blob');
    if (typeof input === 'string') return parse(input);
    const view = require('internal/bun/bytes').toUint8Array(input) ?? (isBlob(input) ? bytesOf(input) : undefined);
    if (view === undefined) throw invalidArgType('input must be a string, ArrayBuffer, ArrayBufferView or Blob');
    return parse(new (require('web/encoding').TextDecoder)().decode(view));
  };
}

module.exports = {
  JSON5: {
    parse: parserFor(parsers.json5),
    stringify(value, replacer, space) { return require('internal/bun/json5').stringify(value, replacer, space); },
  },
  JSONC: { parse: parserFor(parseJsonc) },
  TOML: { parse: parserFor(parseToml) },
  YAML: {
    parse: parserFor(parseYaml),
    stringify(value, replacer, space) { return require('internal/bun/yaml').stringify(value, replacer, space); },
  },
};
