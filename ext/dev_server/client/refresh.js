// React Fast Refresh: components are registered while their module is evaluated, so that a new
// version of one replaces the old one and keeps its state. In: the project's `react-refresh`. Out:
// calls of it. The transform is oxc's.

function startRefresh(id) {
  load(id);
  const { module } = instances.get(id);
  refresh = module.exports;
  refresh.injectIntoGlobalHook(globalThis);
  globalThis.$RefreshReg$ = () => {};
  globalThis.$RefreshSig$ = () => (type) => type;
}

/** Returns a function that ends the registration. */
function registerComponents(instance) {
  if (refresh === undefined) return () => {};
  const { $RefreshReg$: register, $RefreshSig$: sign } = globalThis;
  globalThis.$RefreshReg$ = (type, name) => refresh.register(type, `${instance.id} ${name}`);
  globalThis.$RefreshSig$ = refresh.createSignatureFunctionForTransform;
  return () => {
    globalThis.$RefreshReg$ = register;
    globalThis.$RefreshSig$ = sign;
  };
}

function hasComponentsOnly(instance) {
  if (instance.kind !== 'esm') return false;
  const values = Object.values(namespaceOf(instance.id));
  return values.length > 0 && values.every((value) => refresh.isLikelyComponentType(value));
}
