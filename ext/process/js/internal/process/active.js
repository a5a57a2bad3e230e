// What keeps the loop going, for `process.getActiveResourcesInfo`. In: streams over descriptors, as
// they open and close. Out: their kinds by Node's names, and who owns them; requests of other kinds
// than files. Timers, immediates and work on other threads are asked of the native half.

'use strict';

/** Handles and their owners. @type {Map<object, { name: string, owner: object }>} */
const handles = new Map();

/** What was asked of other threads and is no file, by Node's classes. @type {Set<object>} */
const asked = new Set();

const ask = (request) => asked.add(request);
const answer = (request) => asked.delete(request);

const add = (handle, name, owner) => handles.set(handle, { name, owner });
const remove = (handle) => handles.delete(handle);

function kept() {
  return [...handles].filter(([handle]) => handle.hasRef?.() !== false).map(([, entry]) => entry);
}

function names() {
  const [timers, immediates] = internalBinding('process').kept();
  return [
    ...requests().map((request) => request.constructor.name),
    ...kept().map(({ name }) => name),
    ...new Array(timers).fill('Timeout'),
    ...new Array(immediates).fill('Immediate'),
  ];
}

function owners() {
  return kept().map(({ owner }) => owner);
}

/** Work that another thread does, which is mostly files. */
class FSReqCallback {}

function requests() {
  const [, , count] = internalBinding('process').kept();
  return [...asked, ...Array.from({ length: count - asked.size }, () => new FSReqCallback())];
}

module.exports = { add, answer, ask, remove, names, owners, requests };
