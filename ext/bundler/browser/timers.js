// `node:timers` in browsers: those of the browser.
'use strict';

const immediates = new Map();
let last = 0;

// Messages are tasks, as immediates are, and not delayed.
const { port1, port2 } = new MessageChannel();
port1.onmessage = ({ data }) => {
  const run = immediates.get(data);
  immediates.delete(data);
  run?.();
};
port1.unref?.();
port2.unref?.();

module.exports = {
  setTimeout: (...values) => setTimeout(...values),
  clearTimeout: (timer) => clearTimeout(timer),
  setInterval: (...values) => setInterval(...values),
  clearInterval: (timer) => clearInterval(timer),
  setImmediate(callback, ...values) {
    immediates.set(++last, () => callback(...values));
    port2.postMessage(last);
    return last;
  },
  clearImmediate: (number) => void immediates.delete(number),
};
