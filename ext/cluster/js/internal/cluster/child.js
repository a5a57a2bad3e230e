// `node:cluster` in a worker. In: its number, a channel to the one who started it. Out:
// `cluster.worker`. The worker ends when that one is gone. Where its servers listen, the other side
// decides, so that workers may listen together.
'use strict';

const EventEmitter = require('events');
const process = require('process');
const { Worker } = require('internal/cluster/worker');
const { listener, send } = require('internal/cluster/messages');

/** The handle was lost on its way. */
const GONE = -9;

const cluster = new EventEmitter();
Object.assign(cluster, { isWorker: true, isMaster: false, isPrimary: false, worker: null, Worker, _setupWorker: setUp });

/** Before the program's first line. */
function setUp() {
  const worker = new Worker({ id: +process.env.NODE_UNIQUE_ID | 0, process, state: 'online' });
  cluster.worker = worker;
  process.once('disconnect', () => {
    process.channel = null;
    worker.emit('disconnect');
    // Nobody asked for it: the one who started it is gone.
    if (!worker.exitedAfterDisconnect) process.exit(0);
  });
  process.on('internalMessage', listener((message) => {
    if (message.act !== 'disconnect') return;
    worker.exitedAfterDisconnect = true;
    closeAll();
    process.disconnect();
  }));
  send(process, { act: 'online' });
}

/** Handles that the other side gave, and how often each place was asked for. */
const handles = new Map();
const asked = new Map();

/** `done(errno, handle)`: one over what all workers that want the same have. */
cluster._getServer = function _getServer(server, { address, port, addressType, fd, flags, backlog }, done) {
  const name = `${address}:${port}:${addressType}:${fd}`;
  const index = (asked.get(name) ?? -1) + 1;
  asked.set(name, index);
  const message = { act: 'queryServer', index, data: null, address, port, addressType, fd, flags, backlog };
  send(process, message, ({ errno, key }, handle) => {
    if (handle !== undefined) {
      handles.set(handle, key);
      const { close } = handle;
      handle.close = function closeShared(callback) {
        if (handles.delete(handle)) send(process, { act: 'close', key });
        Reflect.apply(close, handle, [callback]);
      };
    }
    done(handle === undefined && errno === 0 ? GONE : errno, handle);
  });
  server.once('listening', () => {
    cluster.worker.state = 'listening';
    const at = server.address();
    send(process, { act: 'listening', addressType, address, port: at?.port || port, fd });
  });
};

/** Nobody is let in from now on. */
function closeAll() {
  for (const handle of [...handles.keys()]) handle.close();
}

/** The other side knows that it was asked for before the channel is gone. */
function leave() {
  closeAll();
  send(process, { act: 'exitedAfterDisconnect' }, () => process.disconnect());
}

Worker.prototype.disconnect = function disconnect() {
  if (this.state !== 'disconnecting' && this.state !== 'destroying') {
    this.state = 'disconnecting';
    this.exitedAfterDisconnect = true;
    leave();
  }
  return this;
};

Worker.prototype.destroy = function destroy() {
  if (this.state === 'destroying') return;
  this.exitedAfterDisconnect = true;
  if (!this.isConnected()) {
    process.exit(0);
    return;
  }
  this.state = 'destroying';
  leave();
  process.once('disconnect', () => process.exit(0));
};

module.exports = cluster;
