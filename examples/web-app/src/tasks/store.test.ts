import { beforeEach, expect, test } from 'vitest';
import { loadTasks } from './load';
import { useTasks } from './store';

beforeEach(() => {
  localStorage.clear();
  useTasks.setState({ tasks: [] });
});

test('a task added is there on the next visit', async () => {
  useTasks.getState().add('  water the plants ');
  expect((await loadTasks()).map((task) => task.title)).toEqual(['water the plants']);
});

test('an empty title is refused', () => {
  expect(() => useTasks.getState().add(' ')).toThrow('a task has a title');
});
