// Hot module replacement: `import.meta.hot`, and the update of a page, with the semantics of bun
// and Vite. In: messages of the server. Out: new modules in place of old ones, or a reload.

/** By id: what a module leaves for its next version. */
const hotData = new Map();
const listeners = new Map();

/** `import.meta.hot` of one module. */
class Hot {
  #instance;
  isSelfAccepting = false;
  selfCallbacks = [];
  /** `[ids, callback]` */
  accepted = [];
  disposers = [];
  pruners = [];
  /** Listeners of this module, which go with it. */
  listeners = [];

  constructor(instance) { this.#instance = instance; }

  get data() {
    const { id } = this.#instance;
    if (!hotData.has(id)) hotData.set(id, {});
    const mark = () => { this.isSelfAccepting = true; };
    return new Proxy(hotData.get(id), {
      set(target, name, value) {
        mark();
        target[name] = value;
        return true;
      },
    });
  }

  set data(value) {
    this.isSelfAccepting = true;
    hotData.set(this.#instance.id, value);
  }

  accept(dependencies, callback) {
    if (dependencies === undefined || typeof dependencies === 'function') {
      this.isSelfAccepting = true;
      if (dependencies !== undefined) this.selfCallbacks.push(dependencies);
      return;
    }
    const { deps } = this.#instance.tables;
    const isList = Array.isArray(dependencies);
    const ids = (isList ? dependencies : [dependencies]).map((specifier) => deps[specifier] ?? specifier);
    this.accepted.push([ids, isList ? callback : callback && ((modules) => callback(modules[0]))]);
  }

  dispose(callback) { this.disposers.push(callback); }
  prune(callback) { this.pruners.push(callback); }
  decline() {}

  invalidate(message) {
    emit('invalidate', { path: this.#instance.id, message });
    invalidated.add(this.#instance.id);
    queueMicrotask(() => { updateQueue = updateQueue.then(replaceInvalidated); });
  }

  on(event, callback) {
    this.listeners.push([event, callback]);
    listen(event).add(callback);
  }

  off(event, callback) { listen(event).delete(callback); }
  send(event, data) { sendMessage({ type: 'custom', event, data }); }
}

function listen(event) {
  const name = event.replace(/^vite:/, 'bun:');
  if (!listeners.has(name)) listeners.set(name, new Set());
  return listeners.get(name);
}

function emit(event, data) {
  for (const callback of listeners.get(`bun:${event}`) ?? []) callback(data);
}

const invalidated = new Set();
let updateQueue = Promise.resolve();

async function replaceInvalidated() {
  const ids = Array.from(invalidated);
  invalidated.clear();
  if (ids.length === 0) return;
  // A module that gave up is not its own boundary any more.
  for (const id of ids) {
    const instance = instances.get(id);
    if (instance !== undefined) Object.assign(instance, { isRefreshBoundary: false, hasGivenUp: true });
  }
  await replace(ids, () => {});
}

function accepts(instance) {
  return !instance.hasGivenUp && (instance.hot.isSelfAccepting || instance.isRefreshBoundary);
}

/** What has to be evaluated again; undefined: the page has to be reloaded. */
function plan(changed) {
  const outdated = new Set();
  const roots = new Set();
  const callbacks = [];
  const queue = changed.filter((id) => instances.has(id));
  while (queue.length > 0) {
    const id = queue.pop();
    if (outdated.has(id)) continue;
    outdated.add(id);
    const instance = instances.get(id);
    if (accepts(instance)) {
      roots.add(id);
      for (const callback of instance.hot.selfCallbacks) callbacks.push(() => callback(namespaceOf(id)));
      continue;
    }
    const importers = importersOf(id);
    if (importers.length === 0) return { unaccepted: id };
    for (const importer of importers) {
      const entries = importer.hot.accepted.filter(([ids]) => ids.includes(id));
      if (entries.length === 0) queue.push(importer.id);
      else roots.add(id);
      for (const [ids, callback] of entries) {
        callbacks.push(() => callback?.(ids.map((one) => (one === id ? namespaceOf(one) : undefined))));
      }
    }
  }
  return { outdated, roots, callbacks };
}

/** Replaces modules. `install` defines their new versions. */
async function replace(changed, install) {
  const { outdated, roots, callbacks, unaccepted } = plan(changed);
  if (unaccepted !== undefined) return reload(`${unaccepted} accepts no hot update, nor does a module that imports it`);
  const before = new Map(Array.from(outdated, (id) => [id, instances.get(id)]));
  await Promise.all(Array.from(before.values(), dispose));
  install();
  await fetchExternals();
  for (const id of outdated) instances.delete(id);
  try {
    for (const id of roots) await load(id);
  } catch (error) {
    // The next version is tried in its place.
    for (const [id, instance] of before) inherit(id, instance);
    throw error;
  }
  for (const callback of callbacks) callback();
  refresh?.performReactRefresh();
  return undefined;
}

function inherit(id, before) {
  const instance = instances.get(id);
  if (instance === undefined) {
    instances.set(id, before);
  } else if (instance.state === 'failed') {
    instance.hot.isSelfAccepting ||= before.hot.isSelfAccepting;
    instance.isRefreshBoundary ||= before.isRefreshBoundary;
    if (instance.hot.accepted.length === 0) instance.hot.accepted = before.hot.accepted;
  } else if (instance.state !== 'done') {
    instances.set(id, before);
  }
}

async function dispose(instance) {
  const data = hotData.get(instance.id) ?? {};
  hotData.set(instance.id, data);
  for (const [event, callback] of instance.hot.listeners) listen(event).delete(callback);
  await Promise.all(instance.hot.disposers.map((callback) => callback(data)));
}

async function prune(ids) {
  const removed = ids.map((id) => instances.get(id)).filter((instance) => instance !== undefined);
  if (removed.length > 0) emit('beforePrune');
  for (const instance of removed) {
    await dispose(instance);
    for (const callback of instance.hot.pruners) callback(hotData.get(instance.id));
    instances.delete(instance.id);
  }
  for (const id of ids) factories.delete(id);
}

/** An update of the server. */
async function update({ changed, removed, code, css }) {
  emit('beforeUpdate');
  if (css !== undefined) setStylesheet(css);
  const install = () => { if (code !== undefined) (0, eval)(code)(globalThis.__rusk); };
  if (changed.length > 0) await replace(changed, install);
  if (removed.length > 0) await prune(removed);
  emit('afterUpdate');
}

function reload(reason) {
  if (reason !== undefined) console.warn(`[rusk] full reload: ${reason}`);
  emit('beforeFullReload');
  location.reload();
}

/** Replaces the page's stylesheet without a request. */
function setStylesheet(css) {
  let style = document.querySelector('style[data-rusk]');
  if (style === null) {
    style = document.createElement('style');
    style.setAttribute('data-rusk', '');
    const link = document.querySelector('link[href^="/_rusk/page/"]');
    if (link === null) document.head.append(style);
    else link.replaceWith(style);
  }
  style.textContent = css;
}
