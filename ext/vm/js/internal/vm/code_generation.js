// `codeGeneration` of a context: no functions of strings, no WebAssembly. In: what of it is off,
// the context. Out: what made code there throws the context's own errors. The engine has a switch
// for neither that it would give away.
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

module.exports = function limit(limits, lent) {
  // The object behind the context is not told.
  if (lent.alone === undefined) withhold(limits, lent);
  else lent.alone(() => withhold(limits, lent));
};

function withhold({ strings = true, wasm = true }, { context, global }) {
  const { evaluate } = internalBinding('vm');
  if (!wasm) evaluate(context, WITHOUT_WASM, 'node:vm', 1);
  if (strings) return;
  const own = evaluate(context, WITHOUT_STRINGS, 'node:vm', 1);
  for (const name of Object.keys(own)) {
    Object.defineProperty(global, name, { __proto__: null, value: own[name], writable: true, enumerable: false, configurable: true });
  }
}
