// Answers for handlers that throw. In: the error. Out: a page with message, stack and source lines
// in development, else a line of text that tells nothing.
'use strict';

const { Response } = require('web/fetch/response');

/** Source lines before and after the one that threw. */
const CONTEXT_LINES = 3;
const SOURCE_BYTES_MAX = 1024 * 1024;

const STYLE = 'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:3rem auto;padding:0 1rem}' +
  'pre{background:#f4f4f4;padding:1rem;overflow:auto}mark{background:#fdd}h1{font-size:1.4rem}' +
  '@media(prefers-color-scheme:dark){body{background:#181818;color:#eee}pre{background:#262626}mark{background:#622;color:inherit}}';

function escape(text) {
  return `${text}`.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function errorResponse(error, isDevelopment) {
  if (!isDevelopment) return new Response('Something went wrong!', { status: 500, headers: { 'content-type': 'text/plain;charset=utf-8' } });
  const name = escape(error?.name ?? 'Error');
  const message = escape(error?.message ?? require('internal/util/inspect').inspect(error));
  const stack = typeof error?.stack === 'string' ? error.stack : '';
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}: ${message}</title><style>${STYLE}</style>` +
    `<h1>${name}: ${message}</h1>${sourceOf(stack)}<pre>${escape(stack)}</pre></html>\n`;
  return new Response(html, { status: 500, headers: { 'content-type': 'text/html;charset=utf-8' } });
}

/** Answers in place of a handler that returned no response. */
function missingResponse(isDevelopment) {
  if (!isDevelopment) return new Response(null, { status: 204 });
  return new Response('Welcome to Rusk! To get started, return a Response object.');
}

/** The lines around the first frame that is in a file. */
function sourceOf(stack) {
  const frame = /(?:\(|at )(?:file:\/\/)?(\/[^()\n]+?):(\d+)(?::\d+)?\)?$/m.exec(stack);
  if (frame === null) return '';
  const line = Number(frame[2]);
  let text;
  try {
    const fs = require('fs');
    if (fs.statSync(frame[1]).size > SOURCE_BYTES_MAX) return '';
    text = fs.readFileSync(frame[1], 'utf8');
  } catch {
    return '';
  }
  const first = Math.max(1, line - CONTEXT_LINES);
  const lines = text.split('\n').slice(first - 1, line + CONTEXT_LINES);
  const numbered = lines.map((content, index) => {
    const row = `${first + index}`.padStart(5) + ` | ${escape(content)}`;
    return first + index === line ? `<mark>${row}</mark>` : row;
  });
  return `<p>${escape(frame[1])}:${line}</p><pre>${numbered.join('\n')}</pre>`;
}

module.exports = { missingResponse, errorResponse };
