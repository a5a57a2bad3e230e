// The snapshots of one test file: which exist, which tests have used, which are new. In: names and
// serialized values. Out: whether they match; at the end of the file, files written by a rename.
// Absent: serialization (snapshot/dialects.js), how files are written down (snapshot/file.js).
'use strict';

const { state, emptySnapshots, snapshotPath } = require('internal/expect/state');
const { HEADERS, parse, render } = require('internal/expect/snapshot/file');

/** A larger file is not a snapshot file. */
const FILE_BYTES_MAX = 256 << 20;

class SnapshotStore {
  /** @type {{ form: string, header: string, entries: Map<string, string> }} */
  #file;
  #damage;
  #isChanged = false;
  #used = new Set();
  #numbers = new Map();
  #inline;
  /** Files of one snapshot that are to be written. @type {Map<string, string>} */
  #wholeFiles = new Map();
  counts = emptySnapshots();

  constructor(testFile) {
    this.path = snapshotPath(testFile);
    this.#file = { form: 'bun', header: HEADERS.bun, entries: new Map() };
    this.#read();
  }

  #read() {
    const fs = require('fs');
    const data = fs.statSync(this.path, { throwIfNoEntry: false });
    if (data === undefined) return;
    try {
      if (data.size > FILE_BYTES_MAX) throw new Error(`it has ${data.size} bytes, ${FILE_BYTES_MAX} is the limit`);
      this.#file = parse(fs.readFileSync(this.path, 'utf8'));
    } catch (error) {
      this.#damage = error.message;
    }
  }

  /** Which program's form the file has. */
  get form() { return this.#file.form; }

  #checkReadable() {
    if (this.#damage === undefined) return;
    if (state.options.updatesSnapshots) {
      this.#damage = undefined;
      this.#isChanged = true;
      return;
    }
    const error = new Error(`the snapshot file \`${this.path}\` is damaged: ${this.#damage}\nRepair or remove it; \`rusk test -u\` writes it anew.`);
    error.name = 'SnapshotFileError';
    throw error;
  }

  /** The name of the next snapshot of a test: `group test: hint 1`. */
  nextName(test, hint) {
    const base = this.form === 'vitest' ? test.path.join(' > ') : test.fullName;
    const separator = this.form === 'vitest' ? ' > ' : ': ';
    const name = hint === undefined || hint === '' ? base : `${base}${separator}${hint}`;
    if (!test.snapshotCounts.has(name)) test.snapshotCounts.set(name, this.#numbers.get(name) ?? 0);
    const number = (this.#numbers.get(name) ?? 0) + 1;
    this.#numbers.set(name, number);
    return `${name} ${number}`;
  }

  /** Another attempt of a test begins as the first one did. */
  rewind(counts) { for (const [name, number] of counts) this.#numbers.set(name, number); }

  /**
   * @param {Iterable<string>} forms the value's text, then others that count as equal
   * @returns {{ expected?: string, received: string, isRefused?: boolean } | undefined}
   *   a difference
   */
  match(name, forms) {
    this.#checkReadable();
    const { entries } = this.#file;
    this.#used.add(name);
    const expected = entries.get(name);
    const { received, isEqual } = compare(expected, withNewlines(forms));
    if (isEqual) {
      this.counts.matched++;
      return undefined;
    }
    const refusal = this.#decide(expected, received);
    if (refusal !== undefined) return refusal;
    entries.set(name, received);
    this.#isChanged = true;
    return undefined;
  }

  /** Whether a new or different snapshot is written; otherwise why not. */
  #decide(expected, received) {
    const { isCi, updatesSnapshots } = state.options;
    if (updatesSnapshots) {
      this.counts[expected === undefined ? 'added' : 'updated']++;
      return undefined;
    }
    if (expected === undefined && !isCi) {
      this.counts.added++;
      return undefined;
    }
    this.counts.unmatched++;
    return { expected, received, isRefused: expected === undefined };
  }

  /**
   * The same for a snapshot in the source; `change` writes it. It has a number, too, as in jest:
   * the next one of the test in the file has the next number.
   */
  matchInline(test, expected, forms, change) {
    this.nextName(test);
    const { received, isEqual } = compare(expected && newlines(expected), withNewlines(forms));
    if (isEqual) {
      this.counts.matched++;
      return undefined;
    }
    const refusal = this.#decide(expected, received);
    if (refusal === undefined) {
      this.#inline ??= new (require('internal/expect/snapshot/inline').InlineChanges)();
      change(this.#inline, received);
    }
    return refusal;
  }

  /** The same for a file, relative to that of the test, which has nothing but the snapshot. */
  matchWholeFile(name, forms) {
    const { dirname, resolve } = require('path');
    const path = resolve(dirname(state.path), name);
    const expected = this.#wholeFiles.get(path) ?? readText(path);
    const { received, isEqual } = compare(expected, withLineEnds(forms, expected));
    if (isEqual) {
      this.counts.matched++;
      return undefined;
    }
    const refusal = this.#decide(expected, received);
    if (refusal === undefined) this.#wholeFiles.set(path, received);
    return refusal;
  }

  /**
   * Writes what has changed.
   * @param {Set<string>} failed tests whose snapshots are kept
   * @returns {object} counts and obsolete names
   */
  close(allTestsRan, failed) {
    const { entries } = this.#file;
    if (allTestsRan && this.#damage === undefined) {
      const isKept = (name) => [...failed].some((test) => name.startsWith(test));
      for (const name of [...entries.keys()]) {
        if (this.#used.has(name) || isKept(name)) continue;
        if (!state.options.updatesSnapshots) {
          this.counts.obsolete.push(name);
          continue;
        }
        entries.delete(name);
        this.counts.removed++;
        this.#isChanged = true;
      }
    }
    if (this.#isChanged) this.#write();
    this.#inline?.write();
    for (const [path, text] of this.#wholeFiles) writeText(path, text);
    return this.counts;
  }

  #write() {
    if (this.#file.entries.size === 0) require('fs').rmSync(this.path, { force: true });
    else writeText(this.path, render(this.#file));
  }
}

/** The text of a file; undefined: there is none. */
function readText(path) {
  const fs = require('fs');
  const data = fs.statSync(path, { throwIfNoEntry: false });
  if (data === undefined) return undefined;
  if (data.size > FILE_BYTES_MAX) throw new Error(`the snapshot file \`${path}\` has ${data.size} bytes, ${FILE_BYTES_MAX} is the limit`);
  return fs.readFileSync(path, 'utf8');
}

function writeText(path, text) {
  require('fs').mkdirSync(require('path').dirname(path), { recursive: true });
  replaceFile(path, text);
}

/** A template literal has no other line ends: carriage returns count as newlines, as in jest. */
const newlines = (text) => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

function* withNewlines(forms) { for (const form of forms) yield newlines(form); }

/** Forms with the line ends of a file that git, for instance, has checked out with CRLF. */
function* withLineEnds(forms, expected) {
  const isCrlf = expected?.includes('\r\n');
  for (const form of forms) yield isCrlf && !form.includes('\r\n') ? form.replaceAll('\n', '\r\n') : form;
}

/** Whether any form is the expected text; the first one is what is written. */
function compare(expected, forms) {
  let received;
  for (const form of forms) {
    received ??= form;
    if (expected === undefined) break;
    if (form === expected) return { received, isEqual: true };
  }
  return { received, isEqual: false };
}

/** Writes beside the file, then renames: readers see the old or the new content. */
function replaceFile(path, text) {
  const fs = require('fs');
  const existing = fs.statSync(path, { throwIfNoEntry: false });
  const target = existing === undefined ? path : fs.realpathSync(path);
  const staged = `${target}.${require('process').pid}.tmp`;
  try {
    fs.writeFileSync(staged, text, existing === undefined ? {} : { mode: existing.mode & 0o777 });
    fs.renameSync(staged, target);
  } catch (error) {
    fs.rmSync(staged, { force: true });
    throw error;
  }
}

module.exports = { SnapshotStore, replaceFile };
