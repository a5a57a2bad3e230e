// User and group IDs of the process (credentials(7)). In: IDs or names. Out: IDs; an error where a
// system call fails.

'use strict';

const binding = internalBinding('process');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_CREDENTIAL }, genericNodeError } = require('internal/errors');
const { validateArray, validateUint32 } = require('internal/validators');

const { idKind: { EGID, EUID, GID, UID } } = binding;

/** Throws the error of a failed call, with Node's message for these calls. */
function check(errno, syscall) {
  if (errno < 0) {
    const { getSystemErrorMessage, getSystemErrorName } = require('internal/util');
    const code = getSystemErrorName(errno);
    const message = getSystemErrorMessage(errno);
    throw genericNodeError(`${code}, ${message[0].toUpperCase()}${message.slice(1)}`, { errno: -errno, code, syscall });
  }
}

function checkId(id, name) {
  if (typeof id === 'number') {
    validateUint32(id, name);
  } else if (typeof id !== 'string') {
    throw new ERR_INVALID_ARG_TYPE(name, ['number', 'string'], id);
  }
}

/** The ID of a name; a number unchanged. */
function toId(id, isUser) {
  if (typeof id === 'number') {
    return id >>> 0;
  }
  const number = isUser ? binding.findUser(id) : binding.findGroup(id);
  if (number === undefined) {
    throw new ERR_UNKNOWN_CREDENTIAL(isUser ? 'User' : 'Group', id);
  }
  return number;
}

function setId(kind, id, syscall) {
  checkId(id, 'id');
  check(binding.setId(kind, toId(id, kind === UID || kind === EUID)), syscall);
}

const setuid = (id) => setId(UID, id, 'setuid');
const seteuid = (id) => setId(EUID, id, 'seteuid');
const setgid = (id) => setId(GID, id, 'setgid');
const setegid = (id) => setId(EGID, id, 'setegid');

/** All groups, including the effective one. */
function getgroups() {
  const groups = binding.groups();
  const effective = binding.ids()[EGID];
  return groups.includes(effective) ? groups : [...groups, effective];
}

function setgroups(groups) {
  validateArray(groups, 'groups');
  const numbers = [];
  for (let index = 0; index < groups.length; index++) {
    checkId(groups[index], `groups[${index}]`);
  }
  for (const group of groups) {
    numbers.push(toId(group, false));
  }
  check(binding.setGroups(numbers), 'setgroups');
}

function initgroups(user, extraGroup) {
  checkId(user, 'user');
  checkId(extraGroup, 'extraGroup');
  const group = toId(extraGroup, false);
  const name = typeof user === 'number' ? binding.userName(user) : user;
  if (name === undefined) {
    throw new ERR_UNKNOWN_CREDENTIAL('User', user);
  }
  if (typeof user === 'string') {
    toId(user, true);
  }
  check(binding.initGroups(name, group), 'initgroups');
}

module.exports = { setuid, seteuid, setgid, setegid, getgroups, setgroups, initgroups };
