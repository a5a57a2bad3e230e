import { create } from 'zustand';
import { saveTasks } from './load';
import { Task } from './task';

interface Board {
  tasks: Task[];
  add: (title: string) => void;
  toggle: (id: string) => void;
  remove: (id: string) => void;
  replace: (tasks: Task[]) => void;
}

export const useTasks = create<Board>()((set, get) => {
  const write = (tasks: Task[]) => {
    set({ tasks });
    saveTasks(tasks);
  };
  return {
    tasks: [],
    add: (title) => write([...get().tasks, Task.parse({ id: crypto.randomUUID(), title })]),
    toggle: (id) =>
      write(get().tasks.map((task) => (task.id === id ? { ...task, done: !task.done } : task))),
    remove: (id) => write(get().tasks.filter((task) => task.id !== id)),
    replace: (tasks) => set({ tasks }),
  };
});
