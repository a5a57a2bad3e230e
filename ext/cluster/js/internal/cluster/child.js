// `node:cluster` in a worker process. In: the worker's id, the IPC channel to the primary. Out:
// `cluster.worker`. The primary binds the sockets of its servers, so that workers share them. The
// worker exits when the channel is closed.
'use strict';

const EventEmitter = require('events');
const process = require('process');
const { Worker } = require('internal/cluster/worker');
const { listener, send } = require('internal/cluster/messages');

const { uv: { UV_EBADF } } = internalBinding('stream_handle');

const cluster = new EventEmitter();
Object.assign(cluster, { isWorker: true, isMaster: false, isPrimary: false, worker: null, Worker, _setupWorker: setupWorker });

/** Runs before the main module. */
function setupWorker() {
  const worker = new Worker({ id: +process.env.NODE_UNIQUE_ID | 0, process, state: 'online' });
  cluster.worker = worker;
  process.once('disconnect', () => {
    process.channel = null;
    worker.emit('disconnect');
    // It was not requested: the primary has exited.
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

/** Handles from the primary; how often each address was requested. */
const handles = new Map();
const indexes = new Map();

/** `done(errno, handle)`: a handle that is shared by all workers that request the address. */
cluster._getServer = function _getServer(server, { address, port, addressType, fd, flags, backlog }, done) {
  const name = `${address}:${port}:${addressType}:${fd}`;
  const index = (indexes.get(name) ?? -1) + 1;
  indexes.set(name, index);
  const message = { act: 'queryServer', index, data: server._getServerData?.() ?? null, address, port, addressType, fd, flags, backlog };
  send(process, message, ({ errno, key, data }, handle) => {
    // All workers use the data of the first: the keys of TLS tickets.
    if (data) server._setServerData?.(data);
    if (handle !== undefined) {
      handles.set(handle, key);
      const { close } = handle;
      handle.close = function closeShared(callback) {
        if (handles.delete(handle)) send(process, { act: 'close', key });
        Reflect.apply(close, handle, [callback]);
      };
    }
    // EBADF: the message arrived without its handle.
    done(handle === undefined && errno === 0 ? UV_EBADF : errno, handle);
  });
  server.once('listening', () => {
    cluster.worker.state = 'listening';
    const boundAddress = server.address();
    send(process, { act: 'listening', addressType, address, port: boundAddress?.port || port, fd });
  });
};

/** Stops accepting connections. */
function closeAll() {
  for (const handle of [...handles.keys()]) handle.close();
}

/** Notifies the primary that the exit is voluntary, then closes the channel. */
function disconnectWorker() {
  closeAll();
  send(process, { act: 'exitedAfterDisconnect' }, () => process.disconnect());
}

Worker.prototype.disconnect = function disconnect() {
  if (this.state !== 'disconnecting' && this.state !== 'destroying') {
    this.state = 'disconnecting';
    this.exitedAfterDisconnect = true;
    disconnectWorker();
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
  disconnectWorker();
  process.once('disconnect', () => process.exit(0));
};

module.exports = cluster;
