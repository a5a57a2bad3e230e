// Active resources, for `process.getActiveResourcesInfo`, `_getActiveHandles` and
// `_getActiveRequests`. In: handles and requests, as they start and end. Out: type names as in
// Node, and owners. Timers, immediates and thread pool requests are counted by the binding.

'use strict';

/** Handles and their owners. @type {Map<object, { name: string, owner: object }>} */
const handles = new Map();

/** Thread pool requests other than files, as objects of Node's classes. @type {Set<object>} */
const pendingRequests = new Set();

const addRequest = (request) => pendingRequests.add(request);
const removeRequest = (request) => pendingRequests.delete(request);

const add = (handle, name, owner) => handles.set(handle, { name, owner });
const remove = (handle) => handles.delete(handle);

/** All handles, with what they are. */
const entries = () => [...handles];

function refHandles() {
  return [...handles].filter(([handle]) => handle.hasRef?.() !== false).map(([, entry]) => entry);
}

/** Timers of the program that keep the event loop alive, and immediates. */
function counts() {
  const [timers, immediates] = internalBinding('process').activeCounts();
  const own = [...handles.values()].filter(({ owner }) => owner.hasRefTimer === true).length;
  return [timers - own, immediates];
}

function names() {
  const [timers, immediates] = counts();
  return [
    ...requests().map((request) => request.constructor.name),
    ...refHandles().map(({ name }) => name),
    ...new Array(timers).fill('Timeout'),
    ...new Array(immediates).fill('Immediate'),
  ];
}

function owners() {
  return refHandles().map(({ owner }) => owner);
}

/** All other thread pool requests are reported as files, which most are. */
class FSReqCallback {}

function requests() {
  const [, , count] = internalBinding('process').activeCounts();
  return [...pendingRequests, ...Array.from({ length: count - pendingRequests.size }, () => new FSReqCallback())];
}

module.exports = { add, addRequest, counts, entries, names, owners, remove, removeRequest, requests };
