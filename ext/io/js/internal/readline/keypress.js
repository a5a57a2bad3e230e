// Key parser: 'keypress' events from the bytes of a terminal. In: a stream's data. Out: events with
// a character and a key: { sequence, name, ctrl, meta, shift, code }. Supports the escape codes of
// xterm, rxvt, putty and the Linux console. Absent: key bindings (keys.js).
'use strict';

const { ESC, lengthAt } = require('internal/readline/utils');

const kDecoder = Symbol('keypress-decoder');
const kParser = Symbol('escape-decoder');
/** How long a lone escape may be the beginning of a code, in milliseconds. */
const ESCAPE_CODE_TIMEOUT_MS = 500;

const names = new Map();
const shifted = new Map();
const controlled = new Map();
const table = {
  f1: 'OP [P [11~ [[A', f2: 'OQ [Q [12~ [[B', f3: 'OR [R [13~ [[C', f4: 'OS [S [14~ [[D', f5: '[15~ [[E',
  f6: '[17~', f7: '[18~', f8: '[19~', f9: '[20~', f10: '[21~', f11: '[23~', f12: '[24~',
  up: '[A OA', down: '[B OB', right: '[C OC', left: '[D OD', clear: '[E OE', end: '[F OF [4~ [8~', home: '[H OH [1~ [7~',
  insert: '[2~', delete: '[3~', pageup: '[5~ [[5~', pagedown: '[6~ [[6~',
};
const shiftTable = {
  up: '[a', down: '[b', right: '[c', left: '[d', clear: '[e',
  insert: '[2$', delete: '[3$', pageup: '[5$', pagedown: '[6$', home: '[7$', end: '[8$', tab: '[Z',
};
const ctrlTable = {
  up: 'Oa', down: 'Ob', right: 'Oc', left: 'Od', clear: 'Oe',
  insert: '[2^', delete: '[3^', pageup: '[5^', pagedown: '[6^', home: '[7^', end: '[8^',
};
for (const [codes, map] of [[table, names], [shiftTable, shifted], [ctrlTable, controlled]]) {
  for (const name of Object.keys(codes)) {
    for (const code of codes[name].split(' ').filter(Boolean)) {
      map.set(code, name);
    }
  }
}
names.set('[200~', 'paste-start');
names.set('[201~', 'paste-end');

const isDigit = (character) => character >= '0' && character <= '9';

/** Parses one character at a time; '' ends an incomplete code. */
function* parse(stream) {
  for (;;) {
    let character = yield;
    let sequence = character;
    let isEscaped = false;
    const key = { sequence: null, name: undefined, ctrl: false, meta: false, shift: false };
    if (character === ESC) {
      isEscaped = true;
      sequence += character = yield;
      if (character === ESC) {
        sequence += character = yield;
      }
    }
    if (isEscaped && (character === 'O' || character === '[')) {
      const { rest, code, modifier } = character === 'O' ? yield* parseO() : yield* parseBracket();
      sequence += rest;
      nameCode(key, code, modifier);
    } else {
      nameCharacter(key, character, isEscaped);
    }
    key.sequence = sequence;
    if (sequence.length !== 0 && (key.name !== undefined || isEscaped)) {
      stream.emit('keypress', isEscaped ? undefined : sequence, key);
    } else if (lengthAt(sequence, 0) === sequence.length) {
      stream.emit('keypress', sequence, key);
    }
  }
}

/** ESC O character, ESC O modifier character. */
function* parseO() {
  let character = yield;
  let rest = character;
  let modifier = 0;
  if (isDigit(character)) {
    modifier = character - 1;
    rest += character = yield;
  }
  return { rest, code: `O${character}`, modifier };
}

/** ESC [ character, ESC [ modifier character, ESC [ [ character, ESC [ number ; modifier end. */
function* parseBracket() {
  let character = yield;
  let rest = character;
  let prefix = '[';
  if (character === '[') {
    prefix += character;
    rest += character = yield;
  }
  const start = rest.length - 1;
  for (let digits = 0; digits < 3 && isDigit(character); digits++) {
    rest += character = yield;
  }
  if (character === ';') {
    rest += character = yield;
    if (isDigit(character)) {
      rest += yield;
    }
  }
  const command = rest.slice(start);
  const numeric = /^(?:(\d\d?)(?:;(\d))?([~^$])|(\d{3}~))$/.exec(command);
  if (numeric) {
    return numeric[4] ? { rest, code: prefix + numeric[4], modifier: 0 } :
      { rest, code: prefix + numeric[1] + numeric[3], modifier: (numeric[2] || 1) - 1 };
  }
  const alphabetic = /^(?:(?:\d;)?(\d))?([A-Za-z])$/.exec(command);
  if (alphabetic) {
    return { rest, code: prefix + alphabetic[2], modifier: (alphabetic[1] || 1) - 1 };
  }
  return { rest, code: prefix + command, modifier: 0 };
}

function nameCode(key, code, modifier) {
  key.ctrl = !!(modifier & 4);
  key.meta = !!(modifier & 10);
  key.shift = !!(modifier & 1);
  key.code = code;
  if (shifted.has(code)) {
    key.name = shifted.get(code);
    key.shift = true;
  } else if (controlled.has(code)) {
    key.name = controlled.get(code);
    key.ctrl = true;
  } else {
    key.name = names.get(code) ?? 'undefined';
  }
}

const characterNames = new Map([
  ['\r', 'return'], ['\n', 'enter'], ['\t', 'tab'], ['\b', 'backspace'], ['\x7f', 'backspace'], [ESC, 'escape'], [' ', 'space'],
]);

function nameCharacter(key, character, isEscaped) {
  if (characterNames.has(character)) {
    key.name = characterNames.get(character);
    key.meta = isEscaped;
  } else if (!isEscaped && character <= '\x1a') {
    key.name = String.fromCharCode(character.charCodeAt(0) + 0x60);
    key.ctrl = true;
  } else if (/^[0-9A-Za-z]$/.test(character)) {
    key.name = character.toLowerCase();
    key.shift = /^[A-Z]$/.test(character);
    key.meta = isEscaped;
  } else if (isEscaped) {
    key.name = character.length ? undefined : 'escape';
    key.meta = true;
  }
}

/** `reader`: an Interface with the escape code timeout; its key state is updated. */
function emitKeypressEvents(stream, reader = {}) {
  if (stream[kDecoder]) {
    return;
  }
  const { StringDecoder } = require('string_decoder');
  const { setTimeout, clearTimeout } = require('timers');
  stream[kDecoder] = new StringDecoder('utf8');
  const startParser = () => {
    stream[kParser] = parse(stream);
    stream[kParser].next();
  };
  startParser();
  let timer;
  const endEscapeCode = () => stream[kParser].next('');

  function ondata(input) {
    if (stream.listenerCount('keypress') === 0) {
      // Without a listener the data is not parsed.
      stream.removeListener('data', ondata);
      stream.on('newListener', onlistener);
      return;
    }
    const characters = stream[kDecoder].write(input);
    if (!characters) {
      return;
    }
    clearTimeout(timer);
    reader._sawKeyPress = lengthAt(characters, 0) === characters.length;
    // Tabs in pasted text do not request completion.
    reader.isCompletionEnabled = false;
    let length = 0;
    for (const character of characters) {
      length += character.length;
      const isLast = length === characters.length;
      if (isLast) {
        reader.isCompletionEnabled = true;
      }
      try {
        stream[kParser].next(character);
        if (isLast && character === ESC) {
          timer = setTimeout(endEscapeCode, reader.escapeCodeTimeout ?? ESCAPE_CODE_TIMEOUT_MS);
        }
      } catch (error) {
        // A listener threw, which ended the parser.
        startParser();
        throw error;
      }
    }
  }

  function onlistener(event) {
    if (event === 'keypress') {
      stream.on('data', ondata);
      stream.removeListener('newListener', onlistener);
    }
  }

  if (stream.listenerCount('keypress') > 0) {
    stream.on('data', ondata);
  } else {
    stream.on('newListener', onlistener);
  }
}

module.exports = { emitKeypressEvents, ESCAPE_CODE_TIMEOUT_MS };
