// `Bun.write`. In: where to, and what: texts, bytes, blobs, files, answers of servers, lists of
// them. Out: a promise of how many bytes were written. A file goes to another by a copy of the
// kernel's. Absent: writing all or nothing; bun writes in place as well.
'use strict';

const { codes } = require('internal/errors');
const { bytesOf, isBlob } = require('internal/blob');
const { FileRef, placeOf } = require('internal/bun/file');
const { toUint8Array } = require('internal/bun/bytes');
const { invalidArgType } = require('internal/bun/environment');

const files = () => require('fs/promises');

async function write(destination, data, options) {
  const place = FileRef.is(destination) ? FileRef.targetOf(destination) : placeOf(destination);
  if (place === undefined) throw new codes.ERR_INVALID_ARG_TYPE('destination', ['path', 'file descriptor', 'Blob'], destination);
  if (data === undefined || data === null) throw invalidArgType('Bun.write(pathOrFdOrBlob, blob) expects a Blob-y thing to write');
  const createsPath = options?.createPath !== false;
  if (FileRef.is(data) && FileRef.isWholeFile(data) && typeof FileRef.targetOf(data) === 'string' && typeof place === 'string') {
    return copy(FileRef.targetOf(data), place, createsPath, options?.mode);
  }
  const content = await contentOf(data);
  await put(place, content, createsPath, options?.mode);
  return content.length;
}

/** What is to be written, as bytes. */
async function contentOf(data) {
  if (FileRef.is(data)) return data.bytes();
  if (isBlob(data)) return bytesOf(data);
  const view = toUint8Array(data);
  if (view !== undefined) return view;
  if (typeof data === 'object' && typeof data.arrayBuffer === 'function') return new Uint8Array(await data.arrayBuffer());
  if (typeof data === 'object' && typeof data.getReader === 'function') return require('stream/consumers').bytes(data);
  if (Array.isArray(data)) {
    return require('internal/bun/bytes').concatArrayBuffers(await Promise.all(data.map(contentOf)), Infinity, true);
  }
  if (typeof data === 'symbol') throw new TypeError('Cannot convert a symbol to a string');
  return new (require('web/encoding').TextEncoder)().encode(`${data}`);
}

function put(place, content, createsPath, mode) {
  return typeof place === 'number' ? toDescriptor(place, content) : made(place, createsPath, () => files().writeFile(place, content, { mode }));
}

/** Where the descriptor is, and with nothing taken away behind it. */
function toDescriptor(fd, content) {
  return new Promise((done, fail) => {
    const step = (at) => {
      if (at === content.length) return done();
      return require('fs').write(fd, content, at, content.length - at, null, (error, count) => (error ? fail(error) : step(at + count)));
    };
    step(0);
  });
}

/** Runs `work`; where the folder is not there, once more with it. */
async function made(path, createsPath, work) {
  try {
    return await work();
  } catch (error) {
    if (error.code !== 'ENOENT' || !createsPath || path === '') throw error;
    await files().mkdir(require('path').dirname(path), { recursive: true });
    return work();
  }
}

async function copy(source, target, createsPath, mode) {
  const [{ size, dev, ino }, there] = await Promise.all([files().open(source).then(lookAndClose), files().stat(target).catch(() => undefined)]);
  if (there !== undefined && there.dev === dev && there.ino === ino) return size;
  await made(target, createsPath, () => files().copyFile(source, target));
  if (mode !== undefined && there === undefined) await files().chmod(target, mode);
  return size;
}

async function lookAndClose(handle) {
  const stats = await handle.stat();
  await handle.close();
  return stats;
}

module.exports = { write };
