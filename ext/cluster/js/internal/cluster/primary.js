// `node:cluster` in the program that starts workers. In: settings, variables. Out: workers, and
// what becomes of them; places where workers listen together: whoever of them is first to take a
// connection has it, whatever the policy. Absent: places of datagrams; a worker that asks is
// refused (ENOTSUP).
'use strict';

const EventEmitter = require('events');
const process = require('process');
const { Worker } = require('internal/cluster/worker');
const { listener, send } = require('internal/cluster/messages');
const places = require('internal/cluster/shared_handles');

const SCHED_NONE = 1;
const SCHED_RR = 2;
const ENOTSUP = -95;

const cluster = new EventEmitter();
const ends = new EventEmitter();
let lastId = 0;

const policies = { __proto__: null, none: SCHED_NONE, rr: SCHED_RR };

Object.assign(cluster, {
  isWorker: false,
  isMaster: true,
  isPrimary: true,
  Worker,
  workers: {},
  settings: {},
  SCHED_NONE,
  SCHED_RR,
  schedulingPolicy: policies[process.env.NODE_CLUSTER_SCHED_POLICY] ?? SCHED_RR,

  setupPrimary(options) {
    const settings = {
      args: process.argv.slice(2), exec: process.argv[1], execArgv: process.execArgv, silent: false, ...cluster.settings, ...options,
    };
    cluster.settings = settings;
    process.nextTick(() => cluster.emit('setup', settings));
  },

  fork(env) {
    cluster.setupPrimary();
    const id = ++lastId;
    const worker = new Worker({ id, process: start(id, env) });
    worker.on('message', (message, handle) => cluster.emit('message', worker, message, handle));
    watch(worker);
    process.nextTick(() => cluster.emit('fork', worker));
    cluster.workers[id] = worker;
    return worker;
  },

  disconnect(callback) {
    const workers = Object.values(cluster.workers);
    if (workers.length === 0) process.nextTick(() => ends.emit('disconnect'));
    for (const worker of workers) {
      if (worker.isConnected()) worker.disconnect();
    }
    if (typeof callback === 'function') ends.once('disconnect', callback);
  },
});
cluster.setupMaster = cluster.setupPrimary;

function start(id, env) {
  const { exec, args, execArgv, cwd, serialization, silent, windowsHide, stdio, gid, uid } = cluster.settings;
  return require('child_process').fork(exec, args, {
    cwd, serialization, silent, windowsHide, stdio, gid, uid, execArgv: [...execArgv], env: { ...process.env, ...env, NODE_UNIQUE_ID: `${id}` },
  });
}

function watch(worker) {
  const child = worker.process;
  child.once('exit', (code, signal) => {
    // One whose channel is still open may have something to say.
    if (!worker.isConnected()) forget(worker);
    worker.exitedAfterDisconnect = !!worker.exitedAfterDisconnect;
    worker.state = 'dead';
    worker.emit('exit', code, signal);
    cluster.emit('exit', worker, code, signal);
  });
  child.once('disconnect', () => {
    if (worker.isDead()) forget(worker);
    worker.exitedAfterDisconnect = !!worker.exitedAfterDisconnect;
    worker.state = 'disconnected';
    worker.emit('disconnect');
    cluster.emit('disconnect', worker);
  });
  child.on('internalMessage', listener((message) => acts[message.act]?.(worker, message)));
}

function forget(worker) {
  places.leave(worker);
  delete cluster.workers[worker.id];
  if (Object.keys(cluster.workers).length === 0) ends.emit('disconnect');
}

/** What a worker says. */
const acts = {
  __proto__: null,
  online(worker) {
    worker.state = 'online';
    worker.emit('online');
    cluster.emit('online', worker);
  },
  exitedAfterDisconnect(worker, { seq }) {
    worker.exitedAfterDisconnect = true;
    send(worker.process, { ack: seq });
  },
  listening(worker, { addressType, address, port, fd }) {
    const at = { addressType, address, port, fd };
    worker.state = 'listening';
    worker.emit('listening', at);
    cluster.emit('listening', worker, at);
  },
  queryServer(worker, { seq, ...wanted }) {
    if (worker.exitedAfterDisconnect) return;
    if (typeof wanted.addressType !== 'number') {
      send(worker.process, { errno: ENOTSUP, ack: seq });
      return;
    }
    const { errno, key, handle } = places.take(worker, wanted);
    send(worker.process, { errno, key, ack: seq, data: null }, undefined, handle);
  },
  close(worker, { key }) {
    places.leave(worker, key);
  },
};

Worker.prototype.disconnect = function disconnect() {
  this.exitedAfterDisconnect = true;
  send(this.process, { act: 'disconnect' });
  forget(this);
  return this;
};

Worker.prototype.destroy = function destroy(signal) {
  this.process.kill(signal || 'SIGTERM');
};

module.exports = cluster;
