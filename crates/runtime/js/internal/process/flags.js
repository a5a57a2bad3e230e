// `process.allowedNodeEnvironmentFlags`: what NODE_OPTIONS may have. In: nothing. Out: a set that finds a flag however it is written, and
// that nobody can change.

'use strict';

const FLAGS = [
  '--conditions', '--deprecation', '--disable-warning', '--enable-source-maps', '--env-file', '--import', '--input-type',
  '--max-http-header-size', '--max-old-space-size', '--max-semi-space-size', '--no-deprecation', '--no-warnings',
  '--pending-deprecation', '--preserve-symlinks', '--preserve-symlinks-main', '--redirect-warnings', '--require',
  '--stack-trace-limit', '--throw-deprecation', '--title', '--trace-deprecation', '--trace-uncaught', '--trace-warnings',
  '--unhandled-rejections', '--use-openssl-ca', '--use-system-ca', '--warnings', '-C', '-r',
];

/** However it is written: with underscores, with a value, with one hyphen less. */
function normalize(flag) {
  const name = String(flag).replace(/=[^]*$/, '').replace(/^-+/, (dashes) => dashes.slice(0, 2));
  return name.startsWith('--') ? `--${name.slice(2).replaceAll('_', '-')}` : name;
}

class NodeEnvironmentFlagsSet extends Set {
  #isClosed = false;

  constructor(flags) {
    super();
    for (const flag of flags) {
      super.add(flag);
    }
    this.#isClosed = true;
  }

  add(flag) {
    if (!this.#isClosed) {
      super.add(flag);
    }
    return this;
  }

  delete() {
    return false;
  }

  clear() {}

  has(flag) {
    if (typeof flag !== 'string') {
      return false;
    }
    const name = normalize(flag);
    return super.has(name) || (/^[a-z]/.test(name) && (super.has(`--${name.replaceAll('_', '-')}`) || super.has(`-${name}`)));
  }
}
Object.freeze(NodeEnvironmentFlagsSet.prototype);

function allowedFlags() {
  return Object.freeze(new NodeEnvironmentFlagsSet(FLAGS));
}

module.exports = { allowedFlags };
