// Data binding that programs import besides JSON, as in Bun. In: a source text. Out: its value, or
// a SyntaxError with the position. A YAML anchor and its aliases are one object. Absent: reading
// files.
'use strict';

const binding = internalBinding('data_formats');

/** From the form of crates/data-binding/src/graph.rs: a tree, or nodes that refer to each other. */
function valueOf(json) {
  const { value, nodes, numbers } = JSON.parse(json);
  if (nodes === undefined) return value;
  const root = nodes.pop();
  for (const id of Object.keys(numbers)) nodes[id] = Number(numbers[id]);
  for (const node of nodes) {
    if (node === null || typeof node !== 'object') continue;
    for (const key of Object.keys(node)) node[key] = nodes[node[key]];
  }
  return nodes[root];
}

const parsers = {
  __proto__: null,
  json: JSON.parse,
  jsonc: (text) => JSON.parse(binding.jsonc(text)),
  toml: (text) => valueOf(binding.toml(text)),
  yaml: (text) => valueOf(binding.yaml(text)),
  json5: (text) => valueOf(binding.json5(text)),
  // A string, or bytes, whose encoding the document declares.
  xml: (source) => valueOf(binding.xml(source)),
  md: (text) => binding.markdown(text),
};

module.exports = {
  parsers,
  parseJsonc: parsers.jsonc,
  parseToml: parsers.toml,
  parseYaml: parsers.yaml,
};
