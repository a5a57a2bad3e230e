import { expect, test } from 'bun:test';
import { renderToString } from 'react-dom/server';
import { App } from './App';

test('App greets', () => {
  expect(renderToString(<App />)).toContain('<h1>Hello</h1>');
});
