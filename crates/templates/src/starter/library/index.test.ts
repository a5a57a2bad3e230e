import { expect, test } from 'bun:test';
import { sum } from '.';

test('sum adds all numbers', () => {
  expect(sum()).toBe(0);
  expect(sum(1, 2, 3)).toBe(6);
});
