// Elements of React and nodes of documents in diffs and snapshots, as JSX and HTML. In: a value,
// the indentation, the printer of other values. Out: a string; undefined for all other values.
'use strict';

const ELEMENTS = new Set(['react.element', 'react.transitional.element'].map(Symbol.for));
const TEST_JSON = Symbol.for('react.test.json');
const FRAGMENT = Symbol.for('react.fragment');
const [ELEMENT, TEXT, COMMENT, DOCUMENT_FRAGMENT] = [1, 3, 8, 11];

function print(value, indent, printer) {
  const { $$typeof } = value;
  if (ELEMENTS.has($$typeof)) return reactElement(value, indent, printer);
  if ($$typeof === TEST_JSON) return reactTestJson(value, indent, printer);
  if (typeof value.nodeType === 'number' && typeof value.nodeName === 'string' && typeof value.constructor === 'function') {
    return domNode(value, indent, printer);
  }
  return undefined;
}

function reactElement({ type, props, key }, indent, printer) {
  const { children, ...attributes } = props ?? {};
  if (key !== null && key !== undefined) attributes.key = key;
  return markup(typeName(type), attributes, flatten(children), indent, printer);
}

function reactTestJson({ type, props, children }, indent, printer) {
  return markup(type, props ?? {}, flatten(children), indent, printer);
}

function flatten(children) {
  const list = Array.isArray(children) ? children.flat(Infinity) : [children];
  return list.filter((child) => child !== null && child !== undefined && child !== false && child !== true && child !== '');
}

function typeName(type) {
  if (typeof type === 'string') return type;
  if (typeof type === 'function') return type.displayName || type.name || 'Unknown';
  if (type === FRAGMENT) return 'React.Fragment';
  if (type?.$$typeof !== undefined) {
    const name = type.displayName || type.render?.displayName || type.render?.name || '';
    if (type.$$typeof === Symbol.for('react.forward_ref')) return name === '' ? 'ForwardRef' : `ForwardRef(${name})`;
    if (type.$$typeof === Symbol.for('react.memo')) return `Memo(${type.displayName || type.type?.displayName || type.type?.name || ''})`;
    if (type.$$typeof === Symbol.for('react.provider')) return 'Context.Provider';
    if (type.$$typeof === Symbol.for('react.context')) return 'Context.Consumer';
  }
  if (type === Symbol.for('react.suspense')) return 'React.Suspense';
  return 'UNDEFINED';
}

/** `<name attribute="...">` with each attribute and each child on a line of its own. */
function markup(name, attributes, children, indent, printer) {
  const inner = `${indent}  `;
  const keys = Object.keys(attributes).filter((key) => attributes[key] !== undefined).sort();
  const rows = keys.map((key) => `\n${inner}${key}=${attributeText(attributes[key], inner, printer)}`).join('');
  const open = `<${name}${rows}${rows === '' ? '' : `\n${indent}`}`;
  if (children.length === 0) return `${open}${rows === '' ? ' ' : ''}/>`;
  const body = children.map((child) => `\n${inner}${childText(child, inner, printer)}`).join('');
  return `${open}>${body}\n${indent}</${name}>`;
}

function attributeText(value, indent, printer) {
  if (typeof value === 'string') return printer.print(value, indent);
  const text = printer.print(value, `${indent}  `);
  return text.includes('\n') ? `{\n${indent}  ${text}\n${indent}}` : `{${text}}`;
}

function childText(child, indent, printer) {
  return typeof child === 'string' || typeof child === 'number' ? escapeText(`${child}`) : printer.print(child, indent);
}

const escapeText = (text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function domNode(node, indent, printer) {
  const inner = `${indent}  `;
  switch (node.nodeType) {
    case TEXT: return escapeText(node.data);
    case COMMENT: return `<!--${escapeText(node.data)}-->`;
    case DOCUMENT_FRAGMENT: return markup('DocumentFragment', {}, domChildren(node), indent, { print: (child) => domNode(child, inner, printer) });
    case ELEMENT: {
      const attributes = Object.fromEntries(Array.from(node.attributes, ({ name, value }) => [name, value]));
      const isPlain = (value) => typeof value === 'string';
      const print = (value, at) => (isPlain(value) ? printer.print(value, at) : domNode(value, at, printer));
      return markup(node.tagName.toLowerCase(), attributes, domChildren(node), indent, { print });
    }
    default: return undefined;
  }
}

function domChildren(node) {
  return Array.from(node.childNodes ?? []).filter((child) => child.nodeType !== TEXT || child.data.trim() !== '');
}

module.exports = { print };
