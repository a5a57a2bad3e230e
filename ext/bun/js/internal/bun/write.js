// `Bun.write`. In: a destination, and strings, bytes, Blobs, files, Responses or lists of them.
// Out: a promise of the number of written bytes. A file is copied by the kernel (`fs.copyFile`).
// Absent: atomic replacement; Bun writes in place as well.
'use strict';

const { codes } = require('internal/errors');
const { bytesOf, isBlob } = require('internal/blob');
const { FileRef, targetOf } = require('internal/bun/file');
const { toUint8Array } = require('internal/bun/bytes');
const { invalidArgType } = require('internal/bun/environment');

const fsPromises = () => require('fs/promises');

async function write(destination, data, options) {
  const target = FileRef.is(destination) ? FileRef.targetOf(destination) : targetOf(destination);
  if (target === undefined) throw new codes.ERR_INVALID_ARG_TYPE('destination', ['path', 'file descriptor', 'Blob'], destination);
  if (data === undefined || data === null) throw invalidArgType('Bun.write(pathOrFdOrBlob, blob) expects a Blob-y thing to write');
  const createsPath = options?.createPath !== false;
  if (FileRef.is(data) && FileRef.isWholeFile(data) && typeof FileRef.targetOf(data) === 'string' && typeof target === 'string') {
    return copy(FileRef.targetOf(data), target, createsPath, options?.mode);
  }
  const content = await contentOf(data);
  await writeContent(target, content, createsPath, options?.mode);
  return content.length;
}

/** The data as bytes. */
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

function writeContent(target, content, createsPath, mode) {
  return typeof target === 'number' ? writeToFd(target, content) : withDirectory(target, createsPath, () => fsPromises().writeFile(target, content, { mode }));
}

/** Writes at the descriptor's position, without truncation. */
function writeToFd(fd, content) {
  return new Promise((resolve, reject) => {
    const writeFrom = (offset) => {
      if (offset === content.length) return resolve();
      return require('fs').write(fd, content, offset, content.length - offset, null, (error, count) => (error ? reject(error) : writeFrom(offset + count)));
    };
    writeFrom(0);
  });
}

/** Runs `work`; if the directory is missing, creates it and runs `work` again. */
async function withDirectory(path, createsPath, work) {
  try {
    return await work();
  } catch (error) {
    if (error.code !== 'ENOENT' || !createsPath || path === '') throw error;
    await fsPromises().mkdir(require('path').dirname(path), { recursive: true });
    return work();
  }
}

async function copy(source, target, createsPath, mode) {
  const [{ size, dev, ino }, existing] = await Promise.all([fsPromises().open(source).then(statAndClose), fsPromises().stat(target).catch(() => undefined)]);
  if (existing !== undefined && existing.dev === dev && existing.ino === ino) return size;
  await withDirectory(target, createsPath, () => fsPromises().copyFile(source, target));
  if (mode !== undefined && existing === undefined) await fsPromises().chmod(target, mode);
  return size;
}

async function statAndClose(handle) {
  const stats = await handle.stat();
  await handle.close();
  return stats;
}

module.exports = { write };
