// The other thread of messages.mjs: responds to 'sync', echoes the messages of a port, counts
// round trips of its own.
import { parentPort } from 'node:worker_threads';

let read = 0;

function trip(port, count) {
  const started = performance.now();
  let left = count;
  port.on('message', (text) => {
    if (--left > 0) {
      port.postMessage(text);
    } else {
      port.close();
      parentPort.postMessage((performance.now() - started) * 1e3 / count);
    }
  });
  port.postMessage('12345678');
}

parentPort.on('message', (message) => {
  if (message === 'sync') parentPort.postMessage(read);
  else if (message.echo !== undefined) message.echo.on('message', (text) => message.echo.postMessage(text));
  else if (message.port !== undefined) trip(message.port, message.trips);
  else read += typeof message === 'string' ? message.length : 1;
});
