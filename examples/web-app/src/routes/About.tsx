import { useTasks } from '../tasks/store';

export function About() {
  const count = useTasks((state) => state.tasks.length);
  return (
    <p>A board with {count === 1 ? 'one task' : `${count} tasks`}. Nothing leaves this page.</p>
  );
}
