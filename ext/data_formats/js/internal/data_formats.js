// Data that programs import beside JSON, as `import` and Bun give it. In: a text. Out: its value,
// or a SyntaxError with the place. What stands in several places of YAML is one value there.
// Absent: reading files.
'use strict';

const formats = internalBinding('data_formats');

/** What crates/data-formats/src/graph.rs says: a tree, or nodes that name each other. */
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
  jsonc: (text) => JSON.parse(formats.jsonc(text)),
  toml: (text) => valueOf(formats.toml(text)),
  yaml: (text) => valueOf(formats.yaml(text)),
};

module.exports = {
  parsers,
  parseJsonc: parsers.jsonc,
  parseToml: parsers.toml,
  parseYaml: parsers.yaml,
};
