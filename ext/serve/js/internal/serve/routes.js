// Routes of a server. In: the `routes` option. Out: routes in the server core, and the handlers by
// their numbers. A Response with a body in memory is rendered once and never enters JavaScript
// again; a file is opened by the core for each request.
'use strict';

const { responseParts } = require('web/fetch/response');
const { renderFields } = require('internal/serve/response_fields');

const binding = internalBinding('serve');
const { methods } = binding;

/** Methods of an object of handlers. */
const HANDLER_METHODS = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'CONNECT', 'TRACE']);

function invalidRoute(path, message) {
  const error = new TypeError(`route "${path}": ${message}`);
  error.code = 'ERR_INVALID_ARG_TYPE';
  return error;
}

/**
 * Returns the handlers: `{ handler, parameterNames }`, in the order of their numbers. `pages`:
 * returns what serves HTML files.
 */
function addRoutes(number, routes, pages) {
  const handlers = [];
  routes = withPages(routes, pages);
  for (const [path, value] of Object.entries(routes)) {
    // As in Bun: it is no path of any request.
    if (path === '') continue;
    if (path[0] !== '/') throw invalidRoute(path, 'a path begins with "/"');
    if (isMethods(value)) {
      for (const [method, target] of Object.entries(value)) {
        if (!HANDLER_METHODS.has(method)) throw invalidRoute(path, `"${method}" is not a method`);
        addRoute(number, path, methods.indexOf(method), target, handlers);
      }
    } else {
      addRoute(number, path, undefined, value, handlers);
    }
  }
  return handlers;
}

/** Routes in which pages are responses or handlers; and routes for what they load. */
function withPages(routes, pages) {
  const { PREFIX, isHtmlBundle } = require('internal/dev_server/html_bundle');
  const entries = Object.entries(routes).flatMap(([path, value]) => isManifest(value) ? builtPage(path, value) : [[path, value]]);
  routes = Object.fromEntries(entries);
  if (!entries.some(([, value]) => isHtmlBundle(value))) return routes;
  const served = pages();
  const own = entries.map(([path, value]) => [path, isHtmlBundle(value) ? { GET: served.handlerOf(value), HEAD: served.handlerOf(value) } : value]);
  return Object.fromEntries([...own, [`${PREFIX}*`, served.onRequest]]);
}

/** What a bundle for rusk or bun has in place of an HTML file: the names of the page's files. */
function isManifest(value) {
  return typeof value === 'object' && value !== null && typeof value.index === 'string' && Array.isArray(value.files);
}

/** Routes of a page that was built with its server. */
function builtPage(path, { index, files }) {
  return files.map((file) => {
    const response = new (require('web/fetch/response').Response)(readBuilt(path, file.path), { headers: fieldsOf(file) });
    return [file.path === index ? path : `/${nameOf(file.path)}`, response];
  });
}

function fieldsOf({ headers }) {
  const { etag, ...fields } = headers ?? {};
  // The manifest has the tag without the quotes that RFC 9110 asks for.
  return etag === undefined ? fields : { ...fields, etag: `"${etag}"` };
}

const EMBEDDED = '/$bunfs/root/';

function nameOf(path) { return path.startsWith(EMBEDDED) ? path.slice(EMBEDDED.length) : path.replace(/^\.\//, ''); }

/** A file beside the program, or in the current directory. */
function readBuilt(route, name) {
  const fs = require('fs');
  const path = require('path');
  for (const directory of [path.dirname(Bun.main), process.cwd()]) {
    try {
      return fs.readFileSync(path.resolve(directory, name));
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  throw invalidRoute(route, `there is no file "${name}" of the page beside the program`);
}

function isMethods(value) {
  return typeof value === 'object' && value !== null && !responseParts.is(value) && !isFile(value) && typeof value.dir !== 'string';
}

function isFile(value) {
  return typeof value === 'object' && value !== null && require('internal/bun/file').FileRef.is(value);
}

function addRoute(number, path, method, value, handlers) {
  if (typeof value === 'function') {
    handlers.push({ handler: value, parameterNames: parameterNames(path) });
    binding.addHandlerRoute(number, path, method, handlers.length - 1);
  } else if (value === false) {
    binding.addHandlerRoute(number, path, method, -1);
  } else if (responseParts.is(value)) {
    addResponse(number, path, method, value, handlers);
  } else if (isFile(value)) {
    addResponse(number, path, method, new (require('web/fetch/response').Response)(value), handlers);
  } else if (typeof value?.dir === 'string' && method === undefined) {
    addDirectory(number, path, value.dir);
  } else {
    throw invalidRoute(path, 'expected a function, a Response, a file, a directory, an object of methods or false');
  }
}

function parameterNames(path) {
  const names = path.split('/').filter((segment) => segment[0] === ':').map((segment) => segment.slice(1));
  return names.length === 0 ? undefined : names;
}

function addResponse(number, path, method, response, handlers) {
  const { FileRef } = require('internal/bun/file');
  const { bytesOf, hasFiles, isBlob } = require('internal/blob');
  const body = responseParts.bodyField(response);
  // The same Response may stand in several routes.
  const source = body === null ? undefined : body.clone().takeSource();
  const status = responseParts.status(response);
  const statusText = responseParts.statusText(response);
  const { text, flags, etag } = renderFields(responseParts.list(response));
  if (source !== undefined && FileRef.is(source)) {
    const { target, begin, end } = FileRef.rangeOf(source);
    if (typeof target === 'string') {
      binding.addFileRoute(number, undefined, status, statusText, text, flags, require('path').resolve(target), begin, end, path, method);
      return;
    }
  }
  const isInMemory = body === null || (source !== undefined && !(isBlob(source) && hasFiles(source)));
  if (!isInMemory) {
    // A stream can be sent once; it is cloned for each request.
    handlers.push({ handler: () => response.clone(), parameterNames: undefined });
    binding.addHandlerRoute(number, path, method, handlers.length - 1);
    return;
  }
  const bytes = source !== undefined && isBlob(source) ? bytesOf(source) : source;
  binding.addStaticRoute(number, undefined, status, statusText, text, flags, bytes, etag, path, method);
}

function addDirectory(number, path, directory) {
  if (!path.endsWith('/*')) throw invalidRoute(path, 'the path of a directory ends in "/*"');
  const { typesByExtension, withCharset } = require('internal/bun/mime');
  const types = [...typesByExtension()].flatMap(([extension, type]) => [extension, withCharset(type)]);
  const errno = binding.addDirectoryRoute(number, path, require('path').resolve(directory), types);
  if (errno === 0) return;
  const { UVException } = require('internal/errors');
  throw new UVException({ errno, syscall: 'open', path: directory });
}

module.exports = { addRoutes };
