// What handlers of an HTMLRewriter get: elements, end tags, comments, text, doctypes, the end of
// the document. In: the fields of an event. Out: operations on it, recorded in a Recorder while the
// handler runs; after that an object answers nothing. Absent: parsing.
'use strict';

const { invalidArgType } = require('internal/bun/environment');

const { operation } = internalBinding('html_rewriter');

const FORBIDDEN_IN_TAG_NAME = /[ \n\r\t\f/>]/;
const FORBIDDEN_IN_ATTRIBUTE_NAME = /[ \n\r\t\f/>=]/;

/** As lol_html reports what it cannot do. */
function rewriterError(message) {
  const error = new Error(message);
  error.name = 'HTMLRewriterError';
  return error;
}

/** Operations of one chunk: five elements each, as `apply` takes them. */
class Recorder {
  operations = [];
  /** Index of the event whose handlers run. */
  index = 0;

  add(code, first = '', second = '', isHtml = false) {
    this.operations.push(this.index, code, first, second, isHtml);
  }
}

function requiredString(value) {
  if (value === undefined || value === null) throw invalidArgType('Expected string');
  return `${value}`;
}

/** A token of the document. `isLive`: its handlers run. */
class Token {
  #recorder;
  #isRemoved;

  constructor(recorder, isRemoved = false) {
    this.#recorder = recorder;
    this.#isRemoved = isRemoved;
  }

  static {
    Token.end = (token) => { token.#recorder = undefined; };
    Token.recorder = (token) => token.#recorder;
    Token.remove = (token) => { token.#isRemoved = true; };
    Token.isRemoved = (token) => (token.#recorder === undefined ? undefined : token.#isRemoved);
  }
}

/** Methods that insert content, by the operation. */
function insertion(code, isRemoval) {
  return function insert(content, options) {
    const recorder = Token.recorder(this);
    if (recorder === undefined) return undefined;
    recorder.add(code, requiredString(content), '', Boolean(options?.html));
    if (isRemoval) Token.remove(this);
    return this;
  };
}

function defineMethods(Class, methods) {
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(value, 'name', { __proto__: null, value: name, configurable: true });
    Object.defineProperty(Class.prototype, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  }
}

function remove() {
  const recorder = Token.recorder(this);
  if (recorder === undefined) return undefined;
  recorder.add(operation.REMOVE);
  Token.remove(this);
  return this;
}

const before = insertion(operation.BEFORE, false);
const after = insertion(operation.AFTER, false);
const replace = insertion(operation.REPLACE, true);

class Element extends Token {
  #name;
  #namespace;
  #isSelfClosing;
  #canHaveContent;
  /** [name, value] pairs. */
  #attributes;
  #onEndTag;
  #removesContent = false;
  #newName;

  constructor(recorder, fields, isRemoved) {
    super(recorder, isRemoved);
    [this.#name, this.#namespace, this.#isSelfClosing, this.#canHaveContent, this.#attributes] = fields;
  }

  static {
    Element.onEndTag = (element) => element.#onEndTag;
    Element.removesContent = (element) => element.#removesContent;
    Element.newName = (element) => element.#newName;
    Element.canHaveContent = (element) => element.#canHaveContent;
  }

  #live(value) { return Token.recorder(this) === undefined ? undefined : value; }

  get tagName() { return this.#live(this.#name); }
  set tagName(value) {
    const recorder = Token.recorder(this);
    if (recorder === undefined) return;
    const name = requiredString(value);
    if (name === '') throw rewriterError("Tag name can't be empty.");
    if (!/^[A-Za-z]/.test(name)) throw rewriterError('The first character of the tag name should be an ASCII alphabetical character.');
    const forbidden = FORBIDDEN_IN_TAG_NAME.exec(name);
    if (forbidden !== null) throw rewriterError(`\`${forbidden[0]}\` character is forbidden in the tag name`);
    recorder.add(operation.SET_NAME, name);
    this.#name = this.#newName = lowerCase(name);
  }

  get namespaceURI() { return this.#live(this.#namespace); }
  get selfClosing() { return this.#live(this.#isSelfClosing); }
  get canHaveContent() { return this.#live(this.#canHaveContent); }
  get removed() { return Token.isRemoved(this); }
  get attributes() { return this.#live(new AttributeIterator(this, this.#attributes)); }

  getAttribute(name) {
    if (Token.recorder(this) === undefined) return null;
    return this.#find(name)?.[1] ?? null;
  }

  hasAttribute(name) {
    if (Token.recorder(this) === undefined) return false;
    return this.#find(name) !== undefined;
  }

  setAttribute(name, value) {
    const recorder = Token.recorder(this);
    if (recorder === undefined) return undefined;
    const key = requiredString(name);
    const text = requiredString(value);
    if (key === '') throw rewriterError("Attribute name can't be empty.");
    const forbidden = FORBIDDEN_IN_ATTRIBUTE_NAME.exec(key);
    if (forbidden !== null) throw rewriterError(`\`${forbidden[0]}\` character is forbidden in the attribute name`);
    recorder.add(operation.SET_ATTRIBUTE, key, text);
    const found = this.#find(key);
    // Iterators that exist end, as in bun.
    this.#attributes = this.#attributes.slice();
    if (found === undefined) this.#attributes.push([lowerCase(key), text]);
    else this.#attributes[this.#attributes.indexOf(found)] = [found[0], text];
    return this;
  }

  removeAttribute(name) {
    const recorder = Token.recorder(this);
    if (recorder === undefined) return undefined;
    const key = lowerCase(requiredString(name));
    recorder.add(operation.REMOVE_ATTRIBUTE, key);
    this.#attributes = this.#attributes.filter(([own]) => own !== key);
    return this;
  }

  #find(name) {
    const key = lowerCase(requiredString(name));
    return this.#attributes.find(([own]) => own === key);
  }

  setInnerContent(content, options) {
    const recorder = Token.recorder(this);
    if (recorder === undefined) return undefined;
    recorder.add(operation.INNER_CONTENT, requiredString(content), '', Boolean(options?.html));
    if (this.#canHaveContent) this.#removesContent = true;
    return this;
  }

  replace(content, options) {
    if (Token.recorder(this) !== undefined) this.#removesContent = true;
    return replace.call(this, content, options);
  }

  remove() {
    if (Token.recorder(this) !== undefined) this.#removesContent = true;
    return remove.call(this);
  }

  removeAndKeepContent() {
    const recorder = Token.recorder(this);
    if (recorder === undefined) return undefined;
    recorder.add(operation.REMOVE_AND_KEEP_CONTENT);
    Token.remove(this);
    return this;
  }

  onEndTag(handler) {
    if (Token.recorder(this) === undefined) return null;
    if (typeof handler !== 'function') throw new TypeError('Expected a function');
    if (!this.#canHaveContent) throw rewriterError('No end tag.');
    this.#onEndTag = handler;
    return this;
  }

  get [Symbol.toStringTag]() { return 'Element'; }

  static attributesOf(element) { return Token.recorder(element) === undefined ? undefined : element.#attributes; }
}
defineMethods(Element, { before, after, prepend: insertion(operation.PREPEND, false), append: insertion(operation.APPEND, false) });

const lowerCase = (name) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Ends when an attribute is changed, as in bun. */
class AttributeIterator {
  #element;
  #attributes;
  #index = 0;

  constructor(element, attributes) {
    this.#element = element;
    this.#attributes = attributes;
  }

  next() {
    const isCurrent = Element.attributesOf(this.#element) === this.#attributes;
    if (!isCurrent || this.#index >= this.#attributes.length) return { value: undefined, done: true };
    return { value: this.#attributes[this.#index++].slice(), done: false };
  }

  [Symbol.iterator]() { return this; }
  get [Symbol.toStringTag]() { return 'AttributeIterator'; }
}

class EndTag extends Token {
  #name;

  constructor(recorder, name) {
    super(recorder);
    this.#name = name;
  }

  get name() { return Token.recorder(this) === undefined ? undefined : this.#name; }
  set name(value) {
    const recorder = Token.recorder(this);
    if (recorder === undefined) return;
    this.#name = requiredString(value);
    recorder.add(operation.SET_NAME, this.#name);
  }

  get [Symbol.toStringTag]() { return 'EndTag'; }
}
defineMethods(EndTag, { before, after, remove });

class Comment extends Token {
  #text;

  constructor(recorder, text) {
    super(recorder);
    this.#text = text;
  }

  get text() { return Token.recorder(this) === undefined ? undefined : this.#text; }
  set text(value) {
    const recorder = Token.recorder(this);
    if (recorder === undefined) return;
    const text = requiredString(value);
    if (text.includes('-->')) throw rewriterError("Comment text shouldn't contain comment closing sequence (`-->`).");
    this.#text = text;
    recorder.add(operation.SET_TEXT, text);
  }

  get removed() { return Token.isRemoved(this); }
  get [Symbol.toStringTag]() { return 'Comment'; }
}
defineMethods(Comment, { before, after, replace, remove });

class Text extends Token {
  #text;
  #isLast;

  constructor(recorder, text, isLast) {
    super(recorder);
    this.#text = text;
    this.#isLast = isLast;
  }

  get text() { return Token.recorder(this) === undefined ? undefined : this.#text; }
  get lastInTextNode() { return Token.recorder(this) === undefined ? undefined : this.#isLast; }
  get removed() { return Token.isRemoved(this); }
  get [Symbol.toStringTag]() { return 'TextChunk'; }
}
defineMethods(Text, { before, after, replace, remove });

class Doctype extends Token {
  #fields;

  constructor(recorder, fields) {
    super(recorder);
    this.#fields = fields;
  }

  #field(index) { return Token.recorder(this) === undefined ? undefined : this.#fields[index]; }
  get name() { return this.#field(0); }
  get publicId() { return this.#field(1); }
  get systemId() { return this.#field(2); }
  get removed() { return Token.isRemoved(this); }
  get [Symbol.toStringTag]() { return 'DocType'; }
}
defineMethods(Doctype, { remove });

class DocumentEnd extends Token {
  get [Symbol.toStringTag]() { return 'DocEnd'; }
}
defineMethods(DocumentEnd, { append: insertion(operation.APPEND, false) });

module.exports = { Comment, Doctype, DocumentEnd, Element, EndTag, Recorder, Text, Token, rewriterError };
