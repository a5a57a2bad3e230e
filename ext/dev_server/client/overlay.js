// Error overlay: build errors with their source line and caret, and errors of the program. In:
// errors. Out: an element in a shadow tree, so that the page's styles do not reach it.

const OVERLAY_STYLE = `
:host { position: fixed; inset: 0; z-index: 2147483647; overflow: auto; background: rgb(0 0 0 / .75);
  font: 14px/1.5 ui-monospace, monospace; color: #eee }
main { max-width: 60rem; margin: 3rem auto; padding: 1.5rem; background: #181818; border-top: 4px solid #f66; border-radius: 4px }
section + section { margin-top: 1.5rem }
h2 { margin: 0; font: inherit; font-weight: 700; color: #f88; white-space: pre-wrap }
pre { margin: .5rem 0; padding: .5rem; background: #222; overflow: auto }
mark { background: none; color: #f66 }
button { float: right; font: inherit; background: none; border: 0; color: #aaa; cursor: pointer }
p { margin: 0; color: #aaa }`;

let overlay;

/** `kind`: `build` errors go when the server says so, `runtime` errors at the next update. */
function showErrors(errors, kind) {
  hideErrors();
  overlay = document.createElement('rusk-error-overlay');
  overlay.dataset.kind = kind;
  const root = overlay.attachShadow({ mode: 'open' });
  const style = document.createElement('style');
  style.textContent = OVERLAY_STYLE;
  const main = document.createElement('main');
  const close = add(main, 'button', 'close');
  close.addEventListener('click', hideErrors);
  for (const error of errors) main.append(sectionOf(error));
  root.append(style, main);
  (document.body ?? document.documentElement).append(overlay);
}

function add(parent, name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  parent.append(element);
  return element;
}

function sectionOf({ message, file, line, column, text, indent, width, notes = [], hint, stack }) {
  const section = document.createElement('section');
  add(section, 'h2', message);
  if (file !== undefined) {
    add(section, 'p', `${file}:${line}:${column}`);
    const source = add(section, 'pre', `${line} | ${text}\n`);
    add(source, 'mark', `${' '.repeat(`${line} | `.length + indent)}${'^'.repeat(width)}`);
  }
  if (stack !== undefined) add(section, 'pre', stack);
  for (const note of notes) add(section, 'p', note);
  if (hint !== undefined) add(section, 'p', `hint: ${hint}`);
  return section;
}

function hideErrors() {
  overlay?.remove();
  overlay = undefined;
}

function showRuntimeError(error) {
  if (overlay?.dataset.kind === 'build') return;
  emit('error', error);
  const message = error instanceof Error ? `${error.name}: ${error.message}` : `${error}`;
  const stack = error instanceof Error ? error.stack?.replace(`${error.name}: ${error.message}\n`, '') : undefined;
  showErrors([{ message, stack }], 'runtime');
}

addEventListener('error', (event) => { if (event.error != null) showRuntimeError(event.error); });
addEventListener('unhandledrejection', (event) => { showRuntimeError(event.reason); });
