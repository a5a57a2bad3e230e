// Connection to the development server: a WebSocket. In: messages of the server. Out: updates,
// reloads, errors on the page; what the page writes to its console.

const RECONNECT_MS_MIN = 100;
const RECONNECT_MS_MAX = 5000;

let settings;
let version = 0;
let socket;
let wait = RECONNECT_MS_MIN;
const waiting = [];

function connect() {
  const url = new URL(`/_rusk/hmr?page=${settings.page}&version=${version}&server=${settings.server}`, location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  socket = new WebSocket(url);
  socket.addEventListener('open', () => {
    wait = RECONNECT_MS_MIN;
    emit('ws:connect');
    for (const text of waiting.splice(0)) socket.send(text);
  });
  socket.addEventListener('message', ({ data }) => { updateQueue = updateQueue.then(() => receive(JSON.parse(data))).catch(showRuntimeError); });
  socket.addEventListener('close', () => {
    emit('ws:disconnect');
    setTimeout(connect, wait);
    wait = Math.min(wait * 2, RECONNECT_MS_MAX);
  });
}

function sendMessage(message) {
  const text = JSON.stringify(message);
  if (socket?.readyState === WebSocket.OPEN) socket.send(text);
  else waiting.push(text);
}

async function receive(message) {
  version = message.version ?? version;
  if (message.type === 'errors') {
    emit('error', message.errors);
    showErrors(message.errors, 'build');
    return;
  }
  // A page that was loaded with errors has no modules.
  if (message.type === 'reload' || settings.errors.length > 0) return reload();
  if (message.type !== 'update') return undefined;
  hideErrors();
  return update(message);
}

/** `development: { console: true }` */
function echoConsole() {
  for (const level of ['log', 'info', 'warn', 'error', 'debug']) {
    const original = console[level];
    console[level] = function (...values) {
      original.apply(this, values);
      sendMessage({ type: 'console', level, text: values.map(shown).join(' ') });
    };
  }
}

function shown(value) {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return value.stack ?? `${value}`;
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return JSON.stringify(value);
  } catch {
    return String(value);
  }
}

/** Starts the page. */
async function start(given) {
  settings = given;
  ({ version } = settings);
  if (settings.console) echoConsole();
  if (settings.hmr) connect();
  if (settings.errors.length > 0) return showErrors(settings.errors, 'build');
  const started = (async () => {
    await fetchExternals();
    if (settings.refresh !== null) startRefresh(settings.refresh);
    for (const id of settings.entries) await load(id);
  })();
  updateQueue = started.catch(() => {});
  return started;
}
