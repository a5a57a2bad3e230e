// Users and groups of the process. In: numbers or names. Out: what the native half answers; an
// error where the kernel refuses.

'use strict';

const binding = internalBinding('process');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_CREDENTIAL }, genericNodeError } = require('internal/errors');
const { validateArray, validateUint32 } = require('internal/validators');

/** Which of the four: the numbers that the native half knows. */
const UID = 0;
const EUID = 1;
const GID = 2;
const EGID = 3;

/** What the kernel refused, in the words that Node has for these calls. */
function check(errno, syscall) {
  if (errno < 0) {
    const { getSystemErrorMessage, getSystemErrorName } = require('internal/util');
    const code = getSystemErrorName(errno);
    const text = getSystemErrorMessage(errno);
    throw genericNodeError(`${code}, ${text[0].toUpperCase()}${text.slice(1)}`, { errno: -errno, code, syscall });
  }
}

function checkId(id, name) {
  if (typeof id === 'number') {
    validateUint32(id, name);
  } else if (typeof id !== 'string') {
    throw new ERR_INVALID_ARG_TYPE(name, ['number', 'string'], id);
  }
}

/** The number of a name; a number as it is. */
function resolve(id, isUser) {
  if (typeof id === 'number') {
    return id >>> 0;
  }
  const found = isUser ? binding.findUser(id) : binding.findGroup(id);
  if (found === undefined) {
    throw new ERR_UNKNOWN_CREDENTIAL(isUser ? 'User' : 'Group', id);
  }
  return found;
}

function set(which, id, syscall) {
  checkId(id, 'id');
  check(binding.setId(which, resolve(id, which === UID || which === EUID)), syscall);
}

const setuid = (id) => set(UID, id, 'setuid');
const seteuid = (id) => set(EUID, id, 'seteuid');
const setgid = (id) => set(GID, id, 'setgid');
const setegid = (id) => set(EGID, id, 'setegid');

/** All groups, the effective one among them. */
function getgroups() {
  const groups = binding.groups();
  const effective = binding.ids()[3];
  return groups.includes(effective) ? groups : [...groups, effective];
}

function setgroups(groups) {
  validateArray(groups, 'groups');
  const numbers = [];
  for (let index = 0; index < groups.length; index++) {
    checkId(groups[index], `groups[${index}]`);
  }
  for (const group of groups) {
    numbers.push(resolve(group, false));
  }
  check(binding.setGroups(numbers), 'setgroups');
}

function initgroups(user, extraGroup) {
  checkId(user, 'user');
  checkId(extraGroup, 'extraGroup');
  const group = resolve(extraGroup, false);
  const name = typeof user === 'number' ? binding.userName(user) : user;
  if (name === undefined) {
    throw new ERR_UNKNOWN_CREDENTIAL('User', user);
  }
  if (typeof user === 'string') {
    resolve(user, true);
  }
  check(binding.initGroups(name, group), 'initgroups');
}

module.exports = { setuid, seteuid, setgid, setegid, getgroups, setgroups, initgroups };
