// `node:cluster` in the primary process. In: settings, environment variables. Out: workers and
// their events; listening handles that workers share. The kernel distributes connections among the
// workers, whatever the policy. Absent: shared datagram sockets (ENOTSUP).
'use strict';

const EventEmitter = require('events');
const process = require('process');
const { Worker } = require('internal/cluster/worker');
const { listener, send } = require('internal/cluster/messages');
const sharedHandles = require('internal/cluster/shared_handles');

const SCHED_NONE = 1;
const SCHED_RR = 2;
const UV_ENOTSUP = -95;

const cluster = new EventEmitter();
const internal = new EventEmitter();
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
    const worker = new Worker({ id, process: createWorkerProcess(id, env) });
    worker.on('message', (message, handle) => cluster.emit('message', worker, message, handle));
    addWorkerListeners(worker);
    process.nextTick(() => cluster.emit('fork', worker));
    cluster.workers[id] = worker;
    return worker;
  },

  disconnect(callback) {
    const workers = Object.values(cluster.workers);
    if (workers.length === 0) process.nextTick(() => internal.emit('disconnect'));
    for (const worker of workers) {
      if (worker.isConnected()) worker.disconnect();
    }
    if (typeof callback === 'function') internal.once('disconnect', callback);
  },
});
cluster.setupMaster = cluster.setupPrimary;

function createWorkerProcess(id, env) {
  const { exec, args, execArgv, cwd, serialization, silent, windowsHide, stdio, gid, uid } = cluster.settings;
  return require('child_process').fork(exec, args, {
    cwd, serialization, silent, windowsHide, stdio, gid, uid, execArgv: [...execArgv], env: { ...process.env, ...env, NODE_UNIQUE_ID: `${id}` },
  });
}

function addWorkerListeners(worker) {
  const child = worker.process;
  child.once('exit', (code, signal) => {
    // A worker whose channel is still open may still send messages.
    if (!worker.isConnected()) removeWorker(worker);
    worker.exitedAfterDisconnect = !!worker.exitedAfterDisconnect;
    worker.state = 'dead';
    worker.emit('exit', code, signal);
    cluster.emit('exit', worker, code, signal);
  });
  child.once('disconnect', () => {
    if (worker.isDead()) removeWorker(worker);
    worker.exitedAfterDisconnect = !!worker.exitedAfterDisconnect;
    worker.state = 'disconnected';
    worker.emit('disconnect');
    cluster.emit('disconnect', worker);
  });
  child.on('internalMessage', listener((message) => handlers[message.act]?.(worker, message)));
}

function removeWorker(worker) {
  sharedHandles.release(worker);
  delete cluster.workers[worker.id];
  if (Object.keys(cluster.workers).length === 0) internal.emit('disconnect');
}

/** Handlers of messages from a worker, by `act`. */
const handlers = {
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
    const boundAddress = { addressType, address, port, fd };
    worker.state = 'listening';
    worker.emit('listening', boundAddress);
    cluster.emit('listening', worker, boundAddress);
  },
  queryServer(worker, { seq, ...request }) {
    if (worker.exitedAfterDisconnect) return;
    if (typeof request.addressType !== 'number') {
      send(worker.process, { errno: UV_ENOTSUP, ack: seq });
      return;
    }
    const { errno, key, handle, data } = sharedHandles.acquire(worker, request);
    send(worker.process, { errno, key, ack: seq, data }, undefined, handle);
  },
  close(worker, { key }) {
    sharedHandles.release(worker, key);
  },
};

Worker.prototype.disconnect = function disconnect() {
  this.exitedAfterDisconnect = true;
  send(this.process, { act: 'disconnect' });
  removeWorker(this);
  return this;
};

Worker.prototype.destroy = function destroy(signal) {
  this.process.kill(signal || 'SIGTERM');
};

module.exports = cluster;
