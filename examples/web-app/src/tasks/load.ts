import { Tasks } from './task';

const key = 'tasks';

/** The tasks of the last visit; damaged ones are an error, not an empty board. */
export async function loadTasks(): Promise<Tasks> {
  const text = localStorage.getItem(key);
  return text === null ? [] : Tasks.parse(JSON.parse(text));
}

export function saveTasks(tasks: Tasks): void {
  localStorage.setItem(key, JSON.stringify(tasks));
}

type Tasks = ReturnType<typeof Tasks.parse>;
