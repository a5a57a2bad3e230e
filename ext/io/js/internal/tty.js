// Color depth of a terminal, as Node's internal/tty. In: environment variables. Out: bits of a
// color (1, 4, 8, 24), and whether a number of colors is supported.

'use strict';

const { validateInteger } = require('internal/validators');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');

const DEPTH_2 = 1;
const DEPTH_16 = 4;
const DEPTH_256 = 8;
const DEPTH_16M = 24;

const terminals = {
  __proto__: null,
  eterm: DEPTH_16, cons25: DEPTH_16, console: DEPTH_16, cygwin: DEPTH_16, dtterm: DEPTH_16, gnome: DEPTH_16, hurd: DEPTH_16,
  jfbterm: DEPTH_16, konsole: DEPTH_16, kterm: DEPTH_16, mlterm: DEPTH_16, mosh: DEPTH_16M, putty: DEPTH_16, st: DEPTH_16,
  'rxvt-unicode-24bit': DEPTH_16M, terminator: DEPTH_16M, 'xterm-kitty': DEPTH_16M,
};

const patterns = [/ansi/, /color/, /linux/, /direct/, /^con[0-9]*x[0-9]/, /^rxvt/, /^screen/, /^xterm/, /^vt100/, /^vt220/];

const services = [
  ['APPVEYOR', DEPTH_256], ['BUILDKITE', DEPTH_256], ['CIRCLECI', DEPTH_16M], ['DRONE', DEPTH_256], ['GITEA_ACTIONS', DEPTH_16M],
  ['GITHUB_ACTIONS', DEPTH_16M], ['GITLAB_CI', DEPTH_256], ['TRAVIS', DEPTH_256],
];

let isWarned = false;

function warnOnce(env) {
  const ignored = env.NODE_DISABLE_COLORS !== undefined && env.NODE_DISABLE_COLORS !== '' ? 'NODE_DISABLE_COLORS'
    : env.NO_COLOR !== undefined && env.NO_COLOR !== '' ? 'NO_COLOR' : undefined;
  if (ignored !== undefined && !isWarned) {
    isWarned = true;
    require('process').emitWarning(`The '${ignored}' env is ignored due to the 'FORCE_COLOR' env being set.`, 'Warning');
  }
}

const forced = { __proto__: null, '': DEPTH_16, 1: DEPTH_16, true: DEPTH_16, 2: DEPTH_256, 3: DEPTH_16M };

function depthOfCi(env) {
  for (const [name, depth] of services) {
    if (name in env) {
      return depth;
    }
  }
  return env.CI_NAME === 'codeship' ? DEPTH_256 : DEPTH_2;
}

function depthOfTermProgram(env) {
  switch (env.TERM_PROGRAM) {
    case 'iTerm.app':
      return !env.TERM_PROGRAM_VERSION || /^[0-2]\./.test(env.TERM_PROGRAM_VERSION) ? DEPTH_256 : DEPTH_16M;
    case 'HyperTerm':
    case 'MacTerm':
      return DEPTH_16M;
    case 'Apple_Terminal':
      return DEPTH_256;
    default:
      return undefined;
  }
}

function depthOfTerm(env) {
  const { TERM } = env;
  if (TERM) {
    if (TERM.includes('truecolor')) {
      return DEPTH_16M;
    }
    if (TERM.startsWith('xterm-256') || /^(?:screen|tmux)-256|-256color$|-256$/.test(TERM)) {
      return DEPTH_256;
    }
    const known = terminals[TERM.toLowerCase()];
    if (known !== undefined) {
      return known;
    }
    if (patterns.some((pattern) => pattern.test(TERM.toLowerCase()))) {
      return DEPTH_16;
    }
  }
  return DEPTH_2;
}

function getColorDepth(env = require('process').env) {
  if (env.FORCE_COLOR !== undefined) {
    warnOnce(env);
    return forced[env.FORCE_COLOR] ?? DEPTH_2;
  }
  if ((env.NODE_DISABLE_COLORS !== undefined && env.NODE_DISABLE_COLORS !== '') || (env.NO_COLOR !== undefined && env.NO_COLOR !== '') || env.TERM === 'dumb') {
    return DEPTH_2;
  }
  if (env.TMUX) {
    return DEPTH_16M;
  }
  if ('TF_BUILD' in env && 'AGENT_NAME' in env) {
    return DEPTH_16;
  }
  if ('CI' in env) {
    return depthOfCi(env);
  }
  if ('TEAMCITY_VERSION' in env) {
    return /^(?:9\.0*[1-9]\d*\.|\d{2,}\.)/.test(env.TEAMCITY_VERSION) ? DEPTH_16 : DEPTH_2;
  }
  const program = depthOfTermProgram(env);
  if (program !== undefined) {
    return program;
  }
  if (env.COLORTERM === 'truecolor' || env.COLORTERM === '24bit') {
    return DEPTH_16M;
  }
  const term = depthOfTerm(env);
  return term === DEPTH_2 && env.COLORTERM ? DEPTH_16 : term;
}

function hasColors(count, env) {
  if (env === undefined && (count === undefined || (typeof count === 'object' && count !== null))) {
    env = count;
    count = 16;
  } else {
    validateInteger(count, 'count', 2);
  }
  if (env !== undefined && (typeof env !== 'object' || env === null)) {
    throw new ERR_INVALID_ARG_TYPE('env', 'object', env);
  }
  return count <= 2 ** getColorDepth(env ?? require('process').env);
}

module.exports = { getColorDepth, hasColors };
