// The option `codeGeneration` of a context: no code from strings, no WebAssembly. In: the option,
// the context. Out: functions that generate code throw the context's errors. The engine's API has
// no switch for either, so the functions are replaced.
'use strict';

const WITHOUT_STRINGS = `(() => {
  const refuse = () => { throw new EvalError('Code generation from strings disallowed for this context'); };
  const put = (target, name, value) => Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
  const own = { eval() { refuse(); } };
  const kinds = [Function, (async () => {}).constructor, (function* () {}).constructor, (async function* () {}).constructor];
  for (const kind of kinds) put(kind.prototype, 'constructor', new Proxy(kind, { apply: refuse, construct: refuse }));
  return { eval: own.eval, Function: Function.prototype.constructor };
})()`;

const WITHOUT_WASM = `(() => {
  const { Module, CompileError } = WebAssembly;
  const refusal = (name) => new CompileError(\`WebAssembly.\${name}(): Wasm code generation disallowed by embedder\`);
  const put = (name, value) => Object.defineProperty(WebAssembly, name, { value, writable: true, enumerable: false, configurable: true });
  put('Module', new Proxy(Module, { construct() { throw refusal('Module'); } }));
  put('compile', async function compile() { throw refusal('compile'); });
  const { instantiate } = WebAssembly;
  put('instantiate', async function(source, imports) {
    if (!(source instanceof Module)) throw refusal('instantiate');
    return instantiate.call(WebAssembly, source, imports);
  });
})()`;

module.exports = function applyCodeGeneration(options, contextified) {
  // Not through the sandbox object, whose properties must not change.
  if (contextified.withoutSandbox === undefined) disable(options, contextified);
  else contextified.withoutSandbox(() => disable(options, contextified));
};

function disable({ strings = true, wasm = true }, { context, global }) {
  const { evaluate } = internalBinding('vm');
  if (!wasm) evaluate(context, WITHOUT_WASM, 'node:vm', 1);
  if (strings) return;
  const replacements = evaluate(context, WITHOUT_STRINGS, 'node:vm', 1);
  for (const name of Object.keys(replacements)) {
    Object.defineProperty(global, name, { __proto__: null, value: replacements[name], writable: true, enumerable: false, configurable: true });
  }
}
