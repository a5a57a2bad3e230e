// JUnit reporter: the XML that CI servers read. In: events. Out: one document, when the run ends.
'use strict';

const { inspectWithNoCustomRetry } = require('internal/test_runner/failure');

module.exports = async function* junit(source) {
  yield '<?xml version="1.0" encoding="utf-8"?>\n';
  yield '<testsuites>\n';
  let current;
  const roots = [];

  /** Opens the element of a started test within its parent. */
  function startTest(data) {
    const element = { tag: 'testcase', attributes: { name: data.name }, nesting: data.nesting, parent: current, children: [] };
    (current === undefined ? roots : current.children).push(element);
    current = element;
  }

  for await (const { type, data } of source) {
    switch (type) {
      case 'test:start':
        startTest(data);
        break;
      case 'test:pass':
      case 'test:fail':
        if (current === undefined || current.attributes.name !== data.name || current.nesting !== data.nesting) startTest(data);
        finishElement(current, data);
        current = current.parent;
        break;
      case 'test:diagnostic':
        (current === undefined ? roots : current.children).push({ comment: data.message, nesting: data.nesting });
        break;
    }
  }
  for (const element of roots) yield render(element);
  yield '</testsuites>\n';
};

function finishElement(element, data) {
  const { attributes, children } = element;
  attributes.time = (data.details.duration_ms / 1000).toFixed(6);
  const cases = children.filter((child) => child.comment === undefined);
  if (cases.length > 0) {
    element.tag = 'testsuite';
    attributes.disabled = 0;
    attributes.errors = 0;
    attributes.tests = cases.length;
    attributes.failures = cases.filter((child) => child.tag === 'testcase' && child.attributes.failure !== undefined).length;
    attributes.skipped = cases.filter(({ children }) => children.some((child) => child.tag === 'skipped')).length;
    attributes.hostname = require('os').hostname();
    return;
  }
  attributes.classname = data.classname ?? 'test';
  attributes.file = data.file;
  const base = { nesting: data.nesting + 1, children: [] };
  if (data.skip !== undefined) children.push({ ...base, tag: 'skipped', attributes: { type: 'skipped', message: String(data.skip) } });
  if (data.todo !== undefined) children.push({ ...base, tag: 'skipped', attributes: { type: 'todo', message: String(data.todo) } });
  const { error } = data.details;
  if (error !== undefined) {
    const message = error.message ?? '';
    children.push({
      ...base, tag: 'failure', attributes: { type: error.failureType ?? error.code, message: message.trim() }, text: inspectWithNoCustomRetry(error, { breakLength: Infinity }),
    });
    attributes.failure = message;
  }
}

function escapeAttribute(text) {
  return escapeContent(String(text)).replaceAll('"', '&quot;').replaceAll('\n', '&#10;');
}

function escapeContent(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function render({ tag, attributes, children, comment, text, nesting }) {
  const prefix = '\t'.repeat(nesting + 1);
  if (comment !== undefined) return `${prefix}<!-- ${comment.replaceAll('--', '&#45;&#45;')} -->\n`;
  const attributeText = Object.entries(attributes).filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join('');
  if (children.length === 0 && text === undefined) return `${prefix}<${tag}${attributeText}/>\n`;
  const inside = text === undefined ? children.map(render).join('') : `${escapeContent(text)}\n`;
  return `${prefix}<${tag}${attributeText}>\n${inside}${prefix}</${tag}>\n`;
}
